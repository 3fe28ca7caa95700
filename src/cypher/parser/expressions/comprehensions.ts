/**
 * Expressions in square brackets: list literals, `[x IN list WHERE … | …]`, `[p = (a)-->(b) WHERE … | …]`; and the
 * similar calls `all(x IN list WHERE …)` and `reduce(acc = 0, x IN list | …)`.
 */
import type { Expression, ListComprehension, PatternComprehension, Quantifier, Reduce } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { isPatternAhead, parseComprehensionPattern, patternEnd } from '../patterns.ts';
import { parseVariable, parseWhere } from './atoms.ts';
import { parseBracketed, parseExpression } from './expressions.ts';

/** Parses an expression in square brackets. */
export function parseListOrComprehension(cursor: Cursor): Expression {
  if (isPatternComprehension(cursor)) return parsePatternComprehension(cursor);
  if (cursor.isKind('name', 1) && cursor.isKeyword('IN', 2) && !hasTopLevelComma(cursor)) return parseListComprehension(cursor);
  return parseList(cursor);
}

function parseList(cursor: Cursor): Expression {
  const { start } = cursor.expectSymbol('[');
  const items: Expression[] = [];
  if (!cursor.isSymbol(']')) {
    do items.push(parseBracketed(cursor));
    while (cursor.acceptSymbol(','));
  }
  cursor.expectSymbol(']');
  return { kind: 'list', items, span: cursor.spanFrom(start) };
}

/** Tells whether a comma is directly inside the brackets that open here. Visits each token of this level once. */
function hasTopLevelComma(cursor: Cursor): boolean {
  const close = cursor.current.match;
  for (let i = cursor.index + 1; i < close; i++) {
    const token = cursor.tokenAt(i);
    if (token.kind === 'symbol' && token.text === ',') return true;
    if (token.match > i) i = token.match;
  }
  return false;
}

/** Tells whether a pattern comes next that is followed by `|` or WHERE. */
function isPatternComprehension(cursor: Cursor): boolean {
  const distance = cursor.isKind('name', 1) && cursor.isSymbol('=', 2) ? 3 : 1;
  if (!isPatternAhead(cursor, distance)) return false;
  const end = patternEnd(cursor, cursor.index + distance);
  if (end < 0) return false;
  const behind = cursor.tokenAt(end);
  return behind.keyword === 'WHERE' || (behind.kind === 'symbol' && behind.text === '|');
}

function parseListComprehension(cursor: Cursor): ListComprehension {
  const { start } = cursor.expectSymbol('[');
  const { variable, list, where } = parseBinding(cursor);
  const projection = cursor.acceptSymbol('|') ? parseBracketed(cursor) : null;
  cursor.expectSymbol(']');
  return { kind: 'listComprehension', variable, list, where, projection, span: cursor.spanFrom(start) };
}

function parsePatternComprehension(cursor: Cursor): PatternComprehension {
  const { start } = cursor.expectSymbol('[');
  const pattern = parseComprehensionPattern(cursor);
  const where = beforeBar(cursor, () => parseWhere(cursor));
  cursor.expectSymbol('|');
  const projection = parseBracketed(cursor);
  cursor.expectSymbol(']');
  return { kind: 'patternComprehension', pattern, where, projection, span: cursor.spanFrom(start) };
}

/** Parses `x IN list WHERE predicate`, where WHERE is optional. */
function parseBinding(cursor: Cursor) {
  const variable = parseVariable(cursor);
  cursor.expectKeyword('IN');
  const list = beforeBar(cursor, () => parseExpression(cursor));
  const where = beforeBar(cursor, () => parseWhere(cursor));
  return { variable, list, where };
}

/** Runs `parse` for an expression that a `|` ends. */
export function beforeBar<T>(cursor: Cursor, parse: () => T): T {
  return cursor.bracketed(() => {
    cursor.barEnds = true;
    return parse();
  });
}

/** Tells whether `all(`, `any(`, `none(` or `single(` over a list comes next. */
export function isQuantifierAhead(cursor: Cursor): boolean {
  return (
    ['ALL', 'ANY', 'NONE', 'SINGLE'].includes(cursor.current.keyword) &&
    cursor.isSymbol('(', 1) &&
    cursor.isKind('name', 2) &&
    cursor.isKeyword('IN', 3)
  );
}

/** Parses a quantifier. */
export function parseQuantifier(cursor: Cursor): Quantifier {
  const word = cursor.advance();
  cursor.expectSymbol('(');
  const variable = parseVariable(cursor);
  cursor.expectKeyword('IN');
  const list = parseBracketed(cursor);
  const where = cursor.acceptKeyword('WHERE') ? parseBracketed(cursor) : null;
  cursor.expectSymbol(')');
  const quantifier = word.keyword.toLowerCase() as Quantifier['quantifier'];
  return { kind: 'quantifier', quantifier, variable, list, where, span: cursor.spanFrom(word.start) };
}

/** Tells whether `reduce()` comes next. */
export function isReduceAhead(cursor: Cursor): boolean {
  return cursor.isKeyword('REDUCE') && cursor.isSymbol('(', 1) && cursor.isKind('name', 2) && cursor.isSymbol('=', 3);
}

/** Parses `reduce()`. */
export function parseReduce(cursor: Cursor): Reduce {
  const { start } = cursor.advance();
  cursor.expectSymbol('(');
  const accumulator = parseVariable(cursor);
  cursor.expectSymbol('=');
  const initial = parseBracketed(cursor);
  cursor.expectSymbol(',');
  const variable = parseVariable(cursor);
  cursor.expectKeyword('IN');
  const list = beforeBar(cursor, () => parseExpression(cursor));
  cursor.expectSymbol('|');
  const expression = parseBracketed(cursor);
  cursor.expectSymbol(')');
  return { kind: 'reduce', accumulator, initial, variable, list, expression, span: cursor.spanFrom(start) };
}
