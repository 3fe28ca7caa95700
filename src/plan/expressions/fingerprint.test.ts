import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpression } from '../testing/parse-expression.ts';
import { hasLabels } from './build.ts';
import { fingerprint } from './fingerprint.ts';

const same = (left: string, right: string): boolean => fingerprint(parseExpression(left)) === fingerprint(parseExpression(right));

test('the place in the text and the case of function names make no difference', () => {
  assert(same('toUpper(a.x)  +  1', 'TOUPPER(a.x)+1'));
});

test('names of local variables make no difference', () => {
  assert(same('[x IN l WHERE x > 1 | x]', '[y IN l WHERE y > 1 | y]'));
  assert(same('reduce(s = 0, x IN l | s + x)', 'reduce(t = 0, y IN l | t + y)'));
});

test('free variables, keys, operators and values make one', () => {
  for (const [left, right] of [
    ['a.x', 'b.x'],
    ['a.x', 'a.y'],
    ['a + b', 'b + a'],
    ['1', '1.0'],
    ['1', "'1'"],
    ['0.0', '-0.0'],
    ['9223372036854775807', '9223372036854775806'],
    ['count(a)', 'count(DISTINCT a)'],
    ['[x IN l | x]', '[x IN m | x]'],
  ] as const) {
    assert(!same(left, right), `${left} and ${right}`);
  }
});

test('nodes without a name of the user are told apart', () => {
  const labels = { kind: 'labelName', name: 'A', span: { start: 0, end: 0 } } as const;
  assert.notEqual(fingerprint(hasLabels('#n1', labels)), fingerprint(hasLabels('#n2', labels)));
});
