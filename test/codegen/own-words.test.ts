/** Q1: generated code holds only the compiler's own words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadRowFunction, loadStatementFunction } from '../../src/exec/codegen/load-function.ts';
import { CompiledPlan } from '../../src/exec/compile.ts';
import { library } from '../../src/exec/runtime/library.ts';
import { createGraphStore } from '../../src/graph/index.ts';
import { planOf } from '../../src/plan/testing/plan-of.ts';

/** A word that the compiler does not have, at each place where a statement may have one of the user's. */
const STATEMENTS = [
  'MATCH (intruder:Intruder {intruder: "intruder"})-[r:INTRUDER {intruder: 1}]->() RETURN intruder.intruder AS `intruder`',
  'UNWIND $intruder AS intruder WITH intruder ORDER BY intruder.intruder RETURN {intruder: intruder["intruder"]} AS intruder',
  'RETURN [intruder IN ["intruder"] WHERE intruder =~ "intruder.*" | toUpper(intruder)] AS intruder, date("intruder") AS d',
  'MERGE (intruder:Intruder {intruder: $intruder}) ON CREATE SET intruder.intruder = "intruder" SET intruder:INTRUDER',
  'MATCH (a)-[:INTRUDER*1..3 {intruder: 2}]->(intruder) WHERE intruder.intruder STARTS WITH "intruder" RETURN intruder',
  'MATCH (a) CALL (a) { MATCH (a)-[:INTRUDER]->(intruder) RETURN count(intruder) AS intruder } RETURN 1, `a`.`intruder\'"\\u0060 */`',
];

test('Q1: no word of a statement is in its code, whatever it stands for', () => {
  const view = createGraphStore().snapshot();
  for (const statement of STATEMENTS) {
    const plan = new CompiledPlan(planOf(statement));
    const { source } = plan.for(view, new Map([['intruder', 'intruder']]), Number.POSITIVE_INFINITY);
    assert.doesNotMatch(source, /intruder/i, statement);
  }
});

test('Q1: code with a character that the compiler does not write is refused', () => {
  for (const text of ['"x"', "'x'", '`x`', '\\u0041', 'é', '#x', '@x', '\0', '\u2028', '\r'])
    assert.throws(
      () => loadStatementFunction(`return function* () { yield ${text}; }`, library),
      { code: 'INTERNAL', message: /Q1/ },
      text,
    );
  assert.equal(typeof loadStatementFunction('return function* () { yield null; }', library), 'function');
});

test('Q1: names of columns are keys, and never code', () => {
  const names = ['a', '', '"] = 1; globalThis.intruder = true; x["', '__proto__', 'constructor', '$', '\\', '\n*/'];
  const object = loadRowFunction<number, number>(names, (value) => value)(names.map((_, i) => i));
  assert.deepEqual(
    Object.entries(object),
    names.map((name, i) => [name, i]),
  );
  assert.ok(!('intruder' in globalThis));
});
