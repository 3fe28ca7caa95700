/** The event loop gets its turns while the constraints of a large commit are checked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openEngine } from '../index.ts';

const none = new Map();
const COUNT = 20_000;

/** Turns that pass while it is under way. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isUnderWay = true;
  const settled = (): void => {
    isUnderWay = false;
  };
  work.then(settled, settled);
  while (isUnderWay) {
    await turn();
    turns++;
  }
  await work;
  return turns;
}

for (const [entity, constraint, create, read] of [
  [
    'nodes',
    'CREATE CONSTRAINT FOR (n:N) REQUIRE n.k IS UNIQUE',
    'UNWIND range(1, $count) AS i CREATE (:N {k: i})',
    'MATCH (n:N) RETURN count(n.k)',
  ],
  [
    'relationships',
    'CREATE CONSTRAINT FOR ()-[r:R]-() REQUIRE r.k IS UNIQUE',
    'CREATE (a), (b) WITH a, b UNWIND range(1, $count) AS i CREATE (a)-[:R {k: i}]->(b)',
    'MATCH ()-[r:R]->() RETURN count(r.k)',
  ],
] as const) {
  test(`checking many ${entity} takes many turns, in which others read and wait to write`, async () => {
    const engine = await openEngine(`memory://turns-of-${entity}`, { flushIntervalMs: 0 });
    await engine.execute(constraint, none);
    const small = await engine.begin({ mode: 'write' });
    await small.execute(create, new Map([['count', 10]]));
    const fewTurns = await turnsOf(small.commit());
    const violating = await engine.begin({ mode: 'write' });
    await violating.execute(create, new Map([['count', COUNT]]));
    await assert.rejects(turnsOf(violating.commit()), { code: 'CONSTRAINT_VIOLATION' });
    assert.deepEqual((await engine.execute(read, none)).rows, [[10]]);
    await engine.execute(`${read.split(' RETURN ')[0]} ${entity === 'nodes' ? 'DELETE n' : 'DELETE r'}`, none);
    const large = await engine.begin({ mode: 'write' });
    await large.execute(create, new Map([['count', COUNT]]));
    const committed = large.commit();
    const next = engine.execute('CREATE (:Next)', none);
    assert.deepEqual((await engine.execute(read, none)).rows, [[0]]);
    const manyTurns = await turnsOf(committed);
    assert.ok(manyTurns >= fewTurns + COUNT / 1024 - 2, `${fewTurns} and ${manyTurns} turns`);
    await next;
    assert.deepEqual((await engine.execute(read, none)).rows, [[COUNT]]);
    await engine.close();
  });
}
