/**
 * Statements whose work is committed in batches hold relationships from one transaction to the next, while so many are
 * deleted or have new versions that their tables would be rewritten: each is found again, and no other one is changed.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';

const none: ReadonlyMap<string, Value> = new Map();
const COUNT = 6_000;
let stores = 0;

/** Runs the statements over a graph of `COUNT` relationships numbered from 1, and returns the numbers of those left with `x`. */
async function leftBehind(context: TestContext, ...statements: readonly string[]): Promise<[number, unknown][]> {
  const uri = `memory://batched-relationships-${++stores}`;
  let engine = await openEngine(uri);
  context.after(() => engine.close());
  await engine.execute(`CREATE (a:N), (b:N) WITH a, b UNWIND range(1, ${COUNT}) AS i CREATE (a)-[:R {i: i}]->(b)`, none);
  for (const statement of statements) await engine.execute(statement, none);
  const before = await numbers(engine);
  await engine.close();
  engine = await openEngine(uri);
  assert.deepEqual(await numbers(engine), before);
  return before;
}

async function numbers(engine: Engine): Promise<[number, unknown][]> {
  const { rows } = await engine.execute('MATCH ()-[r:R]->() RETURN r.i, r.x ORDER BY r.i', none);
  return rows as [number, unknown][]; // as: both are numbers or null
}

const from = (first: number, x: number | null = null): [number, unknown][] =>
  Array.from({ length: COUNT - first + 1 }, (_, i) => [first + i, x]);

test('all are deleted', async (context) => {
  assert.deepEqual(await leftBehind(context, 'MATCH ()-[r:R]->() CALL (r) { DELETE r } IN TRANSACTIONS'), []);
});

test('some are deleted, and no other one', async (context) => {
  const some = 'MATCH ()-[r:R]->() WITH r ORDER BY r.i LIMIT 3000 CALL (r) { DELETE r } IN TRANSACTIONS OF 700 ROWS';
  assert.deepEqual(await leftBehind(context, some), from(3_001));
});

test('batches that fail keep their relationships, and only those', async (context) => {
  const some =
    'MATCH ()-[r:R]->() WITH r ORDER BY r.i LIMIT 4000 CALL (r) { WITH r, r.i AS i DELETE r RETURN 1 / (i % 1000) AS quotient } ' +
    'IN TRANSACTIONS OF 500 ROWS ON ERROR CONTINUE RETURN count(*)';
  const failed = from(1).filter(([i]) => i > 4_000 || Math.ceil(i / 500) % 2 === 0);
  assert.deepEqual(await leftBehind(context, some), failed);
});

test('some are changed, often enough that their old versions are dropped', async (context) => {
  const set = (x: number): string => `MATCH ()-[r:R]->() WHERE r.i <= ${COUNT} CALL (r) { SET r.x = ${x} } IN TRANSACTIONS OF 500 ROWS`;
  assert.deepEqual(await leftBehind(context, set(1), set(2), set(3)), from(1, 3));
});

test('apoc.periodic.iterate, and what is read behind it', async (context) => {
  const iterate = "CALL apoc.periodic.iterate('MATCH ()-[r:R]->() WHERE r.i <= 3000 RETURN r', 'DELETE r', {batchSize: 500}) YIELD total";
  assert.deepEqual(await leftBehind(context, `${iterate} RETURN total`), from(3_001));
});

test('tables are rewritten again behind the last batch', async (context) => {
  const engine = await openEngine('memory://batched-relationships-rewritten');
  context.after(() => engine.close());
  await engine.execute(`CREATE (a) WITH a UNWIND range(1, ${COUNT}) AS i CREATE (a)-[:R]->(a)`, none);
  await engine.execute('MATCH ()-[r:R]->() WITH r LIMIT 5000 CALL (r) { DELETE r } IN TRANSACTIONS', none);
  await engine.execute('MATCH ()-[r:R]->() WITH r LIMIT 1 DELETE r', none);
  const { rows } = await engine.execute('MATCH ()-[r:R]->() RETURN count(r)', none);
  assert.deepEqual(rows, [[COUNT - 5_001]]);
});
