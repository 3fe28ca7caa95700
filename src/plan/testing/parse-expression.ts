/**
 * Parses expressions for tests. Names stay as written, since there is no binder: a test must not use what the binder
 * would refuse or rename.
 */
import assert from 'node:assert/strict';
import { type Expression, parse } from '../../cypher/index.ts';

/** Parses the text of an expression. */
export function parseExpression(text: string): Expression {
  const { body } = parse(`RETURN ${text} AS x`);
  assert(body.kind === 'query');
  const clause = body.parts[0]!.clauses[0]!;
  assert(clause.kind === 'return');
  return clause.projection.items[0]!.expression;
}
