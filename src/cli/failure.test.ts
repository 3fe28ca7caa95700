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
