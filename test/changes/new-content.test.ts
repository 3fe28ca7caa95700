/**
 * Content that no commit says, imported or restored into a namespace that captures changes: whoever has followed the
 * changes before is told so, also one who had seen all of them.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Engine, type EngineOptions, type EngineParts, openEngine } from '../../src/engine/index.ts';
import { importFiles } from '../../src/import/index.ts';
import { type ObjectStore, openObjectStore, parseStorageUri, withFaults } from '../../src/object-store/index.ts';
import { copyNamespace } from '../../src/storage/index.ts';
import type { Value } from '../../src/value/index.ts';

const CAPTURED: EngineOptions = { changeRetentionMs: 3_600_000, flushIntervalMs: 0 };
let stores = 0;
const freshUri = (): string => `memory://new-content-${++stores}?ns=a`;
const storeOf = (uri: string): Promise<ObjectStore> => openObjectStore(parseStorageUri(uri));

async function withEngine<T>(uri: string, options: EngineOptions, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(uri, options);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

async function ask(engine: Engine, query: string, params: Record<string, Value> = {}): Promise<unknown[]> {
  return (await engine.execute(query, new Map(Object.entries(params)))).rows.map(([value]) => value);
}

const idOf = async (engine: Engine, which: 'current' | 'earliest'): Promise<string> =>
  String((await ask(engine, `CALL db.cdc.${which}() YIELD id RETURN id`))[0]);

const operationsSince = (engine: Engine, from: string): Promise<unknown[]> =>
  ask(engine, 'CALL db.cdc.query($from, []) YIELD event RETURN event.operation + event.state.after.labels[0]', { from });

/** Every id that a reader may hold: before the last change, of that change, and of the end. */
async function idsOf(engine: Engine): Promise<string[]> {
  const before = await idOf(engine, 'current');
  await ask(engine, 'CREATE (:Old)');
  const [last] = await ask(engine, 'CALL db.cdc.query($from, []) YIELD id RETURN id', { from: before });
  return [before, String(last), await idOf(engine, 'current')];
}

/** Checks that these ids are gone, and that changes from here on are told. */
async function assertBeginsAnew(engine: Engine, former: readonly string[]): Promise<void> {
  for (const id of former) await assert.rejects(operationsSince(engine, id), { code: 'GONE' }, id);
  const ids = [await idOf(engine, 'earliest'), await idOf(engine, 'current')];
  for (const id of ids) assert.deepEqual(await operationsSince(engine, id), []);
  await ask(engine, 'CREATE (:Later)');
  for (const id of ids) assert.deepEqual(await operationsSince(engine, id), ['cLater']);
  for (const id of former) await assert.rejects(operationsSince(engine, id), { code: 'GONE' }, id);
}

/** A graph that captures nothing, whose log changes and deletes nodes of its files. */
async function backup(): Promise<string> {
  const uri = freshUri();
  await withEngine(uri, { flushIntervalMs: 0 }, async (engine) => {
    await ask(engine, 'UNWIND range(1, 5) AS i CREATE (:Backup {i: i})');
    await engine.flush();
    await ask(engine, 'MATCH (b:Backup {i: 3}) SET b.x = 1');
    await ask(engine, 'MATCH (b:Backup {i: 4}) DELETE b');
  });
  return uri;
}

async function restore(from: string, to: string): Promise<void> {
  const [source, target] = [await storeOf(from), await storeOf(to)];
  await copyNamespace({ source: { store: source, name: 'a' }, target: { store: target, name: 'a' }, replace: true });
}

test('a restore: all former ids are gone, and no commit of the backup is told', async () => {
  const [from, to] = [await backup(), freshUri()];
  const former = await withEngine(to, CAPTURED, idsOf);
  await restore(from, to);
  await withEngine(to, { flushIntervalMs: 0 }, async (engine) => {
    assert.deepEqual(await ask(engine, 'MATCH (n) RETURN labels(n)[0] + n.i ORDER BY n.i'), ['Backup1', 'Backup2', 'Backup3', 'Backup5']);
    await assertBeginsAnew(engine, former);
    const current = await idOf(engine, 'current');
    await engine.flush();
    await engine.compact();
    assert.deepEqual(await operationsSince(engine, current), [], 'a flush and a merge are no new content');
  });
});

test('a restore of a namespace that captures changes itself', async () => {
  const [from, to] = [freshUri(), freshUri()];
  const elsewhere = await withEngine(from, CAPTURED, idsOf);
  const former = await withEngine(to, CAPTURED, idsOf);
  await restore(from, to);
  await withEngine(to, CAPTURED, (engine) => assertBeginsAnew(engine, [...former, ...elsewhere]));
  assert.deepEqual(await withEngine(from, CAPTURED, (engine) => operationsSince(engine, elsewhere[0]!)), ['cOld'], 'the source goes on');
});

