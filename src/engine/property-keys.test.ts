/** CALL db.propertyKeys(): the keys of nodes and relationships, in memory and in files, and none of statements that failed alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type EngineTransaction, openEngine } from './index.ts';

const NONE = new Map();
let databases = 0;

async function keysOf(target: Pick<Engine | EngineTransaction, 'execute'>): Promise<unknown[]> {
  const { rows } = await target.execute('CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey', NONE);
  return rows.map(([key]) => key).toSorted();
}

async function fails(engine: Engine, query: string): Promise<void> {
  await assert.rejects(engine.execute(query, NONE), { code: 'ARITHMETIC_ERROR' });
}

for (const readWorkers of [0, 1]) {
  test(`keys of statements that failed are not listed, with ${readWorkers} workers`, async (context) => {
    const engine = await openEngine(`memory://property-keys-${++databases}`, { flushIntervalMs: 0, readWorkers });
    context.after(() => engine.close());
    await fails(engine, 'CREATE (:New {first: 1})-[:R {second: 1}]->(:New) RETURN 1 / 0');
    assert.deepEqual(await keysOf(engine), []);
    await engine.execute('CREATE (:N {a: 1})-[:R {b: 2}]->(:M {c: 3})', NONE);
    await fails(engine, 'MATCH (n:N) SET n.lost = 1 RETURN 1 / 0');
    await fails(engine, 'MATCH ()-[r:R]->() SET r.lost = 1, r.b = 3 RETURN 1 / 0');
    await fails(engine, 'CREATE (:N {a: 2, other: 1}) RETURN 1 / 0');
    await engine.execute('MATCH (n:N) WHERE n.asked = 1 RETURN n', NONE);
    assert.deepEqual(await keysOf(engine), ['a', 'b', 'c']);
    const transaction = await engine.begin({ mode: 'write' });
    await transaction.execute('MATCH (n:N) SET n.own = 1 CREATE (:P {fresh: 1})', NONE);
    assert.deepEqual(await keysOf(transaction), ['a', 'b', 'c', 'fresh', 'own']);
    await transaction.rollback();
    assert.deepEqual(await keysOf(engine), ['a', 'b', 'c']);
    await engine.execute('MATCH (n:N) SET n.lost = 1', NONE);
    assert.deepEqual(await keysOf(engine), ['a', 'b', 'c', 'lost']);
  });

  test(`keys in files are listed though nothing is loaded, with ${readWorkers} workers`, async (context) => {
    const uri = `memory://property-keys-${++databases}`;
    const writer = await openEngine(uri, { flushIntervalMs: 0 });
    context.after(() => writer.close());
    await writer.execute('CREATE (:N {a: 1})-[:R {b: 2}]->(:M {c: 3})', NONE);
    await fails(writer, 'CREATE (:N {lost: 1}) RETURN 1 / 0');
    await writer.flush();
    await writer.execute('CREATE (:N {a: 1, late: 1})', NONE);
    const follower = await openEngine(uri, { readOnly: true, readWorkers, pollIntervalMs: 0 });
    context.after(() => follower.close());
    assert.deepEqual(await keysOf(follower), ['a', 'b', 'c', 'late']);
    assert.deepEqual((await follower.execute('MATCH (n:M) RETURN n.c', NONE)).rows, [[3]]);
    assert.deepEqual(await keysOf(follower), ['a', 'b', 'c', 'late']);
    await writer.flush();
    await writer.compact();
    const version = await openEngine(uri, { readOnly: true, readWorkers, version: writer.status().manifestVersion });
    context.after(() => version.close());
    assert.deepEqual(await keysOf(version), ['a', 'b', 'c', 'late']);
    assert.deepEqual(await keysOf(writer), ['a', 'b', 'c', 'late']);
  });
}
