/** Names that only statements which failed have used: they take no memory, and whoever uses them again finds them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../value/index.ts';
import { type Engine, openEngine } from './index.ts';

const NONE: ReadonlyMap<string, Value> = new Map();

async function fails(engine: Engine, query: string, params: ReadonlyMap<string, Value> = NONE): Promise<void> {
  await assert.rejects(engine.execute(query, params), { code: 'ARITHMETIC_ERROR' });
}

async function valueOf(engine: Engine, query: string): Promise<unknown> {
  return (await engine.execute(query, NONE)).rows[0]![0]!;
}

const LABELS = 'MATCH (n) UNWIND labels(n) AS l RETURN count(l)';

test('a statement that failed and is sent again creates what its text says', async () => {
  await using engine = disposable(await openEngine('memory://forgotten-again', { flushIntervalMs: 0 }));
  const create = 'CREATE (:Foo {x: 1})-[:BAR {y: 2}]->(:Foo {x: 3}) RETURN 1 / $zero';
  const params = (zero: number) => new Map<string, Value>([['zero', zero]]);
  for (let round = 0; round < 3; round++) await fails(engine, create, params(0));
  assert.equal(await valueOf(engine, 'MATCH (n:Foo) RETURN count(n.x)'), 0);
  await engine.execute(create, params(1));
  assert.equal(await valueOf(engine, 'MATCH (n:Foo) RETURN count(n.x)'), 2);
  assert.deepEqual(await valueOf(engine, 'MATCH (:Foo)-[r:BAR]->() RETURN r.y'), 2);
  await engine.flush();
  await engine.close();
  await using again = disposable(await openEngine('memory://forgotten-again', { readOnly: true }));
  assert.deepEqual(await valueOf(again, 'MATCH (a:Foo)-[r:BAR]->(b) RETURN [a.x, r.y, b.x]'), [1, 2, 3]);
});

test('batches after one that was rolled back create and read the names that it was the first to use', async () => {
  await using engine = disposable(await openEngine('memory://forgotten-batches', { flushIntervalMs: 0 }));
  const inBatches =
    'UNWIND [0, 1, 2, 0, 4] AS i CALL (i) { CREATE (n:Foo {x: i}) SET n["dyn"] = i WITH n, i SET n.y = properties(n).dyn + 1 WITH n, i ' +
    'RETURN n["dyn"] + n.x AS sum, 1 / i AS one } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE RETURN collect(sum)';
  assert.deepEqual(await valueOf(engine, inBatches), [2, 4, 8]);
  assert.deepEqual(await valueOf(engine, 'MATCH (n:Foo) WITH n ORDER BY n.x RETURN collect([n.x, n.dyn, n.y])'), [
    [1, 1, 2],
    [2, 2, 3],
    [4, 4, 5],
  ]);
  await fails(engine, 'CREATE (:Other {other: 1}) RETURN 1 / 0');
  assert.equal(await valueOf(engine, LABELS), 3);
  assert.deepEqual(await valueOf(engine, 'CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey)'), ['x', 'dyn', 'y']);
});

test('workers follow names that were forgotten and used again', async () => {
  await using engine = disposable(await openEngine('memory://forgotten-workers', { flushIntervalMs: 0, readWorkers: 1 }));
  await engine.execute('UNWIND range(1, 20000) AS i CREATE (:N {i: i})', NONE);
  const heavy = 'MATCH (n:N), (f:Foo) WHERE n.i % 7 = f.x RETURN count(*)';
  for (let round = 0; round < 3; round++) {
    await fails(engine, 'CREATE (:Foo {x: 1}) RETURN 1 / 0');
    assert.equal(await valueOf(engine, heavy), 0);
  }
  await engine.execute('CREATE (:Bar {z: 1})', NONE);
  await engine.execute('CREATE (:Foo {x: 1})', NONE);
  for (let round = 0; round < 3; round++) assert.equal(await valueOf(engine, heavy), 2_858);
});

function disposable(engine: Engine): Engine & AsyncDisposable {
  return Object.assign(engine, { [Symbol.asyncDispose]: () => engine.close() });
}
