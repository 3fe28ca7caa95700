/** Procedures of APOC that are given statements as texts: `apoc.do.when` and its kin, `apoc.cypher.run`, `apoc.periodic.iterate`. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import type { ResultValue, Value } from '../../src/value/index.ts';

let databases = 0;

async function people(context: TestContext): Promise<Engine> {
  const engine = await openEngine(`memory://nested-statements-${databases++}`);
  context.after(() => engine.close());
  await ask(engine, "CREATE (:P {name: 'a', age: 1}), (:P {name: 'b', age: 2}), (:P {name: 'c', age: 3})");
  return engine;
}

function plain(value: ResultValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

async function ask(engine: Pick<Engine, 'execute'>, query: string, params: Record<string, Value> = {}): Promise<unknown[]> {
  const { rows } = await engine.execute(query, new Map(Object.entries(params)));
  return rows.map((row) => row.map(plain));
}

test('a condition chooses between two statements, whose parameters are variables in them', async (context) => {
  const engine = await people(context);
  const query = `MATCH (n:P) CALL apoc.do.when(n.age > 1, 'SET n.big = true RETURN n.name AS name, $x AS x',
   'RETURN n.age AS age', {n: n, x: 5})
    YIELD value RETURN n.name AS of, value ORDER BY of`;
  assert.deepEqual(await ask(engine, query), [
    ['a', { age: 1 }],
    ['b', { name: 'b', x: 5 }],
    ['c', { name: 'c', x: 5 }],
  ]);
  assert.deepEqual(await ask(engine, 'MATCH (n:P) WHERE n.big RETURN count(*)'), [[2]]);
  const renamed =
    "MATCH (n:P) CALL apoc.when(n.age > 1, 'RETURN n.age AS n', 'RETURN 7 AS n', {n: n}) YIELD value AS v WHERE v.n = 7 RETURN v";
  assert.deepEqual(await ask(engine, renamed), [[{ n: 7 }]]);
  assert.deepEqual(await ask(engine, "CALL apoc.when(null, 'RETURN 1 AS a', 'RETURN 2 AS a')"), [[{ a: 2 }]]);
});

test('an empty statement gives an empty map, one that returns nothing gives no row and has its effect', async (context) => {
  const engine = await people(context);
  const query = "MATCH (n:P) CALL apoc.do.when(n.age > 1, 'SET n.huge = true', '', {n: n}) YIELD value RETURN n.name, value";
  assert.deepEqual(await ask(engine, query), [['a', {}]]);
  assert.deepEqual(await ask(engine, 'MATCH (n:P) WHERE n.huge RETURN count(*)'), [[2]]);
});

test('the first condition that is true chooses among several statements', async (context) => {
  const engine = await people(context);
  const query =
    `MATCH (n:P) CALL apoc.case([n.age = 1, "RETURN 'one' AS r", n.age < 3, 'RETURN "two" AS r'], 'RETURN "more" AS ` +
    `r') YIELD value RETURN value.r`;
  assert.deepEqual(await ask(engine, query), [['one'], ['two'], ['more']]);
  assert.deepEqual(
    await ask(engine, "CALL apoc.do.case([false, 'CREATE (:X)', true, 'CREATE (x:T {y: 1}) RETURN x.y AS y']) YIELD value RETURN value"),
    [[{ y: 1 }]],
  );
  assert.deepEqual(await ask(engine, 'MATCH (n) WHERE n:X OR n:T RETURN labels(n)'), [[['T']]]);
});

test('a statement runs for each row, with its own order, limit, aggregates and UNION', async (context) => {
  const engine = await people(context);
  const run =
    'CALL apoc.cypher.run("MATCH (n:P) WHERE n.age >= $least RETURN n.name AS name ORDER BY name DESC LIMIT 1", {least: $p}) ' +
    'YIELD value RETURN value.name';
  assert.deepEqual(await ask(engine, run, { p: 2 }), [['c']]);
  const counts = 'MATCH (n:P) CALL apoc.cypher.run("MATCH (n)-->(m) RETURN count(m)", {n: n}) YIELD value RETURN value';
  assert.deepEqual(await ask(engine, counts), [[{ 'count(m)': 0 }], [{ 'count(m)': 0 }], [{ 'count(m)': 0 }]]);
  const union = 'CALL apoc.cypher.run("RETURN 1 AS a UNION RETURN 1 AS a", {})';
  assert.deepEqual(await ask(engine, union), [[{ a: 1 }]]);
  assert.deepEqual(await ask(engine, 'CALL apoc.cypher.doIt("CREATE (n:Q {x: $x}) RETURN n.x AS x", {x: 3})'), [[{ x: 3 }]]);
});

test('batches are committed one by one, and those that fail are told', async (context) => {
  const engine = await people(context);
  const all = await engine.execute(
    'CALL apoc.periodic.iterate("MATCH (n:P) RETURN n", "SET n.done = true", {batchSize: 2, parallel: true})',
    new Map(),
  );
  const [row] = all.rows.map((values) => Object.fromEntries(all.columns.map((column, i) => [column, plain(values[i]!)])));
  assert.deepEqual(
    { ...row, timeTaken: 0 },
    {
      batches: 2,
      total: 3,
      timeTaken: 0,
      committedOperations: 3,
      failedOperations: 0,
      failedBatches: 0,
      retries: 0,
      errorMessages: {},
      batch: { total: 2, committed: 2, failed: 0, errors: {} },
      operations: { total: 3, committed: 3, failed: 0, errors: {} },
      wasTerminated: false,
    },
  );
  const failing = `CALL apoc.periodic.iterate("MATCH (n:P) RETURN n.age AS age", "CREATE (:R {age: 1 / (age - 2)}) RETURN 1",
   {batchSize: 1})
    YIELD batches, failedBatches, failedOperations AS operations, errorMessages RETURN batches, failedBatches, operations, errorMessages`;
  assert.deepEqual(await ask(engine, failing), [[3, 1, 1, { 'division by zero': 1 }]]);
  assert.deepEqual(await ask(engine, 'MATCH (n:R) RETURN count(*)'), [[2]]);
});

test('batches take parameters, and are rows of the transaction where the caller has one', async (context) => {
  const engine = await people(context);
  const merge =
    'CALL apoc.periodic.iterate("UNWIND $rows AS row RETURN row", "MERGE (:S {id: $row})", {params: {rows: $rows}, batchSize: ' +
    '$size}) YIELD total';
  assert.deepEqual(await ask(engine, merge, { rows: [1, 2, 3], size: 2 }), [[3]]);
  const transaction = await engine.begin({ mode: 'write' });
  const remove =
    'CALL apoc.periodic.iterate("MATCH (s:S) RETURN s", "DETACH DELETE s", {batchSize: 1}) YIELD batches, total RETURN batches, total';
  assert.deepEqual((await transaction.execute(remove, new Map())).rows, [[3, 3]]);
  await transaction.rollback();
  assert.deepEqual(await ask(engine, 'MATCH (s:S) RETURN count(*)'), [[3]]);
});

test('what cannot be planned is refused where it stands', async (context) => {
  const engine = await people(context);
  const refused: [string, string, RegExp][] = [
    ['CALL apoc.cypher.run("MATC (n)", {})', 'SYNTAX_ERROR', /in the statement that apoc\.cypher\.run is given: unexpected 'MATC'/],
    ['CALL apoc.cypher.run("CREATE (n:P) RETURN n", {})', 'SYNTAX_ERROR', /reads; apoc\.do\.when/],
    ['CALL apoc.cypher.run("SHOW INDEXES", {})', 'SYNTAX_ERROR', /it is no query/],
    ['CALL apoc.cypher.run("MATCH (n) RETURN *", {})', 'SYNTAX_ERROR', /names what it returns/],
    ['CALL apoc.cypher.run($text, {})', 'UNSUPPORTED', /as literals/],
    ['CALL apoc.cypher.run("RETURN 1 AS a", {}) YIELD row RETURN row', 'SEMANTIC_ERROR', /yields no `row`; it yields value/],
    ['MATCH (n) CALL apoc.periodic.iterate("RETURN 1 AS a", "CREATE (:A)") YIELD total RETURN total', 'SYNTAX_ERROR', /at the beginning/],
  ];
  for (const [query, code, message] of refused) await assert.rejects(ask(engine, query, { text: 'RETURN 1' }), { code, message }, query);
});
