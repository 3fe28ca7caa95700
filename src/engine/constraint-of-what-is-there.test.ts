/**
 * A constraint on nodes that are there already looks at those only whose values another may have; what it finds is what
 * looking at each would.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from './index.ts';

const none = new Map();
const COUNT = 3_000;
let stores = 0;

async function withNodes(...more: readonly string[]): Promise<Awaited<ReturnType<typeof openEngine>>> {
  const engine = await openEngine(`memory://constraint-of-what-is-there-${++stores}`, { flushIntervalMs: 0 });
  await engine.execute('UNWIND range(1, $count) AS i CREATE (:N {k: i, l: i % 10, t: toString(i)})', new Map([['count', COUNT]]));
  for (const statement of more) await engine.execute(statement, none);
  return engine;
}

for (const [name, statements, keys] of [
  ['in one table, far from each other', ['CREATE (:N {k: 5})'], 'n.k'],
  ['in tables of other labels', ['CREATE (:N:Other {k: 2999})'], 'n.k'],
  ['as another type of number', ['CREATE (:N {k: 17.0})'], 'n.k'],
  ['as texts', ['CREATE (:N {t: "1234"})'], 'n.t'],
  ['since a change', ['MATCH (n:N {k: 7}) SET n.k = 8'], 'n.k'],
  ['of several keys', ['CREATE (:N {k: 11, l: 1})'], '(n.k, n.l)'],
] as const) {
  test(`equal values are found ${name}`, async () => {
    const engine = await withNodes(...statements);
    await assert.rejects(engine.execute(`CREATE CONSTRAINT FOR (n:N) REQUIRE ${keys} IS UNIQUE`, none), { code: 'CONSTRAINT_VIOLATION' });
    await engine.close();
  });
}

for (const [name, statements] of [
  ['nodes without it', ['CREATE (:N), (:N), (:Other {k: 5})']],
  ['nodes that were deleted', ['CREATE (:N {k: 5})', 'MATCH (n:N {k: 5}) WHERE n.l IS NULL DELETE n']],
  [
    'nodes that have changed and come back',
    ['MATCH (n:N {k: 7}) SET n.k = -1', 'MATCH (n:N {k: -1}) SET n.k = 7', 'MATCH (n:N {k: 7}) SET n:Other'],
  ],
  ['NaN', ['CREATE (:N {k: 0.0 / 0.0}), (:N {k: 0.0 / 0.0})']],
] as const) {
  test(`${name} do not break uniqueness`, async () => {
    const engine = await withNodes(...statements);
    await engine.execute('CREATE CONSTRAINT FOR (n:N) REQUIRE n.k IS UNIQUE', none);
    await assert.rejects(engine.execute('CREATE (:N {k: 6})', none), { code: 'CONSTRAINT_VIOLATION' });
    await engine.close();
  });
}

test('a key must also be there', async () => {
  const engine = await withNodes('CREATE (:N {l: 1})');
  await assert.rejects(engine.execute('CREATE CONSTRAINT FOR (n:N) REQUIRE n.k IS NODE KEY', none), /must have the property k/);
  await engine.close();
});
