/** The smallest expressions: literals, parameters, variables, parentheses, CASE, calls, and all that start with a keyword of their own. */
import type { CaseExpression, Expression, Parameter, SubqueryExpression, Variable } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { isPatternAhead, parsePatternExpression, parseShortestPathFunction } from '../patterns.ts';
import { isCallAhead, parseCall } from './calls.ts';
import { parseListOrComprehension } from './comprehensions.ts';
import { integerValue, isPredicateAhead, parseBracketed, parseExpression, parsePredicateOf } from './expressions.ts';
import { parseMap, parseMapProjection } from './maps.ts';
import { parseInnerQuery } from './subqueries.ts';

/** Keywords that cannot be the name of a variable in an expression, unless in backticks. */
const RESERVED = new Set(
  'AND OR XOR NOT IN IS AS WHERE RETURN WITH MATCH CREATE MERGE SET REMOVE DELETE DETACH UNWIND UNION WHEN THEN ELSE DISTINCT'.split(' '),
);

/** Parses an expression without operators. */
export function parseAtom(cursor: Cursor): Expression {
  const token = cursor.current;
  switch (token.kind) {
    case 'integer':
      cursor.advance();
      return { kind: 'literal', value: integerValue(cursor, token), span: cursor.spanFrom(token.start) };
    case 'float':
      cursor.advance();
      return { kind: 'literal', value: token.value, span: cursor.spanFrom(token.start) };
    case 'string':
      cursor.advance();
      return { kind: 'literal', value: token.text, span: cursor.spanFrom(token.start) };
    case 'parameter':
      return parseParameter(cursor);
    case 'name':
      return parseNamed(cursor);
    case 'symbol':
      return parseSymbolic(cursor);
    default:
      throw cursor.unexpected('an expression');
  }
}

/** Parses a parameter. */
export function parseParameter(cursor: Cursor): Parameter {
  const token = cursor.expectKind('parameter', 'a parameter');
  if (token.text.startsWith('#')) throw cursor.fault(token, 'InvalidParameterUse', 'names of parameters must not start with #');
  return { kind: 'parameter', name: token.text, span: cursor.spanFrom(token.start) };
}

function parseSymbolic(cursor: Cursor): Expression {
  if (cursor.isSymbol('[')) return parseListOrComprehension(cursor);
  if (cursor.isSymbol('{')) return parseMap(cursor);
  if (!cursor.isSymbol('(')) throw cursor.unexpected('an expression');
  if (isPatternAhead(cursor)) return parsePatternExpression(cursor);
  cursor.advance();
  const inner = parseBracketed(cursor);
  cursor.expectSymbol(')');
  return inner;
}

function parseNamed(cursor: Cursor): Expression {
  const { keyword, start } = cursor.current;
  switch (keyword) {
    case 'TRUE':
    case 'FALSE':
      cursor.advance();
      return { kind: 'literal', value: keyword === 'TRUE', span: cursor.spanFrom(start) };
    case 'NULL':
      cursor.advance();
      return { kind: 'literal', value: null, span: cursor.spanFrom(start) };
    case 'CASE':
      return parseCase(cursor);
    case 'EXISTS':
    case 'COUNT':
    case 'COLLECT':
      if (cursor.isSymbol('{', 1)) return parseSubquery(cursor);
      break;
    case 'SHORTESTPATH':
    case 'ALLSHORTESTPATHS':
      if (cursor.isSymbol('(', 1)) return parseShortestPathFunction(cursor);
      break;
  }
  if (RESERVED.has(keyword)) throw cursor.unexpected('an expression');
  if (isCallAhead(cursor)) return parseCall(cursor);
  const variable = parseVariable(cursor);
  return cursor.isSymbol('{') ? parseMapProjection(cursor, variable) : variable;
}

/** Parses a variable. */
export function parseVariable(cursor: Cursor): Variable {
  const { start } = cursor.current;
  const name = cursor.expectName('a variable');
  return { kind: 'variable', name, span: cursor.spanFrom(start) };
}

function parseCase(cursor: Cursor): CaseExpression {
  const { start } = cursor.advance();
  const subject = cursor.isKeyword('WHEN') ? null : parseBracketed(cursor);
  const branches: (CaseExpression['branches'][number] & { readonly isPartial: boolean })[] = [];
  do {
    cursor.expectKeyword('WHEN');
    const whens = [parseWhen(cursor, subject)];
    while (subject !== null && cursor.acceptSymbol(',')) whens.push(parseWhen(cursor, subject));
    cursor.expectKeyword('THEN');
    // `WHEN 1, 2 THEN x` is two branches with the same result.
    const then = parseBracketed(cursor);
    for (const when of whens) branches.push({ ...when, then });
  } while (cursor.isKeyword('WHEN'));
  const otherwise = cursor.acceptKeyword('ELSE') ? parseBracketed(cursor) : null;
  cursor.expectKeyword('END');
  const span = cursor.spanFrom(start);
  const isSearched = subject === null || branches.some(({ isPartial }) => isPartial);
  const conditions = branches.map(({ when, then, isPartial }) => ({
    when: subject === null || isPartial || !isSearched ? when : equality(subject, when),
    then,
  }));
  return { kind: 'case', subject: isSearched ? null : subject, branches: conditions, otherwise, span };
}

/** Parses a condition. After a subject it is a value to compare with it, or a partial predicate: `< 5`, `IS NULL`, `STARTS WITH 'a'`. */
function parseWhen(cursor: Cursor, subject: Expression | null): { readonly when: Expression; readonly isPartial: boolean } {
  if (subject === null || !isPredicateAhead(cursor)) return { when: parseBracketed(cursor), isPartial: false };
  return { when: cursor.bracketed(() => parsePredicateOf(cursor, subject)), isPartial: true };
}

function equality(subject: Expression, value: Expression): Expression {
  return { kind: 'comparison', operators: ['='], operands: [subject, value], span: value.span };
}

function parseSubquery(cursor: Cursor): SubqueryExpression {
  const word = cursor.advance();
  const mode = word.keyword === 'EXISTS' ? 'exists' : word.keyword === 'COUNT' ? 'count' : 'collect';
  const query = parseInnerQuery(cursor, mode);
  return { kind: 'subquery', mode, query, span: cursor.spanFrom(word.start) };
}

/** Parses `WHERE expression`; null if there is no WHERE. */
export function parseWhere(cursor: Cursor): Expression | null {
  return cursor.acceptKeyword('WHERE') ? parseExpression(cursor) : null;
}
