import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpression } from '../testing/parse-expression.ts';
import { conjuncts } from './conjuncts.ts';
import { formatExpression } from './format-expression.ts';
import { mergeEqualities } from './merge-equalities.ts';

const split = (text: string): string[] => conjuncts(parseExpression(text)).map(formatExpression);

test('a conjunction is taken apart, however deep', () => {
  assert.deepEqual(split('a.x = 1 AND (b.y = 2 AND c)'), ['a.x = 1', 'b.y = 2', 'c']);
});

test('NOT (a OR b) is NOT a AND NOT b; NOT (a AND b) stays whole', () => {
  assert.deepEqual(split('NOT (a OR b)'), ['NOT a', 'NOT b']);
  assert.deepEqual(split('NOT (a AND b)'), ['NOT (a AND b)']);
  assert.deepEqual(split('NOT NOT a'), ['a']);
});

test('a chain of comparisons is its links', () => {
  assert.deepEqual(split('1 < a.x <= 3'), ['1 < a.x', 'a.x <= 3']);
});

test('a disjunction and an exclusive one stay whole', () => {
  assert.deepEqual(split('a OR b'), ['a OR b']);
  assert.deepEqual(split('a XOR b'), ['a XOR b']);
});

const merged = (text: string): string => formatExpression(mergeEqualities(parseExpression(text)));

test('equalities of one property with constants become a membership', () => {
  assert.equal(merged('n.x = 1 OR $p = n.x OR n.x IN [3, 4]'), 'n.x IN [1, $p, 3, 4]');
  assert.equal(merged('b AND (n.x = 1 OR n.x = 2)'), 'b AND (n.x IN [1, 2])');
});

test('a disjunction of anything else is left as it is', () => {
  for (const text of ['(n.x = 1) OR (n.y = 2)', '(n.x = 1) OR (n.x > 2)', '(n.x = m.x) OR (n.x = 2)', '(n.x = 1) OR b']) {
    assert.equal(merged(text), text);
  }
});
