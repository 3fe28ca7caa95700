/**
 * Variables, columns and parameters may have any name between backticks: those that the planner and the code generator
 * use for something of their own are none of the user's.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';

const none: ReadonlyMap<string, Value> = new Map();
const COUNT = 20_000;

/** Opens an engine whose aggregations and sorts are split between two threads. */
async function opened(context: TestContext, name: string): Promise<Engine> {
  const engine = await openEngine(`memory://names-of-users-${name}`, { readWorkers: 2 });
  context.after(() => engine.close());
  return engine;
}

/** Returns the rows of a query, all of whose values are numbers. */
async function numbers(engine: Engine, query: string): Promise<number[][]> {
  return (await engine.execute(query, none)).rows.map((row) => row.map(Number));
}

test('the count of rows that a row stands for, and settled values', async (context) => {
  const engine = await opened(context, 'multiplicity');
  await engine.execute('UNWIND range(0, 5) AS i CREATE (:N {i: i})', none);
  await engine.execute('MATCH (a:N), (b:N) WHERE a.i < b.i CREATE (a)-[:R]->(b)', none);
  for (const pattern of ['(a)-[:R]->(b)-[:R]->(c), (a)-[:R]->(c)', '(a)-[:R]->(b)-[:R]->(c)', '(a)-[:R]->(b)']) {
    for (const name of ['x', ' multiplicity', ' settled 0']) {
      const { rows } = await engine.execute(`UNWIND [0] AS \`${name}\` MATCH ${pattern} WHERE \`${name}\` = 0 RETURN count(*)`, none);
      assert.deepEqual(rows, [[pattern === '(a)-[:R]->(b)' ? 15 : 20]], name);
    }
  }
});

test('the number of values of a mean that threads share', async (context) => {
  const engine = await opened(context, 'mean');
  await engine.execute(`UNWIND range(1, ${COUNT}) AS i CREATE (:A {v: i, g: i % 2})`, none);
  const whole = 'MATCH (n:A) WHERE n.v + n.g > 0 WITH avg(n.v + n.g) AS x, sum(n.v) AS `x count` RETURN toInteger(x), `x count`';
  assert.deepEqual(await numbers(engine, whole), [[10_001, 200_010_000]]);
  const groups = 'MATCH (n:A) WHERE n.v + n.g > 0 WITH n.g AS `x count`, avg(n.v) AS x RETURN `x count`, toInteger(x) ORDER BY `x count`';
  assert.deepEqual(await numbers(engine, groups), [
    [0, 10_001],
    [1, 10_000],
  ]);
});

test('the rows of the parts of a statement', async (context) => {
  const engine = await opened(context, 'parameter');
  await engine.execute(`UNWIND range(1, ${COUNT}) AS i CREATE (:A {v: i})`, none);
  const { rows } = await engine.execute('MATCH (n:A) RETURN sum(n.v) + $` rows of parts`', new Map([[' rows of parts', 5]]));
  assert.deepEqual(rows, [[200_010_005]]);
});

test('generated names, and those of local variables, by which expressions are told apart', async (context) => {
  const engine = await opened(context, 'generated');
  await engine.execute('CREATE (a)-[:R]->(b)-[:S]->(c), (c)-[:R]->(d)-[:R]->(e)', none);
  const sums = 'RETURN sum(COUNT { (`#a`)-[:R]->() }) AS x, sum(COUNT { (`#b`)-[:R]->() }) AS y';
  assert.deepEqual((await engine.execute(`MATCH (\`#a\`)-->(\`#b\`) ${sums}`, none)).rows, [[3, 2]]);
  const { rows } = await engine.execute(
    'UNWIND [1, 2] AS `~0` RETURN sum(size([q IN [1, 2, 3] WHERE q = `~0`])) AS a, sum(size([q IN [1, 2, 3] WHERE q = q])) AS b',
    none,
  );
  assert.deepEqual(rows, [[2, 6]]);
});

test('SKIP and LIMIT behind ORDER BY may be as large as an Integer is', async (context) => {
  const engine = await opened(context, 'limit');
  for (const limit of ['$n', '9223372036854775807', 'toInteger("9223372036854775807")']) {
    const { rows } = await engine.execute(`UNWIND [1, 2] AS x RETURN x ORDER BY x SKIP 1 LIMIT ${limit}`, new Map([['n', 2n ** 63n - 1n]]));
    assert.deepEqual(rows, [[2]], limit);
  }
});
