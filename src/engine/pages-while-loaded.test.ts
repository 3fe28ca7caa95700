/**
 * Statements that read by page go on while the tables that they read are loaded whole for others: with the rows of their
 * own view, whether or not the files have been merged meanwhile.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropMemoryStore, openObjectStore, parseStorageUri } from '../object-store/index.ts';
import type { Value } from '../value/index.ts';
import { type Engine, type EngineParts, openEngine } from './index.ts';

const NONE: ReadonlyMap<string, Value> = new Map();
const names = ['loaded-reader', 'loaded-writer', 'loaded-merged', 'loaded-gone'];
after(() => Promise.all(names.map((name) => dropMemoryStore({ scheme: 'memory', name, namespace: 'default' }))));

/** Relationships, of which a later file deletes a third and changes a third. */
async function write(uri: string, count: number): Promise<void> {
  const engine = await openEngine(uri, { flushIntervalMs: 0 }, { artefactsFromRows: 0 });
  const params = new Map<string, Value>([['count', count]]);
  await engine.execute('UNWIND range(1, $count) AS i CREATE (:P {i: i - 1})', params);
  await engine.execute('MATCH (a:P) MATCH (b:P {i: (a.i * 7 + 1) % $count}) CREATE (a)-[:R {k: a.i, s: "x" + a.i}]->(b)', params);
  await engine.flush();
  await engine.compact();
  await engine.execute('MATCH ()-[r:R]->() WHERE r.k % 3 = 0 DELETE r', NONE);
  await engine.execute('MATCH ()-[r:R]->() WHERE r.k % 3 = 1 SET r.k = -r.k', NONE);
  await engine.flush();
  await engine.close();
}

const WHOLE = 'MATCH ()-[r:R]->() RETURN count(*), sum(r.k), sum(size(r.s))';

interface Case {
  readonly readOnly: boolean;
  /** How many relationships are written; default: 3,000. */
  readonly count?: number;
  /** Runs behind the first batch, before the table is loaded whole. */
  readonly meanwhile: (engine: Engine) => Promise<void>;
}

/** Streams the relationships by page, loads their table behind the first batch, and returns how many came and the sum of `k`. */
async function streamed(uri: string, { readOnly, count = 3_000, meanwhile }: Case): Promise<readonly [number, number]> {
  await write(uri, count);
  let room = 20 * count;
  const parts: EngineParts = {
    wholeTableRows: -1,
    availableMemory: () => room,
    pageBytes: 2_000_000,
    planner: false,
    artefactsFromRows: 0,
    sstCache: null,
  };
  const engine = await openEngine(uri, readOnly ? { readOnly } : { flushIntervalMs: 0 }, parts);
  try {
    const { batches } = await engine.stream('MATCH (a)-[r:R]->(b) RETURN r.k, a.i', NONE);
    const stream = batches[Symbol.asyncIterator]();
    const first: IteratorResult<readonly (readonly unknown[])[]> = await stream.next();
    const rows: (readonly unknown[])[] = [...first.value];
    assert.ok(rows.length < (count * 2) / 3 && engine.statistics().readsByPage === 1, 'it reads by page, and has not ended');
    room = 2 ** 30;
    await meanwhile(engine);
    await engine.execute(WHOLE, NONE);
    for await (const batch of batches) rows.push(...batch);
    return [rows.length, rows.reduce((sum, [k]) => sum + (k as number), 0)];
  } finally {
    await engine.close();
  }
}

const create = async (engine: Engine): Promise<void> => void (await engine.execute('CREATE (:X)-[:R {k: 5}]->(:X)', NONE));

test('the table is loaded for the same view', async () => {
  assert.deepEqual(await streamed('memory://loaded-reader', { readOnly: true, meanwhile: async () => undefined }), [2000, 1000]);
});

test('the table is loaded for a later view', async () => {
  assert.deepEqual(await streamed('memory://loaded-writer', { readOnly: false, meanwhile: create }), [2000, 1000]);
});

test('the files have been merged when the table is loaded', async () => {
  const meanwhile = async (engine: Engine): Promise<void> => {
    await create(engine);
    await engine.flush();
    await engine.compact();
  };
  assert.deepEqual(await streamed('memory://loaded-merged', { readOnly: false, meanwhile }), [2000, 1000]);
});

test('the files are gone when the table is loaded in the order of others: the statement says that it must begin again', async () => {
  const uri = 'memory://loaded-gone';
  const meanwhile = async (engine: Engine): Promise<void> => {
    const former = await dataFiles(uri);
    await create(engine);
    await engine.flush();
    await engine.compact();
    await removeAll(uri, former);
  };
  await assert.rejects(streamed(uri, { readOnly: false, count: 45_000, meanwhile }), { code: 'STORE_UNAVAILABLE' });
});

async function dataFiles(uri: string): Promise<string[]> {
  const store = await openObjectStore(parseStorageUri(uri));
  return (await store.list('data/')).map(({ key }) => key).filter((key) => key.endsWith('.arrow'));
}

async function removeAll(uri: string, keys: readonly string[]): Promise<void> {
  const store = await openObjectStore(parseStorageUri(uri));
  for (const key of keys) await store.delete(key);
}
