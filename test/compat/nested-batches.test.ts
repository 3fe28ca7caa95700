/** CALL { … } IN TRANSACTIONS inside another CALL: no batch commits or takes back what clauses outside of it wrote. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';

const none = new Map();

const countOf = async (engine: Engine, label: string): Promise<unknown> =>
  (await engine.execute(`MATCH (n:${label}) RETURN count(*)`, none)).rows[0]![0];

const BATCH = 'CALL (i) { CREATE (:Part {k: 1 / (i - 2)}) } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE';

for (const [name, statement] of [
  ['in the subquery', `UNWIND [1, 2] AS i CALL (i) { ${BATCH} CREATE (:Other) RETURN 1 AS x } RETURN x`],
  [
    'in a later part of its union',
    `UNWIND [1, 2] AS i CALL (i) { ${BATCH} RETURN 1 AS x UNION ALL CREATE (:Other) RETURN 2 AS x } RETURN x`,
  ],
  ['around the subquery', `UNWIND [1, 2] AS i CALL (i) { ${BATCH} RETURN 1 AS x } CREATE (:Other) RETURN x`],
  ['in a subquery around it', `UNWIND [1, 2] AS i CALL (i) { CALL (i) { ${BATCH} RETURN 1 AS y } CREATE (:Other) RETURN y } RETURN y`],
  ['by a procedure', `UNWIND [1, 2] AS i CALL (i) { ${BATCH} CALL apoc.create.node(['Other'], {}) YIELD node RETURN node } RETURN node`],
] as const) {
  test(`a subquery with batches that runs for several rows refuses a write ${name}`, async (context) => {
    const engine = await openEngine(`memory://nested-batches-${name.replaceAll(' ', '-')}`);
    context.after(() => engine.close());
    await assert.rejects(engine.execute(statement, none), {
      code: 'SYNTAX_ERROR',
      message: /no clause can write after a subquery with CALL/,
    });
    assert.equal(await countOf(engine, 'Part'), 0);
  });
}

test('a subquery with batches may run for several rows, and after one that runs once clauses may write', async (context) => {
  const engine = await openEngine('memory://nested-batches');
  context.after(() => engine.close());
  await engine.execute(`UNWIND [1, 2, 3] AS i CALL (i) { ${BATCH} RETURN 1 AS x } RETURN x`, none);
  assert.equal(await countOf(engine, 'Part'), 2);
  await engine.execute(`CALL { UNWIND [1, 2, 3] AS i ${BATCH} CREATE (:Other) RETURN i } CREATE (:After) RETURN i`, none);
  assert.deepEqual([await countOf(engine, 'Part'), await countOf(engine, 'Other'), await countOf(engine, 'After')], [4, 3, 3]);
  const batches = "CALL apoc.periodic.iterate('UNWIND [1, 0] AS i RETURN i', 'CREATE (:Part {k: 1 / i})', {batchSize: 1}) YIELD batches";
  await engine.execute(`${batches} CREATE (:Last {batches: batches})`, none);
  assert.deepEqual([await countOf(engine, 'Part'), await countOf(engine, 'Last')], [5, 1]);
});
