/**
 * Searches of vector indexes where not all is in memory yet, in readers that follow, after a writer that never closed,
 * and at their limits.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText, type Value } from '../../src/value/index.ts';

const none: ReadonlyMap<string, Value> = new Map();
const DECLARATIONS = ['CREATE VECTOR INDEX one FOR (n:A|B) ON n.v WITH [n.i]', 'CREATE VECTOR INDEX two FOR ()-[r:R]-() ON (r.v)'];
const DATA = [
  "UNWIND range(1, 50) AS i CREATE (:A {i: i, s: 's' + i, v: [i, 1]})-[:R {w: i, v: vector([1, i])}]->(:C {i: -i, s: 'c'})",
  'UNWIND range(51, 60) AS i CREATE (:B {i: i, v: vector([i, 1])})',
];
const SEARCHES = [
  "CALL db.index.vector.queryNodes('one', 3, [1, 0]) YIELD node RETURN node.i, node.s, labels(node)",
  "CALL db.index.vector.queryNodes('one', 3, [1, 0]) YIELD node, score RETURN node, score",
  'MATCH (n:A)-[r]->(c) SEARCH n IN (VECTOR INDEX one FOR [0, 1] WHERE n.i > 5 LIMIT 2) RETURN n.s, c.s, r.w',
  "CALL db.index.vector.queryRelationships('two', 2, [0, 1]) YIELD relationship AS r RETURN r.w, startNode(r).s, endNode(r).i, r",
  'MATCH (a)-[r:R]->(b) SEARCH r IN (VECTOR INDEX two FOR [1, 0] LIMIT 3) SCORE AS s RETURN a.i, b.s, properties(r), s',
];

const answer = async (engine: Engine, query: string): Promise<string[]> =>
  (await engine.execute(query, none)).rows.map((row) => row.map(literalText).join(' | '));

async function fill(engine: Engine): Promise<void> {
  for (const statement of [...DECLARATIONS, ...DATA]) await engine.execute(statement, none);
}

test('a cold search answers what a warm one does, whichever is asked first', async () => {
  const uri = 'memory://vector-index-cold';
  const engine = await openEngine(uri, { flushIntervalMs: 0 });
  await fill(engine);
  const warm: string[][] = [];
  for (const search of SEARCHES) warm.push(await answer(engine, search));
  assert.deepEqual(
    warm.map((rows) => rows.length),
    [3, 3, 2, 2, 3],
  );
  await engine.flush();
  await engine.close();
  for (const [i, search] of SEARCHES.entries()) {
    const cold = await openEngine(uri, { flushIntervalMs: 0, readOnly: true });
    assert.deepEqual(await answer(cold, search), warm[i], search);
    await cold.close();
  }
});

test('what a writer committed that never closed is found by the next one, in files or in the log', async () => {
  const uri = 'memory://vector-index-crash';
  const lost = await openEngine(uri, { flushIntervalMs: 0 });
  await fill(lost);
  await lost.flush();
  await lost.execute('CREATE (:A {i: 100, v: [1, 0]})', none);
  await lost.execute('MATCH (n:B) WHERE n.i < 60 DELETE n', none);
  const next = await openEngine(uri, { flushIntervalMs: 0 });
  assert.deepEqual(await answer(next, "CALL db.index.vector.queryNodes('one', 3, [1, 0]) YIELD node RETURN node.i"), ['100', '60', '50']);
  await next.execute('DROP INDEX one', none);
  await assert.rejects(answer(next, SEARCHES[0]!), { code: 'ARGUMENT_ERROR' });
  await next.close();
  await lost.close();
});

test('a worker and the main thread find the same, also after writes that the worker has not seen', async () => {
  const engine = await openEngine('memory://vector-index-workers', { flushIntervalMs: 0, readWorkers: 1 });
  try {
    await fill(engine);
    for (const write of [
      'RETURN 1',
      'MATCH (n:A) WHERE n.i > 45 SET n.v = [1, n.i]',
      'MATCH (n:B {i: 60}) DELETE n',
      'CREATE (:A:B {i: 0, v: [9, 0]})',
    ]) {
      await engine.execute(write, none);
      for (const search of SEARCHES) {
        const transaction = await engine.begin({ mode: 'write' });
        const here = (await transaction.execute(search, none)).rows.map((row) => row.map(literalText).join(' | '));
        await transaction.rollback();
        assert.deepEqual(await answer(engine, search), here, search);
      }
    }
  } finally {
    await engine.close();
  }
});

test('a search is stopped by its time limit, and charged for what it keeps', async () => {
  const engine = await openEngine('memory://vector-index-limits', { flushIntervalMs: 0 });
  try {
    await engine.execute('CREATE VECTOR INDEX one FOR (n:A) ON (n.v)', none);
    await engine.execute('UNWIND range(1, 20000) AS i CREATE (:A {v: vector([i, 1])})', none, { timeoutMs: 60_000 });
    const search = (k: number): string => `CALL db.index.vector.queryNodes('one', ${k}, [1, 0]) YIELD score RETURN count(score)`;
    await assert.rejects(engine.execute(search(20_000), none, { memoryBytes: 500_000 }), { code: 'MEMORY_LIMIT' });
    assert.deepEqual(await answer(engine, search(100)), ['100']);
    const many = `UNWIND range(1, 1000000000) AS i ${search(3)}`;
    await assert.rejects(engine.execute(many, none, { timeoutMs: 100 }), { code: 'QUERY_TIMEOUT' });
  } finally {
    await engine.close();
  }
});