test('a restore that ends before the commits of the log came loses no change silently, and a second one mends it', async () => {
  const [from, to] = [await backup(), freshUri()];
  const former = await withEngine(to, CAPTURED, idsOf);
  let isDown = false;
  const target = withFaults(await storeOf(to), {
    random: () => 0,
    onRequest: ({ operation, key }) => {
      if (operation !== 'putIfAbsent' || !key.startsWith('wal/')) return null;
      const isStart = !isDown;
      isDown = true;
      return isStart ? null : 'refused';
    },
  });
  const copying = copyNamespace({ source: { store: await storeOf(from), name: 'a' }, target: { store: target, name: 'a' }, replace: true });
  await assert.rejects(copying);
  const between = await withEngine(to, { flushIntervalMs: 0 }, async (engine) => {
    await assertBeginsAnew(engine, former);
    return idOf(engine, 'current');
  });
  await restore(from, to);
  await withEngine(to, CAPTURED, (engine) => assertBeginsAnew(engine, [...former, between]));
});

function fileOf(context: TestContext, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-new-content-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'nodes.csv');
  writeFileSync(path, content);
  return path;
}

test('an import into a graph: all former ids are gone, and not even a change that was told in part is told on', async (context) => {
  const uri = freshUri();
  const former = await withEngine(uri, CAPTURED, async (engine) => {
    await ask(engine, 'CREATE CONSTRAINT FOR (p:Person) REQUIRE p.id IS UNIQUE');
    await ask(engine, 'CREATE (:Old), (:Old)');
    const parts = await ask(engine, 'CALL db.cdc.query($from, []) YIELD id RETURN id', { from: await idOf(engine, 'earliest') });
    return [...parts.map(String), ...(await idsOf(engine))];
  });
  const nodes = [{ labels: [], files: [fileOf(context, 'id:ID(Person)\na\nb\n')] }];
  await importFiles({ store: uri, nodes, relationships: [], mergeOn: [{ space: null, label: 'Person', key: 'id' }] });
  await withEngine(uri, CAPTURED, async (engine) => {
    assert.deepEqual(await ask(engine, 'MATCH (p:Person) RETURN p.id ORDER BY p.id'), ['a', 'b']);
    await assertBeginsAnew(engine, former);
  });
});

test('an import into a namespace without nodes', async (context) => {
  const uri = freshUri();
  const former = await withEngine(uri, CAPTURED, async (engine) => [await idOf(engine, 'earliest'), await idOf(engine, 'current')]);
  const nodes = [{ labels: [], files: [fileOf(context, 'id:ID(Person)\na\nb\n')] }];
  await importFiles({ store: uri, nodes, relationships: [] });
  await withEngine(uri, CAPTURED, (engine) => assertBeginsAnew(engine, former));
});

test('a follower that has not read the new content yet gives out ids of the former content', async () => {
  const [from, to] = [await backup(), freshUri()];
  // Without a log, the sequence of the new content is that of the former.
  await withEngine(from, { flushIntervalMs: 0 }, (engine) => engine.flush());
  const former = await withEngine(to, CAPTURED, idsOf);
  const held = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<void>();
  let isHeld = false;
  const inner = await storeOf(to);
  // It lists the log to begin again, when it knows the new manifest.
  const parts: EngineParts = {
    decorateStore: () =>
      withFaults(inner, {
        random: () => 0,
        onRequest: async ({ operation, key }) => {
          if (!isHeld || operation !== 'list' || !key.startsWith('wal/')) return null;
          reading.resolve();
          await held.promise;
          return null;
        },
      }),
  };
  const follower = await openEngine(to, { readOnly: true, pollIntervalMs: 1 }, parts);
  assert.deepEqual(await operationsSince(follower, former[0]!), ['cOld']);
  isHeld = true;
  await restore(from, to);
  await reading.promise;
  assert.deepEqual(await ask(follower, 'MATCH (n) RETURN labels(n)[0]'), ['Old'], 'it still serves the former content');
  const meanwhile = await idOf(follower, 'current');
  held.resolve();
  while ((await ask(follower, 'MATCH (n) RETURN count(n)'))[0] !== 4) await new Promise((resolve) => setTimeout(resolve, 2));
  for (const id of [meanwhile, ...former]) await assert.rejects(operationsSince(follower, id), { code: 'GONE' }, id);
  assert.deepEqual(await operationsSince(follower, await idOf(follower, 'current')), []);
  await follower.close();
});
