/** CALL, SHOW and LOAD CSV run in workers as other reads do, and answer what they answer on the main thread. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEngine } from '../index.ts';

const none = new Map();

const IN_WORKERS = [
  'CALL db.labels()',
  'CALL db.relationshipTypes()',
  'CALL db.propertyKeys()',
  'CALL db.ping()',
  'CALL db.schema.visualization()',
  'CALL db.schema.nodeTypeProperties()',
  'CALL db.schema.relTypeProperties()',
  'CALL apoc.meta.data()',
  'CALL apoc.meta.graph()',
  'CALL apoc.schema.nodes()',
  "MATCH (a:A) CALL apoc.neighbors.tohop(a, 'R|S', 3) YIELD node RETURN node",
  "MATCH (a:A) CALL apoc.neighbors.byhop(a, 'R|S', 3) YIELD nodes RETURN nodes",
  "MATCH (a:A) CALL apoc.neighbors.athop(a, 'R', 2) YIELD node RETURN node",
  "MATCH (a:A) CALL apoc.neighbors.byhop.count(a, 'R|S', 3) YIELD value RETURN value",
  "CALL db.index.vector.queryNodes('vectors', 2, [1, 2])",
  "CALL db.index.vector.queryRelationships('weights', 2, [1, 2]) YIELD relationship, score RETURN relationship, score",
  "CALL db.index.fulltext.queryNodes('texts', 'x*')",
  "CALL db.index.fulltext.queryRelationships('relationTexts', 'here') YIELD relationship, score RETURN relationship, score",
  "CALL search.hybrid({vectorIndex: 'vectors', vector: [1, 2], fulltextIndex: 'texts', query: 'x', filter: {i: 1}})",
  'RETURN COUNT { CALL db.labels() YIELD label RETURN label } AS labels',
  'SHOW INDEXES',
  'SHOW CONSTRAINTS',
  'SHOW PROCEDURES',
  'SHOW FUNCTIONS',
  'SHOW USERS',
  "LOAD CSV WITH HEADERS FROM 'file:///rows.csv' AS row RETURN row",
];
/** Settings and databases are known to the main thread alone. */
const HERE = ['SHOW SETTINGS', 'SHOW DATABASES', "CALL dbms.checkConfigValue('readWorkers', '1')"];

test('they give the same rows in a worker as in a write transaction, which is read on the main thread', async () => {
  const csvDirectory = mkdtempSync(join(tmpdir(), 'procedures-'));
  writeFileSync(join(csvDirectory, 'rows.csv'), 'a,b\n1,2\n3,4\n');
  const engine = await openEngine('memory://procedures-in-workers', { flushIntervalMs: 0, readWorkers: 1, csvDirectory });
  try {
    await engine.execute('CREATE (a:A {i: 1, s: "x"})-[:R {w: 1}]->(b:B {i: 2.5})-[:R]->(c:C:A)-[:S]->(a)', none);
    await engine.execute('CREATE INDEX FOR (n:A) ON (n.i)', none);
    await engine.execute('CREATE VECTOR INDEX vectors FOR (n:A|B) ON (n.v)', none);
    await engine.execute('CREATE VECTOR INDEX weights FOR ()-[r:R]-() ON (r.v)', none);
    await engine.execute('CREATE FULLTEXT INDEX texts FOR (n:A|B) ON EACH [n.s]', none);
    await engine.execute('CREATE FULLTEXT INDEX relationTexts FOR ()-[r:R|S]-() ON EACH [r.t]', none);
    await engine.execute('MATCH ()-[r:R]->() SET r.t = "here and there"', none);
    await engine.execute('MATCH (a)-[r]->(b) SET a.v = [1, 1], r.v = vector([2, 1])', none);
    await engine.execute('CREATE CONSTRAINT FOR (n:B) REQUIRE n.i IS UNIQUE', none);
    for (const query of [...IN_WORKERS, ...HERE]) {
      const transaction = await engine.begin({ mode: 'write' });
      const here = await transaction.execute(query, none);
      await transaction.rollback();
      const before = engine.statistics().workerReads;
      assert.deepEqual((await engine.execute(query, none)).rows, here.rows, query);
      assert.equal(engine.statistics().workerReads - before, IN_WORKERS.includes(query) ? 1 : 0, query);
    }
  } finally {
    await engine.close();
    rmSync(csvDirectory, { recursive: true });
  }
});
