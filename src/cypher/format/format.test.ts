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

test('schema commands and searches of search indexes are written so that they are read again', () => {
  for (const text of [
    'CREATE VECTOR INDEX $name IF NOT EXISTS FOR (n:`A b`|B) ON (n.v) WITH [n.x, n.`y z`] OPTIONS {indexConfig: {`vector.dimensions`: $d}}',
    'CREATE VECTOR INDEX FOR ()-[r:R|S]-() ON (r.v)',
    'CREATE FULLTEXT INDEX f FOR (n:A|B) ON EACH [n.x, n.y]',
    'MATCH (n:A) SEARCH n IN (VECTOR INDEX `i j` FOR $v WHERE n.x = 1 AND n.y > 2 LIMIT 3 + 4) SCORE AS s WHERE s > 0.5 RETURN n',
    "MATCH ()-[r]->() SEARCH r IN (FULLTEXT INDEX $i FOR 'a b' LIMIT 3) RETURN r",
  ]) {
    const statement = parse(text);
    assert.deepEqual(withoutPlaces(parse(formatStatement(statement))), withoutPlaces(statement), text);
    assert.equal(formatStatement(parse(formatStatement(statement))), formatStatement(statement));
  }
});
