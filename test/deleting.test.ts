/** DELETE and DETACH DELETE: what is gone, what is refused, and what they are charged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';

const none: ReadonlyMap<string, Value> = new Map();

let engines = 0;

async function withEngine(work: (engine: Engine, one: (query: string) => Promise<unknown>) => Promise<void>): Promise<void> {
  const engine = await openEngine(`memory://deleting-${++engines}`, { flushIntervalMs: 0 });
  try {
    await work(engine, async (query) => (await engine.execute(query, none)).rows[0]?.map(Number));
  } finally {
    await engine.close();
  }
}

const COUNTS = 'RETURN COUNT { () }, COUNT { ()-[]->() }';

test('nodes with few and with many relationships, and with loops, go with them', async () => {
  await withEngine(async (engine, one) => {
    for (const relationships of [0, 1, 63, 64, 65, 3_000]) {
      await engine.execute(
        `CREATE (h:Hub), (h)-[:LOOP]->(h) WITH h UNWIND range(1, ${relationships}) AS i CREATE (h)-[:R]->(n:N)-[:S]->(h), (n)-[:S]->(n)`,
        none,
      );
      const result = await engine.execute('MATCH (h:Hub) DETACH DELETE h', none);
      assert.equal(result.writeOutcome?.nodesDeleted, 1);
      assert.equal(result.writeOutcome?.edgesDeleted, 1 + 2 * relationships);
      assert.deepEqual(await one(COUNTS), [relationships, relationships]);
      await engine.execute('MATCH (n) DETACH DELETE n', none);
      assert.deepEqual(await one(COUNTS), [0, 0]);
    }
  });
});

test('a node that keeps relationships is refused, whatever is detached beside it', async () => {
  await withEngine(async (engine, one) => {
    await engine.execute('CREATE (a:A)-[:R]->(b:B)-[:R]->(c:C)', none);
    for (const refused of [
      'MATCH (a:A) DELETE a',
      'MATCH (a:A), (c:C) DETACH DELETE c DELETE a',
      'MATCH (a:A) DELETE a WITH 1 AS x MATCH (c:C) DETACH DELETE c',
    ])
      await assert.rejects(engine.execute(refused, none), { code: 'CONSTRAINT_VIOLATION' }, refused);
    assert.deepEqual(await one(COUNTS), [3, 2]);
    await engine.execute('MATCH (a:A), (b:B) DELETE a, a DETACH DELETE b, a, b', none);
    assert.deepEqual(await one(COUNTS), [1, 0]);
    await engine.execute('OPTIONAL MATCH (x:Nothing) DETACH DELETE x', none);
    await assert.rejects(engine.execute('MATCH (c:C) DETACH DELETE c CREATE (c)-[:R]->(:N)', none), { code: 'ENTITY_NOT_FOUND' });
    assert.deepEqual(await one(COUNTS), [1, 0]);
  });
});

test('the lists of relationships of one node are not held while the next one is deleted', async () => {
  await withEngine(async (engine, one) => {
    await engine.execute('UNWIND range(1, 50) AS i CREATE (h:Hub) WITH h UNWIND range(1, 2000) AS j CREATE (h)-[:R]->(:N)', none);
    await engine.execute('MATCH (h:Hub) DETACH DELETE h', none, { memoryBytes: 11_000_000 });
    assert.deepEqual(await one(COUNTS), [100_000, 0]);
  });
});
