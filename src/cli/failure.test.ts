/** How failures are told: the line of the query with a caret under the place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../base/index.ts';
import { describeFailure } from './failure.ts';

test('a fault in the text shows the line and a caret, tabs kept', () => {
  const error = new GraphDBError('SYNTAX_ERROR', 'unexpected ")"', { line: 2, column: 9 });
  assert.equal(
    describeFailure(error, 'MATCH (n)\n\tRETURN )\n'),
    'graphdb: unexpected ")" (SYNTAX_ERROR)\n  2 | \tRETURN )\n    | \t       ^',
  );
});

test('a fault beyond the end of the text points behind it', () => {
  const error = new GraphDBError('SYNTAX_ERROR', 'unexpected end', { line: 1, column: 8 });
  assert.equal(describeFailure(error, 'RETURN '), 'graphdb: unexpected end (SYNTAX_ERROR)\n  1 | RETURN \n    |        ^');
});

test('a fault without a place is one line', () => {
  assert.equal(describeFailure(new GraphDBError('TYPE_ERROR', 'not a number'), 'RETURN 1'), 'graphdb: not a number (TYPE_ERROR)');
});

test('control characters of values do not reach the terminal', () => {
  const error = new GraphDBError('ARGUMENT_ERROR', '"a\u001b]0;x\u0007\u009b31m\n" is no date');
  assert.equal(describeFailure(error), 'graphdb: "a\\u001b]0;x\\u0007\\u009b31m\n" is no date (ARGUMENT_ERROR)');
  assert.match(describeFailure(new Error('\u001b[2J')), /\\u001b\[2J/);
});
