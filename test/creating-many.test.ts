/** CREATE of many things in one clause, which is carried out from a table: the same as of few, in each clause a few. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';

const PARAMETERS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['text', 'a text'],
  ['list', [1, 2]],
  ['nothing', null],
]);
let engines = 0;

async function withEngine(work: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await openEngine(`memory://creating-many-${++engines}`, { flushIntervalMs: 0 });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}

/** Each pattern names what it creates, so that later ones refer to it. */
function patterns(count: number): string[] {
  const all = ["(a:A:B {i: 0, f: -0.0, s: 'x', i: 1})", '(b {})', '(start)-[r0:FROM {w: $text}]->(b)'];
  for (let i = 1; i < count; i++) {
    const properties = [`{i: ${i}}`, '{i: $list, gone: $nothing}', '{t: $text, b: true}', '', "{s: ''}"][i % 5]!;
    all.push(
      `(n${i}:N${i % 3} ${properties})`,
      `(n${i})-[r${i}:R${i % 2} ${properties}]->(${i % 4 === 0 ? 'start' : i > 1 ? `n${i - 1}` : 'a'})`,
    );
  }
  return all;
}

/** A word for a value, in which nothing is left that depends on the order of creation. */
const EVERYTHING = `MATCH (n) OPTIONAL MATCH (n)-[r]->(m)
  RETURN labels(n) AS l, properties(n) AS p, type(r) AS t, properties(r) AS q, labels(m) AS k, properties(m) AS o`;

async function created(head: string, body: string, tail: string): Promise<readonly [unknown, readonly string[]]> {
  let outcome: readonly [unknown, readonly string[]] = [null, []];
  await withEngine(async (engine) => {
    await engine.execute('CREATE (:Start {s: 1})', new Map());
    const { rows, writeOutcome } = await engine.execute(`${head} ${body} ${tail}`, PARAMETERS);
    const all = await engine.execute(EVERYTHING, new Map());
    outcome = [{ rows, writeOutcome }, all.rows.map((row) => JSON.stringify(row, inWords)).sort()];
  });
  return outcome;
}

function inWords(_: string, value: unknown): unknown {
  return value instanceof Map ? [...value].sort() : typeof value === 'bigint' ? `${value}n` : value;
}

for (const head of ['MATCH (start:Start)', 'UNWIND [1, 2, 3] AS row MATCH (start:Start) WITH start, row']) {
  const tail = 'RETURN a.i, n3.t, r5.s, type(r7), r0.w, startNode(r6) = n6, endNode(r9) = n8, endNode(r8) = start, n40.i';
  test(`the same as clauses of one pattern each: ${head}`, async () => {
    const all = patterns(60);
    const many = await created(head, `CREATE ${all.join(', ')}`, tail);
    const few = await created(head, all.map((pattern) => `CREATE ${pattern} WITH *`).join(' '), tail);
    assert.deepEqual(many, few);
    assert.equal(many[1].length > 60, true);
  });
}

test('a clause of many items fails as a whole: at a node that is null, at a parameter that is missing, at a constraint', async () => {
  await withEngine(async (engine) => {
    await engine.execute('CREATE CONSTRAINT FOR (n:N1) REQUIRE n.i IS UNIQUE', new Map());
    const all = patterns(60).join(', ');
    for (const [statement, code] of [
      [`OPTIONAL MATCH (start:Nobody) CREATE ${all}`, 'ENTITY_NOT_FOUND'],
      [`CREATE (start) CREATE ${all}, (:X {i: $missing})`, 'PARAMETER_MISSING'],
      [`CREATE (start) CREATE ${all}, (:N1 {i: 1})`, 'CONSTRAINT_VIOLATION'],
      [`CREATE (start) CREATE ${all}, (:N1 {i: {a: 1}})`, 'TYPE_ERROR'],
    ] as const)
      await assert.rejects(engine.execute(statement, PARAMETERS), { code }, statement.slice(-40));
    assert.deepEqual((await engine.execute('MATCH (n) RETURN count(n)', new Map())).rows, [[0]]);
  });
});
