/** The patterns of `=~`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../value/index.ts';
import { matchesRegularExpression } from './regular-expressions.ts';

function matches(text: Value, pattern: Value, counted: number[] = []): Value {
  return matchesRegularExpression({ count: (steps) => counted.push(steps) }, text, pattern);
}

test('the whole string matches, patterns come again, and one that is too long is refused before it is compiled', () => {
  const long = `${'(a|b)'.repeat(1_000)}|x`;
  for (let round = 0; round < 2; round++) {
    assert.equal(matches('x', 'x|y'), true);
    assert.equal(matches('xx', 'x|y'), false);
    assert.equal(matches('x', long), true);
    assert.equal(matches('ab'.repeat(500), long), true);
    assert.equal(matches(null, long), null);
  }
  assert.throws(() => matches('x', 'x'.repeat(40_000)), { code: 'ARGUMENT_ERROR', message: /40000 characters/ });
});

test('a match counts the text times the size of the pattern before it begins', () => {
  const counted: number[] = [];
  assert.equal(matches('ab'.repeat(5_000), '.*a.{200}c', counted), false);
  const steps = Math.max(...counted);
  assert.ok(steps > (10_000 * 200) / 8, `${steps} steps`);
});

test('counts in a pattern multiply it: compiling it counts all of its instructions', () => {
  const counted: number[] = [];
  assert.equal(matches('x', '(?:abcdefghij){1000}', counted), false);
  assert.ok(Math.max(...counted) >= 10_000, `${Math.max(...counted)} steps`);
});
