/**
 * A flush writes nothing of tables that have lost all of their rows. Their files leave the manifest, and whoever reads
 * it finds the same as from tombstones.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intercept, type ObjectStore } from '../object-store/index.ts';
import type { Namespace } from '../storage/index.ts';
import type { Engine } from './api.ts';
import { openEngine } from './open.ts';

const ROWS = 30_000;
const OPTIONS = { flushIntervalMs: 0, pollIntervalMs: 0, graceMs: 3_600_000 };

async function run(engine: Engine, query: string): Promise<unknown> {
  return (await engine.execute(query, new Map())).rows[0]?.[0];
}

const COUNT = 'MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) + count(r)';

async function filled(uri: string): Promise<Engine> {
  const engine = await openEngine(uri, OPTIONS, { sstCache: null });
  await run(engine, 'CREATE CONSTRAINT FOR (a:A) REQUIRE a.id IS UNIQUE');
  await run(engine, `UNWIND range(1, ${ROWS}) AS i CREATE (:A {id: i})-[:R {w: i}]->(:B {id: -i})`);
  await engine.flush();
  return engine;
}

test('DETACH DELETE of everything: the flush writes no file, and nothing is left', async () => {
  const uri = 'memory://emptied-all';
  const writer = await filled(uri);
  const version = writer.status().manifestVersion;
  const follower = await openEngine(uri, { ...OPTIONS, readOnly: true, pollIntervalMs: 5 }, { sstCache: null });
  assert.equal(await run(follower, COUNT), 3 * ROWS);
  await run(writer, 'MATCH (n) DETACH DELETE n');
  const { sstsWritten } = await writer.flush();
  assert.equal(sstsWritten, 0);
  assert.equal(await run(writer, COUNT), 0);
  await run(writer, 'CREATE (:A {id: 1})-[:R {w: 1}]->(:B {id: -1})');
  await follower.reach(writer.status().sequence, { timeoutMs: 20_000 });
  assert.equal(await run(follower, COUNT), 3);
  assert.equal((await writer.flush()).sstsWritten, 3);
  const again = await openEngine(uri, { ...OPTIONS, readOnly: true }, { sstCache: null });
  assert.equal(await run(again, COUNT), 3);
  assert.equal(await run(again, 'MATCH (a:A {id: 1})-[r:R]->(b) RETURN b.id + r.w'), 0);
  const former = await openEngine(uri, { ...OPTIONS, version }, { sstCache: null });
  assert.equal(await run(former, COUNT), 3 * ROWS, 'the version before has its files');
  for (const engine of [follower, again, former, writer]) await engine.close();
});

test('one type and one label lose all rows: their files leave, others stay; a reader that began before goes on', async () => {
  const uri = 'memory://emptied-some';
  const writer = await filled(uri);
  const reader = await writer.begin({ mode: 'read' });
  await run(writer, 'MATCH ()-[r:R]->() DELETE r');
  await run(writer, 'MATCH (b:B) DELETE b');
  await run(writer, 'CREATE (:C)');
  assert.equal((await writer.flush()).sstsWritten, 1, 'C alone');
  const { rows } = await reader.execute('MATCH (a:A)-[r:R]->(b:B) RETURN sum(r.w + b.id), count(*)', new Map());
  assert.deepEqual(rows, [[0, ROWS]]);
  await reader.rollback();
  await writer.compact();
  const again = await openEngine(uri, { ...OPTIONS, readOnly: true }, { sstCache: null });
  assert.equal(await run(again, COUNT), ROWS + 1);
  assert.equal(await run(again, 'MATCH (a:A) RETURN sum(a.id)'), (ROWS * (ROWS + 1)) / 2);
  await again.close();
  await writer.close();
});

test('nodes that leave a label set for another take their rows along', async () => {
  const uri = 'memory://emptied-moved';
  const writer = await filled(uri);
  await run(writer, 'MATCH (b:B) SET b:D REMOVE b:B');
  await writer.flush();
  const again = await openEngine(uri, { ...OPTIONS, readOnly: true }, { sstCache: null });
  for (const engine of [writer, again]) {
    assert.equal(await run(engine, COUNT), 3 * ROWS);
    assert.equal(await run(engine, 'MATCH (d:D) RETURN sum(d.id)'), (-ROWS * (ROWS + 1)) / 2);
    await engine.close();
  }
});

test('files that are merged while they are about to leave: what takes their place leaves', async () => {
  const uri = 'memory://emptied-merged';
  const { promise: isMerged, resolve: merged } = Promise.withResolvers<void>();
  let waits = false;
  const hold = (store: ObjectStore): ObjectStore =>
    intercept(store, async ({ operation, key }, proceed) => {
      // The first file of the flush waits for the merge.
      if (waits && operation === 'putIfAbsent' && key.endsWith('.arrow')) {
        waits = false;
        await isMerged;
      }
      return proceed();
    });
  const writer = await openEngine(uri, OPTIONS, { sstCache: null, decorateStore: hold });
  for (const from of [1, 101]) {
    await run(writer, `UNWIND range(${from}, ${from + 99}) AS i CREATE (:A {id: i})`);
    await writer.flush();
  }
  await run(writer, 'MATCH (a:A) DELETE a');
  await run(writer, 'CREATE (:C)');
  waits = true;
  const flushing = writer.flush();
  while (waits) await new Promise(setImmediate);
  // As maintenance does beside a flush; `compact` would wait for it.
  const { namespace } = writer as unknown as { readonly namespace: Namespace };
  const { tablesMerged } = await namespace.compact({ everything: true });
  merged();
  const { sstsWritten } = await flushing;
  assert.deepEqual([tablesMerged, sstsWritten], [1, 1]);
  await writer.close();
  const again = await openEngine(uri, { ...OPTIONS, readOnly: true }, { sstCache: null });
  assert.deepEqual([await run(again, 'MATCH (n) RETURN count(n)'), await run(again, 'MATCH (n:C) RETURN count(n)')], [1, 1]);
  await again.close();
});
