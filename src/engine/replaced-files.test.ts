/** Graphs whose files are merged, and removed, while they are read: by page, as a stream, and where the bucket does not answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../base/index.ts';
import { dropMemoryStore, withFaults } from '../object-store/index.ts';
import type { Value } from '../value/index.ts';
import { type Engine, type EngineOptions, type EngineParts, openEngine } from './index.ts';

const NONE: ReadonlyMap<string, Value> = new Map();
const PERSONS = 6_000;
/** Room for where each node stands, and for some pages; for no column of all of them. */
const FEW: EngineParts = { wholeTableRows: -1, availableMemory: () => 90_000, pageBytes: 30_000, artefactsFromRows: 0, sstCache: null };
let names = 0;

interface Opened {
  readonly writer: Engine;
  readonly open: (options: EngineOptions, parts?: EngineParts) => Promise<Engine>;
}

/** A namespace with a table of persons in two files, which `compact` merges. */
async function withPersons(options: EngineOptions, use: (opened: Opened) => Promise<void>): Promise<void> {
  const name = `replaced-files-${++names}`;
  const opened: Engine[] = [];
  const open: Opened['open'] = async (of, parts = {}) => {
    const engine = await openEngine(`memory://${name}`, { flushIntervalMs: 0, pollIntervalMs: 0, ...of }, parts);
    opened.push(engine);
    return engine;
  };
  try {
    const writer = await open(options, { artefactsFromRows: 0, sstCache: null });
    await rowsOf(writer, 'CREATE INDEX FOR (p:Person) ON (p.id)');
    await rowsOf(writer, `UNWIND range(1, ${PERSONS}) AS i CREATE (p:Person {id: i, name: 'p' + i})-[:KNOWS {k: i}]->(p)`);
    await writer.flush();
    await writer.compact();
    await rowsOf(writer, 'CREATE (p:Person {id: 0, name: "p0"})-[:KNOWS {k: 0}]->(p)');
    await writer.flush();
    await use({ writer, open });
  } finally {
    for (const engine of opened) await engine.close();
    dropMemoryStore({ scheme: 'memory', name, namespace: 'default' });
  }
}

async function rowsOf(engine: Pick<Engine, 'execute'>, query: string): Promise<readonly unknown[]> {
  return (await engine.execute(query, NONE)).rows.flat().map((value) => (typeof value === 'bigint' ? Number(value) : value));
}

const ALL = 'MATCH (p:Person) RETURN count(p.name), max(p.name)';
const ONE = 'MATCH (p:Person {id: 77})-[k:KNOWS]->(q) RETURN k.k, q.name';
const OF_ALL = [PERSONS + 1, 'p999'];
const OF_ONE = [77, 'p77'];

async function catchUp(reader: Engine): Promise<void> {
  await reader.reach(1e9, { timeoutMs: 1 }).catch(() => undefined);
}

for (const options of [{ readOnly: true }, {}]) {
  const who = options.readOnly === true ? 'follower' : 'writer';
  test(`a ${who} reads tables by page that do not fit, though their files have been merged`, async () => {
    await withPersons({}, async ({ writer, open }) => {
      const reader = await open(options, FEW);
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await rowsOf(reader, ALL), OF_ALL);
        assert.deepEqual(await rowsOf(reader, ONE), OF_ONE);
        assert.equal(reader.statistics().unloads, round);
        await (options.readOnly === true ? writer : reader).compact();
        await rowsOf(options.readOnly === true ? writer : reader, 'CREATE (:Other)');
        await catchUp(reader);
      }
    });
  });
}

test('where transactions alone find no room, those that begin later do', async () => {
  await withPersons({}, async ({ writer, open }) => {
    const reader = await open({ readOnly: true }, FEW);
    assert.deepEqual(await rowsOf(reader, ONE), OF_ONE);
    await writer.compact();
    await catchUp(reader);
    const first = await reader.begin({ mode: 'read' });
    await assert.rejects(rowsOf(first, ONE), { code: 'MEMORY_LIMIT' });
    await first.rollback();
    while (reader.statistics().unloads === 0) await sleep(1);
    const second = await reader.begin({ mode: 'read' });
    assert.deepEqual(await rowsOf(second, ONE), OF_ONE);
    await second.commit();
  });
});

test('a plan is shown of a statement whose tables do not fit, and its code over pages', async () => {
  await withPersons({}, async ({ open }) => {
    const reader = await open({ readOnly: true }, FEW);
    assert.match(await reader.explain(ALL), /^ProduceResults/);
    assert.match(await reader.explain(ALL, { verbose: true }), /Generated code:/);
    assert.equal(reader.statistics().unloads, 0);
  });
});

test('a stream whose files are removed meanwhile tells that they are no longer kept, and of no damage', async () => {
  await withPersons({ graceMs: 0, retainVersions: 1 }, async ({ writer, open }) => {
    await rowsOf(writer, "UNWIND range(1, 40000) AS i CREATE (:Wide {name: 'w' + i})");
    await writer.flush();
    const reader = await open({ readOnly: true }, { ...FEW, availableMemory: () => 700_000 });
    for (const begin of [async () => reader, () => reader.begin({ mode: 'read' })]) {
      await catchUp(reader);
      const stream = await (await begin()).stream('MATCH (w:Wide) RETURN w.name', NONE);
      const batches = stream.batches[Symbol.asyncIterator]();
      assert.equal((await batches.next()).done, false);
      await rowsOf(writer, "CREATE (:Wide {name: 'last'})");
      await writer.flush();
      await writer.compact();
      const rest = async (): Promise<void> => {
        while ((await batches.next()).done !== true);
      };
      await assert.rejects(rest(), { code: 'STORE_UNAVAILABLE', message: /no longer kept/ });
    }
  });
});

test('a statement waits for newer files no longer than its time', async () => {
  await withPersons({ graceMs: 0, retainVersions: 1 }, async ({ writer, open }) => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<null>();
    let isSilent = false;
    const decorateStore: EngineParts['decorateStore'] = (store) =>
      withFaults(store, { random: () => 0, onRequest: ({ operation }) => (isSilent && operation === 'list' ? answered : null) });
    const reader = await open({ readOnly: true }, { decorateStore, sstCache: null });
    await writer.compact();
    await writer.compact();
    isSilent = true;
    try {
      await assert.rejects(reader.execute(ALL, NONE, { timeoutMs: 100 }), { code: 'QUERY_TIMEOUT' });
    } finally {
      answer(null);
    }
  });
});
