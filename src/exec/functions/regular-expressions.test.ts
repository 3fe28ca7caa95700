/** The patterns of `=~`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesRegularExpression } from './regular-expressions.ts';

test('the whole string matches, patterns come again, and one that is too long is refused before it is compiled', () => {
  const long = `${'(a|b)'.repeat(1_000)}|x`;
  for (let round = 0; round < 2; round++) {
    assert.equal(matchesRegularExpression('x', 'x|y'), true);
    assert.equal(matchesRegularExpression('xx', 'x|y'), false);
    assert.equal(matchesRegularExpression('x', long), true);
    assert.equal(matchesRegularExpression('ab'.repeat(500), long), true);
    assert.equal(matchesRegularExpression(null, long), null);
  }
  assert.throws(() => matchesRegularExpression('x', 'x'.repeat(40_000)), { code: 'ARGUMENT_ERROR', message: /40000 characters/ });
});
