/** Lookups after an expression: `.key`, `[index]`, `[from..to]`, and the label test `:Label`. */
import type { Expression, Span } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseLabelExpression } from '../labels.ts';
import { parseBracketed } from './expressions.ts';

/** Parses lookups and a label test after an expression. */
export function parsePostfix(cursor: Cursor, atom: Expression): Expression {
  const looked = parseLookups(cursor, atom);
  if (!cursor.isSymbol(':')) return looked;
  cursor.advance();
  const labels = parseLabelExpression(cursor);
  return { kind: 'hasLabels', subject: looked, labels, span: cursor.spanFrom(atom.span.start) };
}

/** Parses lookups without a label test, as the targets of SET and REMOVE need. */
export function parseLookups(cursor: Cursor, atom: Expression): Expression {
  let subject = atom;
  for (;;) {
    if (cursor.isSymbol('.')) {
      cursor.advance();
      const key = cursor.expectName('a property key');
      subject = { kind: 'property', subject, key, span: cursor.spanFrom(atom.span.start) };
    } else if (cursor.isSymbol('[')) subject = parseIndex(cursor, subject);
    else return subject;
  }
}

function parseIndex(cursor: Cursor, subject: Expression): Expression {
  cursor.advance();
  const from = cursor.isSymbol('..') ? null : parseBracketed(cursor);
  const slice = cursor.acceptSymbol('..');
  const to = slice && !cursor.isSymbol(']') ? parseBracketed(cursor) : null;
  cursor.expectSymbol(']');
  const span: Span = cursor.spanFrom(subject.span.start);
  return slice ? { kind: 'slice', subject, from, to, span } : { kind: 'index', subject, index: from!, span };
}
