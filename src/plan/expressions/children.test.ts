import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeVariables } from '../operators/free-variables.ts';
import { parseExpression } from '../testing/parse-expression.ts';
import { nodeOrder, variable } from './build.ts';
import { forEachChild, mapChildren } from './children.ts';
import { replaceExpressions } from './walk.ts';

/** Expressions with the variable `a` in each place where a child can stand, and the number of these places. */
const PLACES: readonly (readonly [text: string, places: number])[] = [
  ['a.key', 1],
  ['a[a]', 2],
  ['a[a..a]', 3],
  ['[a, 1, a]', 2],
  ['{x: a, y: 1, z: a}', 2],
  ['a {.*, x: a}', 2],
  ['-a', 1],
  ['a + a * 2', 2],
  ['a IN a', 2],
  ['a AND true AND a', 2],
  ['1 < a <= a', 2],
  ['a IS NULL', 1],
  ['a:A|$(a)', 2],
  ['a IS :: INTEGER', 1],
  ['a IS NORMALIZED', 1],
  ['coalesce(a, 1, a)', 2],
  ['CASE a WHEN a THEN a ELSE a END', 4],
  ['[x IN a WHERE a | a]', 3],
  ['any(x IN a WHERE a)', 2],
  ['reduce(x = a, y IN a | a)', 3],
];

test('every child is visited, and replaced where it stands', () => {
  for (const [text, places] of PLACES) {
    const expression = parseExpression(text);
    let seen = 0;
    const replaced = replaceExpressions(expression, (part) => {
      if (part.kind !== 'variable' || part.name !== 'a') return null;
      seen++;
      return variable('b');
    });
    assert.equal(seen, places, text);
    assert.deepEqual([...freeVariables(expression)], ['a'], text);
    assert.deepEqual([...freeVariables(replaced)], ['b'], text);
  }
});

test('an expression whose children stay is itself', () => {
  for (const [text] of PLACES) {
    const expression = parseExpression(text);
    assert.equal(
      mapChildren(expression, (child) => child),
      expression,
      text,
    );
  }
});

test('patterns, queries and what has no children are leaves', () => {
  for (const text of ['1', '$p', 'a', 'count(*)', '(a)-->()', '[(a)-->(b) | b]', 'EXISTS { (a)-->() }']) {
    forEachChild(parseExpression(text), () => assert.fail(text));
  }
});

test('nodes are compared by variables, which have names but no other expression in their place', () => {
  const order = nodeOrder('a', 'b');
  assert.deepEqual([...freeVariables(order)], ['a', 'b']);
  assert.throws(() => mapChildren(order, () => parseExpression('1')), /compared by their variables/);
});
