/** `vector()` with a dimension and coordinates, `vector_distance`, `vector_norm`, and the type VECTOR<FLOAT32>(n). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { CypherFloat, type ResultValue } from '../../src/value/index.ts';

let databases = 0;

async function opened(context: TestContext): Promise<Engine> {
  const engine = await openEngine(`memory://vector-types-${databases++}`);
  context.after(() => engine.close());
  return engine;
}

function plain(value: ResultValue): unknown {
  if (value instanceof CypherFloat) return value.value;
  return value instanceof Float32Array || Array.isArray(value) ? Array.from<ResultValue, unknown>(value, plain) : value;
}

async function one(engine: Engine, query: string): Promise<unknown> {
  const { rows } = await engine.execute(query, new Map());
  return plain(rows[0]![0]!);
}

test('a vector has a dimension and coordinates, which are words', async (context) => {
  const engine = await opened(context);
  for (const type of ['FLOAT32', 'float32', 'FLOAT64', 'FLOAT', 'INTEGER8', 'INT16', 'INTEGER32', 'INTEGER', "'FLOAT32'"])
    assert.deepEqual(await one(engine, `RETURN vector([1, 2, 3], 3, ${type})`), [1, 2, 3], type);
  assert.deepEqual(await one(engine, "RETURN vector('[1, 2.5]', 2, FLOAT32)"), [1, 2.5]);
  assert.deepEqual(await one(engine, 'RETURN vector([1.7, -1.7], 2, INTEGER16)'), [1, -1]);
  assert.equal(await one(engine, 'RETURN vector(null, 2, FLOAT32)'), null);
  const refused: [string, string][] = [
    ['vector([1, 2, 3], 2, FLOAT32)', 'ARGUMENT_ERROR'],
    ['vector([300], 1, INTEGER8)', 'ARGUMENT_ERROR'],
    ["vector([1], 1, 'FLOAT16')", 'ARGUMENT_ERROR'],
    ["vector('1, 2', 2, FLOAT32)", 'ARGUMENT_ERROR'],
    ['vector([1], 1, FLOAT16)', 'SEMANTIC_ERROR'],
  ];
  for (const [expression, code] of refused) await assert.rejects(one(engine, `RETURN ${expression}`), { code }, expression);
});

test('distances and norms by each metric', async (context) => {
  const engine = await opened(context);
  const distances: [string, number | null][] = [
    ['vector_distance([1, 2], [4, 6], EUCLIDEAN)', 5],
    ['vector_distance(vector([1, 2], 2, FLOAT32), vector([4, 6], 2, FLOAT32), EUCLIDEAN_SQUARED)', 25],
    ['vector_distance([1, 2], [2, 4], MANHATTAN)', 3],
    ['vector_distance([1, 0], [0, 1], COSINE)', 1],
    ['vector_distance([0, 0], [0, 1], COSINE)', null],
    ['vector_distance([1, 2], [1, 4], DOT)', -9],
    ['vector_distance([1, 2], [1, 4], hamming)', 1],
    ['vector_norm([3, -4], EUCLIDEAN)', 5],
    ['vector_norm([3, -4], MANHATTAN)', 7],
    ['vector_dimension_count(vector([1, 2], 2, FLOAT32))', 2],
    ['vector_distance(null, [1], DOT)', null],
  ];
  for (const [expression, answer] of distances) assert.equal(await one(engine, `RETURN ${expression}`), answer, expression);
  await assert.rejects(one(engine, 'RETURN vector_distance([1], [1, 2], DOT)'), { code: 'ARGUMENT_ERROR' });
  await assert.rejects(one(engine, "RETURN vector_norm([1], 'COSINE')"), { code: 'ARGUMENT_ERROR', message: /EUCLIDEAN, MANHATTAN/ });
});

test('the type of vectors is asked for, told, and held by constraints', async (context) => {
  const engine = await opened(context);
  const made = 'WITH vector([1, 2, 3], 3, FLOAT32) AS v RETURN';
  assert.equal(await one(engine, `${made} valueType(v)`), 'VECTOR<FLOAT32>(3) NOT NULL');
  for (const type of [
    'VECTOR',
    'VECTOR<FLOAT32>',
    'VECTOR<FLOAT32 NOT NULL>(3)',
    'VECTOR(3)',
    'VECTOR<FLOAT32>(3) NOT NULL',
    'LIST<VECTOR(3)> | VECTOR(3)',
  ])
    assert.equal(await one(engine, `${made} v IS :: ${type}`), true, type);
  for (const type of ['VECTOR(2)', 'VECTOR<FLOAT64>(3)']) assert.equal(await one(engine, `${made} v IS :: ${type}`), false, type);
  await assert.rejects(one(engine, `${made} v IS :: VECTOR<STRING>(3)`), { code: 'SYNTAX_ERROR', message: /FLOAT32/ });
  await assert.rejects(one(engine, `${made} v IS :: VECTOR(0)`), { code: 'SYNTAX_ERROR', message: /from 1 to 4096/ });
  const run = (query: string) => engine.execute(query, new Map());
  await run('CREATE CONSTRAINT typed FOR (n:V) REQUIRE n.e IS :: VECTOR<FLOAT32>(3)');
  await run('CREATE (:V {e: vector([1, 2, 3], 3, FLOAT32)})');
  await assert.rejects(run('CREATE (:V {e: vector([1, 2], 2, FLOAT32)})'), { code: 'CONSTRAINT_VIOLATION' });
  assert.equal(await one(engine, 'SHOW CONSTRAINTS YIELD propertyType'), 'VECTOR<FLOAT32>(3)');
});
