/** Which statements open a store for reading, which fences no writer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opensForReading } from './read-intent.ts';

const STORE = 'file:///data?ns=g';

const READING = [
  'MATCH (n) RETURN n',
  'EXPLAIN CREATE (n)',
  'SHOW INDEXES',
  'CALL db.labels()',
  "CALL apoc.cypher.run('MATCH (n) RETURN n', {}) YIELD value RETURN value",
  "CALL apoc.when(true, 'RETURN 1 AS x', 'RETURN 2 AS x') YIELD value RETURN value",
  "CALL gds.pageRank.stream('g') YIELD score RETURN score",
];

const WRITING = [
  'CREATE (n)',
  'PROFILE CREATE (n)',
  'MATCH (n) CALL (n) { SET n.a = 1 } RETURN n',
  'FOREACH (i IN [1] | CREATE ())',
  'CREATE INDEX FOR (n:A) ON (n.a)',
  'MATCH (n) CALL (n) { RETURN 1 AS x } IN TRANSACTIONS RETURN x',
  "CALL apoc.create.node(['Zed'], {a: 1}) YIELD node RETURN node",
  "CALL apoc.merge.node(['Zed'], {a: 1})",
  "MATCH (a:A) WITH collect(a) AS list CALL apoc.refactor.mergeNodes(list, {properties: 'combine'}) YIELD node RETURN node",
  "CALL gds.pageRank.write('g', {writeProperty: 'rank'})",
  "MATCH (n) CALL db.create.setNodeVectorProperty(n, 'v', [1.0]) RETURN n",
  'CALL apoc.schema.assert({}, {})',
  'CALL { CALL apoc.create.node([], {}) YIELD node RETURN node } RETURN node',
  "CALL apoc.cypher.doIt('CREATE (n) RETURN n', {}) YIELD value RETURN value",
  "CALL apoc.periodic.iterate('MATCH (n) RETURN n', 'SET n.a = 1', {batchSize: 10})",
];

test('statements that only read open a store for reading', async () => {
  for (const query of READING) assert.equal(await opensForReading(query, STORE), true, query);
});

test('statements that write open it for writing, by whatever procedure', async () => {
  for (const query of WRITING) assert.equal(await opensForReading(query, STORE), false, query);
  assert.equal(await opensForReading('RETURN 1', 'memory://g'), false);
});

test('a statement that the engine would refuse is refused before the store is opened', async () => {
  await assert.rejects(opensForReading('RETURN', STORE), { code: 'SYNTAX_ERROR' });
  await assert.rejects(opensForReading('RETURN x', STORE), { code: 'SEMANTIC_ERROR' });
  await assert.rejects(opensForReading('CALL no.such()', STORE), { code: 'SEMANTIC_ERROR', message: /there is no procedure/ });
});
