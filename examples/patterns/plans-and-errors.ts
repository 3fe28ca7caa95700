/** The parts of an answer beside its rows: warnings, the plan, the plan with rows and times, and the place of a fault in the text. */
import assert from 'node:assert/strict';
import { GraphDBError, open, type PlanDescription, type StatementNotification } from 'graphdb';

await using db = await open('memory://pattern-plans');
await db.query("CREATE (:Person {name: 'Ada', born: 1815})");

function operatorsOf({ operator, children }: PlanDescription): string[] {
  return [operator, ...children.flatMap(operatorsOf)];
}

const explained = await db.query('EXPLAIN MATCH (p:Person) RETURN p.name');
assert.ok(explained.plan);
assert.deepEqual(operatorsOf(explained.plan).slice(-1), ['NodeByLabelScan']);
assert.equal(explained.profile, undefined);

const profiled = await db.query<{ name: string }>('PROFILE MATCH (p:Person) RETURN p.name AS name');
assert.equal(profiled.profile?.rows, 1);
assert.ok(typeof profiled.profile?.timeMs === 'number');
assert.equal(profiled.first()?.name, 'Ada');

const asked = await db.query('MATCH (p:Persons) WHERE p.name = 1 RETURN p');
const warnings: readonly StatementNotification[] = asked.notifications ?? [];
const told = warnings.map(({ code, line, column }) => `${code.split('.').at(-1)} ${line}:${column}`);
assert.deepEqual(told, ['UnknownLabelWarning 1:10', 'IncomparableTypes 1:25']);
assert.equal((await db.query('RETURN 1 AS x')).notifications, undefined);

try {
  await db.query('MATCH (p:Person)\nRETURN q');
  assert.fail('it has no q');
} catch (error) {
  assert.ok(error instanceof GraphDBError);
  assert.deepEqual([error.code, error.line, error.column], ['SEMANTIC_ERROR', 2, 8]);
  assert.ok(error.message.endsWith('(line 2, column 8)\n  2 | RETURN q\n    |        ^'), error.message);
}
console.log('plans and errors: done');
