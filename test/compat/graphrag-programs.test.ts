/**
 * Answers that the tests of langchain-neo4j and neo4j-graphrag depend on, beside the rows: codes of errors over Bolt,
 * the order of keys, the order of definitions.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import type { Value } from '../../src/value/index.ts';

let databases = 0;

async function opened(context: TestContext): Promise<Engine> {
  const engine = await openEngine(`memory://graphrag-programs-${databases++}`);
  context.after(() => engine.close());
  return engine;
}

const ask = (engine: Engine, query: string, params: Record<string, Value> = {}) => engine.execute(query, new Map(Object.entries(params)));

test('dropping what is not there is a fault of the database, which Neo4jVector expects', async (context) => {
  const engine = await opened(context);
  await assert.rejects(ask(engine, 'DROP INDEX vector'), {
    code: 'ENTITY_NOT_FOUND',
    neo4jCode: 'Neo.DatabaseError.Schema.IndexDropFailed',
  });
  await assert.rejects(ask(engine, 'DROP CONSTRAINT one'), { neo4jCode: 'Neo.DatabaseError.Schema.ConstraintDropFailed' });
  await ask(engine, 'DROP INDEX $name IF EXISTS', { name: 'vector' });
  await ask(engine, 'DROP CONSTRAINT $name IF EXISTS', { name: 'one' });
});

test('batches in a transaction are refused in the words by which clients try again outside of one', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'write' });
  await assert.rejects(
    transaction.execute('UNWIND [1] AS row CALL (row) { MERGE (:A {id: row}) } IN TRANSACTIONS OF 1000 ROWS', new Map()),
    {
      neo4jCode: 'Neo.DatabaseError.Transaction.TransactionStartFailed',
      message: /can only be executed in an implicit transaction, but tried to execute in an explicit transaction/,
    },
  );
});

test('what a projection names comes before the other properties', async (context) => {
  const engine = await opened(context);
  await ask(engine, "CREATE (:Document {id: 'a', vectorProperty: [1.0], text: 'b'})");
  const { rows } = await ask(
    engine,
    'MATCH (node:Document) RETURN node {.*, `vectorProperty`: null} AS node, node {.*, id: 1, .id} AS again',
  );
  assert.deepEqual(
    rows[0]!.map((map) => [...(map as ReadonlyMap<string, unknown>).keys()]),
    [
      ['vectorProperty', 'id', 'text'],
      ['id', 'vectorProperty', 'text'],
    ],
  );
  assert.deepEqual((await ask(engine, 'OPTIONAL MATCH (n:Nothing) RETURN n {.*, a: 1} AS map')).rows, [[null]]);
});

test('apoc.schema.nodes lists constraints and then indexes, by label', async (context) => {
  const engine = await opened(context);
  await ask(engine, 'CREATE INDEX z FOR (n:__KGBuilder__) ON (n.id)');
  await ask(engine, 'CREATE INDEX y FOR (n:LabelA) ON (n.property_a)');
  await ask(engine, 'CREATE CONSTRAINT x FOR (n:Z) REQUIRE n.id IS UNIQUE');
  await ask(engine, 'CREATE CONSTRAINT w FOR (n:B) REQUIRE n.id IS UNIQUE');
  const { rows } = await ask(engine, 'CALL apoc.schema.nodes() YIELD label, type RETURN label, type');
  assert.deepEqual(rows, [
    ['B', 'UNIQUENESS'],
    ['Z', 'UNIQUENESS'],
    ['LabelA', 'RANGE'],
    ['__KGBuilder__', 'RANGE'],
  ]);
});

test('apoc.schema.nodes tells the kinds of indexes apart, and how many values those of properties have', async (context) => {
  const engine = await opened(context);
  await ask(engine, "UNWIND ['x', 'x', 'y', 'z'] AS v CREATE (:T {v: v, p: point({x: 1, y: 2})})");
  await ask(engine, 'CREATE TEXT INDEX FOR (n:T) ON (n.v)');
  await ask(engine, 'CREATE RANGE INDEX FOR (n:T) ON (n.v)');
  await ask(engine, 'CREATE POINT INDEX FOR (n:T) ON (n.p)');
  await ask(engine, 'CREATE VECTOR INDEX FOR (n:T) ON (n.w)');
  await ask(engine, 'CREATE FULLTEXT INDEX FOR (n:T) ON EACH [n.v]');
  const query = 'CALL apoc.schema.nodes() YIELD name, type, valuesSelectivity RETURN type, name, toString(valuesSelectivity) ORDER BY type';
  assert.deepEqual((await ask(engine, query)).rows, [
    ['FULLTEXT', ':T(v)', '1.0'],
    ['POINT', ':T(p)', '0.25'],
    ['RANGE', ':T(v)', '0.75'],
    ['TEXT', ':T(v)', '0.75'],
    ['VECTOR', ':T(w)', '1.0'],
  ]);
});
