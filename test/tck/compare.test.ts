/** The comparison of tables: what is equal, and above all what is not. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { difference } from './compare.ts';
import { parseNotation } from './notation.ts';
import { canonicalText } from './values.ts';

const EQUAL: readonly [string, string][] = [
  ['{a: 1, b: 2}', '{b: 2, a: 1}'],
  ['(:A:B {p: 1, q: 2})', '(:B:A {q: 2, p: 1})'],
  ['NaN', 'NaN'],
  ['1e3', '1000.0'],
  ['-0.0', '0.0'],
];

const DIFFERENT: readonly [string, string][] = [
  ['1', '1.0'],
  ['NaN', 'null'],
  ['9007199254740993', '9007199254740992'],
  ["'1'", '1'],
  ["'null'", 'null'],
  ['[1, 2]', '[2, 1]'],
  ['[]', 'null'],
  ['[[1], [2]]', '[[1, 2]]'],
  ['{a: null}', '{}'],
  ['{}', '()'],
  ['(:A)', '(:B)'],
  ['(:A)', '(:A:B)'],
  ['({p: 1})', '({p: 1.0})'],
  ['[:T]', "['T']"],
  ['[:T]', '[:T {p: 1}]'],
  ['<(:A)-[:T]->(:B)>', '<(:A)<-[:T]-(:B)>'],
  ['<(:A)-[:T]->(:B)>', '<(:B)<-[:T]-(:A)>'],
  ['<()>', '()'],
  ["['a, b']", "['a', 'b']"],
];

for (const [left, right] of EQUAL) {
  test(`${left} equals ${right}`, () => assert.equal(canonicalText(parseNotation(left)), canonicalText(parseNotation(right))));
}

for (const [left, right] of DIFFERENT) {
  test(`${left} differs from ${right}`, () => assert.notEqual(canonicalText(parseNotation(left)), canonicalText(parseNotation(right))));
}

const table = (columns: string[], ...rows: string[][]) => ({ columns, rows: rows.map((row) => row.map(parseNotation)) });
const ANY_ORDER = { inOrder: false, ignoreListOrder: false };
const IN_ORDER = { inOrder: true, ignoreListOrder: false };

test('rows in any order are a multiset', () => {
  const expected = table(['x'], ['1'], ['2'], ['1']);
  assert.equal(difference(expected, table(['x'], ['1'], ['1'], ['2']), ANY_ORDER), undefined);
  assert.match(difference(expected, table(['x'], ['1'], ['2'], ['2']), ANY_ORDER)!, /missing:\n {2}\| 1 \|\nnot expected:\n {2}\| 2 \|/);
  assert.match(difference(expected, table(['x'], ['1'], ['2']), ANY_ORDER)!, /expected 3 rows, got 2/);
});

test('rows in order are a sequence', () => {
  const expected = table(['x'], ['1'], ['2']);
  assert.equal(difference(expected, table(['x'], ['1'], ['2']), IN_ORDER), undefined);
  assert.match(difference(expected, table(['x'], ['2'], ['1']), IN_ORDER)!, /row 1 of 2/);
  assert.match(difference(expected, table(['x'], ['1'], ['2'], ['3']), IN_ORDER)!, /got \| 3 \|/);
  assert.match(difference(expected, table(['x'], ['1']), IN_ORDER)!, /got no row/);
});

test('columns are compared by name and order', () => {
  assert.match(difference(table(['a', 'b'], ['1', '2']), table(['b', 'a'], ['2', '1']), ANY_ORDER)!, /columns/);
  assert.match(difference(table(['a']), table([]), ANY_ORDER)!, /columns/);
});

test('the order inside lists counts unless the step ignores it', () => {
  const expected = table(['x'], ['[1, [2, 3]]']);
  const actual = table(['x'], ['[[3, 2], 1]']);
  assert.notEqual(difference(expected, actual, ANY_ORDER), undefined);
  assert.equal(difference(expected, actual, { inOrder: false, ignoreListOrder: true }), undefined);
  assert.notEqual(difference(expected, table(['x'], ['[[3, 3], 1]']), { inOrder: false, ignoreListOrder: true }), undefined);
});

test('a cell cannot pretend to be two', () => {
  assert.notEqual(difference(table(['a', 'b'], ["'x'", "'y'"]), table(['a', 'b'], ["'x\\' | \\'y'", "''"]), ANY_ORDER), undefined);
});
