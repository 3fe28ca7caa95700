/** Map literals `{key: value}` and map projections `n {.*, .key, key: value, variable}`. */
import type { Expression, MapLiteral, MapProjection, Variable } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseVariable } from './atoms.ts';
import { parseBracketed } from './expressions.ts';

interface Entry {
  readonly key: string;
  readonly value: Expression;
}

/** Parses a map literal. */
export function parseMap(cursor: Cursor): MapLiteral {
  const { start } = cursor.expectSymbol('{');
  const entries: Entry[] = [];
  if (!cursor.isSymbol('}')) {
    do entries.push(parseEntry(cursor));
    while (cursor.acceptSymbol(','));
  }
  cursor.expectSymbol('}');
  return { kind: 'map', entries, span: cursor.spanFrom(start) };
}

function parseEntry(cursor: Cursor): Entry {
  const { fault } = cursor.current;
  // A key that starts with a digit is reported as an invalid key and not as an invalid number.
  if (fault?.tck?.detail === 'InvalidNumberLiteral') {
    throw cursor.fault(cursor.current, 'UnexpectedSyntax', 'expected a key: a name, which cannot start with a digit unless in backticks');
  }
  const key = cursor.expectName('a key');
  cursor.expectSymbol(':');
  return { key, value: parseBracketed(cursor) };
}

/** Parses a map projection of a variable. */
export function parseMapProjection(cursor: Cursor, subject: Variable): MapProjection {
  cursor.expectSymbol('{');
  let all = false;
  const entries: Entry[] = [];
  if (!cursor.isSymbol('}')) {
    do {
      if (cursor.isSymbol('.') && cursor.isSymbol('*', 1)) {
        cursor.advance();
        cursor.advance();
        all = true;
      } else entries.push(parseProjectionEntry(cursor, subject));
    } while (cursor.acceptSymbol(','));
  }
  cursor.expectSymbol('}');
  return { kind: 'mapProjection', subject, all, entries, span: cursor.spanFrom(subject.span.start) };
}

function parseProjectionEntry(cursor: Cursor, subject: Variable): Entry {
  const { start } = cursor.current;
  if (cursor.acceptSymbol('.')) {
    const key = cursor.expectName('a property key');
    return { key, value: { kind: 'property', subject, key, span: cursor.spanFrom(start) } };
  }
  if (cursor.isSymbol(':', 1)) return parseEntry(cursor);
  const variable = parseVariable(cursor);
  return { key: variable.name, value: variable };
}
