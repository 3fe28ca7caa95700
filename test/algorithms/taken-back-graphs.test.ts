/** Graphs projected from changes that are taken back leave the catalog with them, and others do not see them before. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, type EngineParts, type EngineTransaction, openEngine } from '../../src/engine/index.ts';
import { withFaults } from '../../src/object-store/index.ts';
import { literalText } from '../../src/value/index.ts';

const NONE = new Map();
const PROJECT = "CALL gds.graph.project('tx', 'D', 'E') YIELD nodeCount";
const PAIR = 'CREATE (:D {i: 1})-[:E]->(:D {i: 2})';
const NO_GRAPH = { code: 'ARGUMENT_ERROR', message: /does not exist/ } as const;
let engines = 0;

async function opened(context: TestContext, parts: EngineParts = {}): Promise<Engine> {
  const engine = await openEngine(`memory://taken-back-${engines++}`, { flushIntervalMs: 0 }, parts);
  context.after(() => engine.close());
  return engine;
}

async function answer(asked: Engine | EngineTransaction, query: string): Promise<string[]> {
  return (await asked.execute(query, NONE)).rows.map((row) => row.map(literalText).join(' | '));
}

const graphsOf = (asked: Engine | EngineTransaction): Promise<string[]> =>
  answer(asked, 'CALL gds.graph.list() YIELD graphName, nodeCount RETURN graphName, nodeCount');

/** The ordinals of lost nodes are given to others, which nothing may write to in their stead. */
async function assertLost(engine: Engine): Promise<void> {
  assert.deepEqual(await graphsOf(engine), []);
  await engine.execute('CREATE (:F {i: 1}), (:F {i: 2}), (:F {i: 3})', NONE);
  await assert.rejects(engine.execute("CALL gds.degree.write('tx', {writeProperty: 'deg'})", NONE), NO_GRAPH);
  assert.deepEqual(await answer(engine, 'MATCH (n) WHERE n.deg IS NOT NULL RETURN n'), []);
}

for (const [form, statement] of Object.entries({
  procedure: `${PAIR} WITH count(*) AS c ${PROJECT} RETURN nodeCount / (nodeCount - 2)`,
  aggregate:
    "CREATE (a:D)-[:E]->(b:D) WITH gds.graph.project('tx', a, b).nodeCount AS nodeCount MERGE (:D {i: nodeCount / (nodeCount - 2)})",
  filter: `${PAIR} WITH count(*) AS c ${PROJECT} CALL gds.graph.filter('f', 'tx', '*', '*') YIELD nodeCount AS n RETURN n / (n - 2)`,
}))
  test(`a statement that fails leaves no graph that it has projected: ${form}`, async (context) => {
    const engine = await opened(context);
    await assert.rejects(engine.execute(statement, NONE), { code: 'ARITHMETIC_ERROR' });
    await assertLost(engine);
  });

test('a transaction that is rolled back leaves no graph of its changes, and keeps those made before them', async (context) => {
  const engine = await opened(context);
  await engine.execute('CREATE (:Old)', NONE);
  const transaction = await engine.begin({ mode: 'write' });
  await transaction.execute("CALL gds.graph.project('old', 'Old', '*')", NONE);
  await transaction.execute(PAIR, NONE);
  await transaction.execute(PROJECT, NONE);
  assert.deepEqual(await graphsOf(transaction), ["'old' | 1", "'tx' | 2"]);
  await transaction.rollback();
  await engine.execute("CALL gds.graph.drop('old')", NONE);
  await assertLost(engine);
});

test('a transaction whose constraints fail at the commit leaves no graph', async (context) => {
  const engine = await opened(context);
  await engine.execute('CREATE CONSTRAINT FOR (d:D) REQUIRE d.must IS NOT NULL', NONE);
  const transaction = await engine.begin({ mode: 'write' });
  await transaction.execute(PAIR, NONE);
  await transaction.execute(PROJECT, NONE);
  await assert.rejects(transaction.commit(), { code: 'CONSTRAINT_VIOLATION' });
  await assertLost(engine);
});

test('a batch that is rolled back leaves no graph, and the batches beside it keep theirs', async (context) => {
  const engine = await opened(context);
  await engine.execute(
    `UNWIND [1, 2, 3] AS i CALL (i) {
       CREATE (:D {i: i}) WITH i CALL gds.graph.project('g' + i, 'D', '*') YIELD nodeCount
       WITH i, 1 / (i - 2) AS fails CREATE (:Done)
     } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE`,
    NONE,
  );
  assert.deepEqual(await graphsOf(engine), ["'g1' | 1", "'g3' | 2"]);
});

test('others see a graph of changes once these are durable', async (context) => {
  const engine = await opened(context);
  const transaction = await engine.begin({ mode: 'write' });
  await transaction.execute(PAIR, NONE);
  await transaction.execute(PROJECT, NONE);
  assert.deepEqual(await graphsOf(engine), []);
  assert.deepEqual(await answer(engine, "RETURN gds.graph.exists('tx')"), ['false']);
  await assert.rejects(engine.execute("CALL gds.graph.filter('f', 'tx', '*', '*')", NONE), NO_GRAPH);
  await assert.rejects(engine.execute("CALL gds.graph.project('tx', '*', '*')", NONE), { message: /already exists/ });
  await transaction.commit();
  assert.deepEqual(await graphsOf(engine), ["'tx' | 2"]);
  assert.deepEqual(await answer(engine, "CALL gds.degree.write('tx', {writeProperty: 'd'}) YIELD nodePropertiesWritten RETURN *"), ['2']);
});

test('a commit that the log refuses leaves no graph, nor do transactions that build on it', async (context) => {
  let refuses = false;
  const sleep = async (): Promise<void> => {};
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const engine = await opened(context, {
    decorateStore: (store) =>
      withFaults(store, {
        random: () => 0,
        clock: { now: () => 0, sleep },
        onRequest: async ({ operation, key }) => {
          if (!refuses || operation !== 'putIfAbsent' || !key.startsWith('wal/')) return null;
          reached.resolve();
          await gate.promise;
          return 'refused';
        },
      }),
  });
  refuses = true;
  const first = assert.rejects(engine.execute(`${PAIR} WITH count(*) AS c ${PROJECT} RETURN nodeCount`, NONE));
  await reached.promise;
  const second = await engine.begin({ mode: 'write' });
  await second.execute("CALL gds.graph.project('before', 'D', '*')", NONE);
  gate.resolve();
  await first;
  await second.execute("CALL gds.graph.project('after', 'D', '*')", NONE);
  await assert.rejects(second.commit());
  refuses = false;
  await assertLost(engine);
});
