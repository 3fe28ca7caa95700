/** The event loop gets its turns while constraints are checked: of a large commit, and of all that is there when one is created. */
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

/** A signal that says that it was cancelled from the nth look on. */
function cancelledAfter(looks: number): AbortSignal {
  const { signal } = new AbortController();
  let left = looks;
  Object.defineProperty(signal, 'aborted', { get: () => --left < 0 });
  return signal;
}

for (const [name, command, breaks] of [
  ['uniqueness of nodes', 'FOR (n:N) REQUIRE n.k IS UNIQUE', true],
  ['a key of nodes', 'FOR (n:N) REQUIRE (n.k, n.l) IS NODE KEY', true],
  ['existence', 'FOR (n:N) REQUIRE n.l IS NOT NULL', true],
  ['a type', 'FOR (n:N) REQUIRE n.k IS :: INTEGER', false],
  ['uniqueness of relationships', 'FOR ()-[r:R]-() REQUIRE r.k IS UNIQUE', true],
  ['existence on relationships', 'FOR ()-[r:R]-() REQUIRE r.k IS NOT NULL', false],
  ['values that many nodes had', 'FOR (n:N) REQUIRE n.changed IS UNIQUE', true],
] as const) {
  test(`creating a constraint (${name}) over what is there can be stopped, and leaves nothing`, async () => {
    const engine = await openEngine(`memory://stopped-constraint-${name.replaceAll(' ', '-')}`, { flushIntervalMs: 0 });
    const create = 'UNWIND range(1, 60000) AS i CREATE (n:N {k: i, l: 1, changed: 0})-[:R {k: i}]->(n)';
    await engine.execute(create, none);
    await engine.execute('MATCH (n:N) SET n.changed = n.k', none);
    await assert.rejects(engine.execute(`CREATE CONSTRAINT c ${command}`, none, { signal: cancelledAfter(4) }), { code: 'CANCELLED' });
    assert.deepEqual((await engine.execute('SHOW CONSTRAINTS', none)).rows, []);
    assert.deepEqual((await engine.execute('SHOW INDEXES', none)).rows, []);
    const transaction = await engine.begin({ mode: 'write' });
    await transaction.execute('MATCH (n:N {k: 7}) SET n.k = 8, n.l = NULL, n.changed = 8', none);
    await transaction.execute('MATCH (:N {l: 1})-[r:R {k: 8}]->() SET r.k = 9', none);
    await transaction.commit();
    if (breaks) await assert.rejects(engine.execute(`CREATE CONSTRAINT c ${command}`, none), { code: 'CONSTRAINT_VIOLATION' });
    await engine.close();
  });
}

test('others read while a constraint is checked, and do not see it; who writes waits, and is held to it', async () => {
  const engine = await openEngine('memory://constraint-between', { flushIntervalMs: 0 });
  await engine.execute('UNWIND range(1, 200000) AS i CREATE (:N {k: i})', none);
  let isOver = false;
  const creating = engine.execute('CREATE CONSTRAINT c FOR (n:N) REQUIRE (n.k) IS UNIQUE', none).then(() => {
    isOver = true;
  });
  const writing = engine.execute('CREATE (:N {k: 5})', none);
  writing.catch(() => {});
  let seen = 0;
  for (; !isOver; seen++) {
    const shown = await engine.execute('SHOW CONSTRAINTS', none);
    if (!isOver) assert.deepEqual(shown.rows, []);
    assert.deepEqual((await engine.execute('MATCH (n:N {k: 5}) RETURN count(n)', none)).rows, [[1]]);
    await turn();
  }
  await creating;
  assert.ok(seen > 1, `${seen} reads`);
  await assert.rejects(writing, { code: 'CONSTRAINT_VIOLATION' });
  assert.equal((await engine.execute('SHOW CONSTRAINTS', none)).rows.length, 1);
  await engine.close();
});
