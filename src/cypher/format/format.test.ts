import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Expression } from '../ast.ts';
import { parse } from '../parser/parse.ts';
import { arbitraryExpression, arbitraryStatement } from '../testing/arbitrary-tree.ts';
import { withoutPlaces } from '../testing/comparable.ts';
import { formatExpression } from './expressions.ts';
import { formatStatement } from './statement.ts';

function parseExpression(text: string): Expression {
  const { body } = parse(`RETURN ${text} AS x`);
  assert(body.kind === 'query');
  const clause = body.parts[0]!.clauses[0]!;
  assert(clause.kind === 'return');
  return clause.projection.items[0]!.expression;
}

test('parsing what is written gives the same expression', () => {
  fc.assert(
    fc.property(arbitraryExpression, (expression) => {
      assert.deepEqual(withoutPlaces(parseExpression(formatExpression(expression))), withoutPlaces(expression));
    }),
    { numRuns: 1000 },
  );
});

test('parsing what is written gives the same statement', () => {
  fc.assert(
    fc.property(arbitraryStatement, (statement) => {
      assert.deepEqual(withoutPlaces(parse(formatStatement(statement))), withoutPlaces(statement));
    }),
    { numRuns: 200 },
  );
});
