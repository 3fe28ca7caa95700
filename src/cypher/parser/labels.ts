/** Label and type expressions: `A`, `A|B`, `A&!B`, `%`, `(A|B)&C`, `$(expression)`, and the older `A:B` and `A|:B`. */
import type { LabelExpression, LabelName } from '../ast.ts';
import type { Cursor } from './cursor.ts';
import { parseBracketed } from './expressions/expressions.ts';

/** Parses a label expression after its colon or IS. */
export function parseLabelExpression(cursor: Cursor): LabelExpression {
  return cursor.nested(() => parseOr(cursor));
}

function parseOr(cursor: Cursor): LabelExpression {
  const { start } = cursor.current;
  const operands = [parseAnd(cursor)];
  while (!cursor.barEnds && cursor.acceptSymbol('|')) {
    cursor.acceptSymbol(':');
    operands.push(parseAnd(cursor));
  }
  return operands.length === 1 ? operands[0]! : { kind: 'labelOr', operands, span: cursor.spanFrom(start) };
}

function parseAnd(cursor: Cursor): LabelExpression {
  const { start } = cursor.current;
  const operands = [parseNot(cursor)];
  while (cursor.acceptSymbol('&') || cursor.acceptSymbol(':')) operands.push(parseNot(cursor));
  return operands.length === 1 ? operands[0]! : { kind: 'labelAnd', operands, span: cursor.spanFrom(start) };
}

function parseNot(cursor: Cursor): LabelExpression {
  const { start } = cursor.current;
  if (!cursor.isSymbol('!')) return parseLabelAtom(cursor);
  cursor.advance();
  const operand = cursor.nested(() => parseNot(cursor));
  return { kind: 'labelNot', operand, span: cursor.spanFrom(start) };
}

function parseLabelAtom(cursor: Cursor): LabelExpression {
  const { start } = cursor.current;
  if (cursor.isSymbol('%')) {
    cursor.advance();
    return { kind: 'labelWildcard', span: cursor.spanFrom(start) };
  }
  if (cursor.isSymbol('(')) {
    cursor.advance();
    const inner = cursor.bracketed(() => parseOr(cursor));
    cursor.expectSymbol(')');
    return inner;
  }
  if (cursor.isSymbol('$') || (cursor.isKind('parameter') && cursor.isSymbol('(', 1))) return parseDynamicLabel(cursor);
  const name = cursor.expectName('a label or type');
  return { kind: 'labelName', name, span: cursor.spanFrom(start) };
}

/** Parses `$(expression)`, `$all(…)` or `$any(…)`; the lexer reads the beginning of the latter two as a parameter. */
function parseDynamicLabel(cursor: Cursor): LabelExpression {
  const { start } = cursor.current;
  const word = cursor.isKind('parameter') ? cursor.current.text.toLowerCase() : 'all';
  if (word !== 'all' && word !== 'any') throw cursor.unexpected('$(', '$all(', '$any(');
  cursor.advance();
  cursor.expectSymbol('(');
  const expression = parseBracketed(cursor);
  cursor.expectSymbol(')');
  return { kind: 'labelDynamic', expression, any: word === 'any', span: cursor.spanFrom(start) };
}

/** Parses `:A:B` or `:$(expression)` of SET and REMOVE. The first colon must be the current token. */
export function parseLabelNames(cursor: Cursor): LabelName[] {
  const labels: LabelName[] = [];
  while (
    cursor.acceptSymbol(':') ||
    (labels.length === 0 && cursor.acceptKeyword('IS')) ||
    (labels.length > 0 && cursor.acceptSymbol('&'))
  ) {
    if (cursor.isSymbol('$')) {
      cursor.advance();
      cursor.expectSymbol('(');
      labels.push(parseBracketed(cursor));
      cursor.expectSymbol(')');
    } else labels.push(cursor.expectName('a label'));
  }
  if (labels.length === 0) throw cursor.unexpected();
  return labels;
}
