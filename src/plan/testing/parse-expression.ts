/** Expressions for tests, from text. Names are as written: what the binder would refuse or rename, a test does not write. */
import assert from 'node:assert/strict';
import { type Expression, parse } from '../../cypher/index.ts';

export function parseExpression(text: string): Expression {
  const { body } = parse(`RETURN ${text} AS x`);
  assert(body.kind === 'query');
  const clause = body.parts[0]!.clauses[0]!;
  assert(clause.kind === 'return');
  return clause.projection.items[0]!.expression;
}
