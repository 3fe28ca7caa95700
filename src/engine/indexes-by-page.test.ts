/**
 * Statements over tables that do not fit into memory, and indexes: several label sets, long texts, and
 * indexes of which nothing lies in the bucket.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropMemoryStore } from '../object-store/index.ts';
import type { Value } from '../value/index.ts';
import { type Engine, type EngineParts, openEngine } from './index.ts';

const URI = 'memory://indexes-by-page';
const NONE: ReadonlyMap<string, Value> = new Map();
const PERSONS = 3_000;
after(() => dropMemoryStore({ scheme: 'memory', name: 'indexes-by-page', namespace: 'default' }));

const setUp = write();

async function write(): Promise<void> {
  const engine = await openEngine(URI, { flushIntervalMs: 0 }, { artefactsFromRows: 0 });
  for (const key of ['i', 'long']) await engine.execute(`CREATE INDEX FOR (p:P) ON (p.${key})`, NONE);
  await engine.execute('CREATE TEXT INDEX FOR (p:P) ON (p.s)', NONE);
  await engine.execute('CREATE POINT INDEX FOR (p:P) ON (p.at)', NONE);
  await engine.execute(
    'UNWIND range(1, $count) AS i CREATE (:P {i: i, s: "x" + i % 90, at: point({x: i, y: 1}), ' +
      'long: CASE WHEN i % 500 = 0 THEN reduce(t = "", k IN range(1, 400) | t + "ab") + (i % 1500) END})',
    new Map<string, Value>([['count', PERSONS]]),
  );
  await engine.flush();
  await engine.compact();
  await engine.execute('MATCH (p:P) WHERE p.i % 1000 = 0 DELETE p', NONE);
  await engine.execute('MATCH (p:P) WHERE p.i % 1000 = 1 SET p.i = -p.i', NONE);
  await engine.execute('MATCH (p:P) WHERE p.i % 1000 = 2 SET p:Q', NONE);
  await engine.execute('CREATE INDEX FOR (p:P) ON (p.late)', NONE);
  await engine.execute('MATCH (p:P) WHERE p.i % 1000 = 3 SET p:R, p.late = p.i', NONE);
  await engine.flush();
  await engine.close();
}

/** Answers a question. `isLarger`: there is room for the rows of nodes, but not for columns. */
async function answer(query: string, isLarger: boolean): Promise<unknown> {
  let room = 2 ** 30;
  const parts: EngineParts = { wholeTableRows: -1, availableMemory: () => room, pageBytes: 2 ** 25, planner: false };
  const engine: Engine = await openEngine(URI, { readOnly: true }, isLarger ? parts : {});
  try {
    if (!isLarger) return (await engine.execute(query, NONE)).rows;
    await engine.execute('MATCH (p:P) WHERE elementId(p) = "n1" RETURN p.i', NONE);
    room = 500;
    const before = engine.statistics().readsByPage;
    const { rows } = await engine.execute(query, NONE);
    assert.equal(engine.statistics().readsByPage, before + 1, query);
    return rows;
  } finally {
    await engine.close();
  }
}

const QUESTIONS = [
  'MATCH (p:P) WHERE p.i IN range(-3000, 1500) RETURN count(p), sum(p.i)',
  'UNWIND range(0, 5000, 7) AS x MATCH (p:P {i: x}) RETURN count(p), sum(p.i)',
  'MATCH (p:P) WHERE p.i > 100 RETURN count(p), sum(p.i)',
  'MATCH (p:P) WHERE p.i < 0 RETURN p.i AS i ORDER BY i',
  'MATCH (p:P) WHERE 1990 < p.i < 2010 RETURN p.i AS i, labels(p) ORDER BY i',
  'MATCH (p:P) WHERE p.long STARTS WITH "abab" RETURN count(p), sum(p.i)',
  'MATCH (p:P) WHERE p.late = 2003 RETURN p.i',
  'MATCH (p:P {s: "x7"}) RETURN count(p), sum(p.i)',
  'MATCH (p:P) WHERE p.s STARTS WITH "x8" RETURN count(p), sum(p.i)',
  'MATCH (p:P) WHERE point.withinBBox(p.at, point({x: 3, y: 0}), point({x: 20, y: 2})) RETURN count(p), sum(p.i)',
];

test('what indexes find by page is what they find in memory', async () => {
  await setUp;
  for (const query of QUESTIONS) assert.deepEqual(await answer(query, true), await answer(query, false), query);
});

test('a look-up by the id of a relationship, which no page answers, says that there is no room', async () => {
  await setUp;
  const engine = await openEngine(URI, { flushIntervalMs: 0 });
  await engine.execute('MATCH (p:P) WHERE p.i < 900 CREATE (p)-[:KNOWS]->(p)', NONE);
  await engine.flush();
  await engine.close();
  await assert.rejects(answer('MATCH ()-[r]->() WHERE elementId(r) = "r5" RETURN r', true), { code: 'MEMORY_LIMIT' });
});
