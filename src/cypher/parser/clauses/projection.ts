/** The lists of WITH, RETURN and YIELD, with DISTINCT, ORDER BY, SKIP and LIMIT. */
import type { Projection, ProjectionItem, SortItem, Variable } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseVariable } from '../expressions/atoms.ts';
import { parseExpression } from '../expressions/expressions.ts';

/** Parses the items of a projection and what follows them. */
export function parseProjection(cursor: Cursor): Projection {
  const { start } = cursor.current;
  const distinct = cursor.isKeyword('DISTINCT') && !isItemEnd(cursor, 1);
  if (distinct) cursor.advance();
  let star = false;
  const items: ProjectionItem[] = [];
  if (cursor.acceptSymbol('*')) star = true;
  else items.push(parseItem(cursor));
  while (cursor.acceptSymbol(',')) items.push(parseItem(cursor));
  return { distinct, star, items, ...parseTail(cursor), span: cursor.spanFrom(start) };
}

/** Makes the projection of an implicit `WITH *`, followed by `items`. */
export function parseStarProjection(cursor: Cursor, start: number, items: readonly ProjectionItem[]): Projection {
  return { distinct: false, star: true, items, orderBy: [], skip: null, limit: null, span: cursor.spanFrom(start) };
}

/** Tells whether an item ends before the token at `distance`, so that a keyword before it is the name of a variable. */
function isItemEnd(cursor: Cursor, distance: number): boolean {
  return (
    cursor.isSymbol(',', distance) || cursor.isSymbol('.', distance) || cursor.isKind('end', distance) || cursor.isKeyword('AS', distance)
  );
}

function parseItem(cursor: Cursor): ProjectionItem {
  const { start } = cursor.current;
  const expression = parseExpression(cursor);
  // The text as written, including parentheses around the whole.
  const column = cursor.text.slice(start, cursor.previousEnd);
  const variable = cursor.acceptKeyword('AS') ? parseVariable(cursor) : null;
  const span = cursor.spanFrom(start);
  if (variable !== null) return { expression, variable, column: variable.name, aliased: true, span };
  if (expression.kind === 'variable') return { expression, variable: expression, column: expression.name, aliased: false, span };
  // A map projection is named after its subject.
  if (expression.kind === 'mapProjection') {
    const { subject } = expression;
    return { expression, variable: subject, column: subject.name, aliased: false, span };
  }
  const named: Variable = { kind: 'variable', name: column, span };
  return { expression, variable: named, column, aliased: false, span };
}

/** Parses ORDER BY, SKIP and LIMIT. */
export function parseTail(cursor: Cursor): Pick<Projection, 'orderBy' | 'skip' | 'limit'> {
  const orderBy = cursor.acceptKeywords('ORDER', 'BY') ? parseSortItems(cursor) : [];
  let skip = null;
  let limit = null;
  if (cursor.acceptAnyKeyword('SKIP', 'OFFSET')) skip = parseExpression(cursor);
  if (cursor.acceptKeyword('LIMIT')) limit = parseExpression(cursor);
  return { orderBy, skip, limit };
}

function parseSortItems(cursor: Cursor): SortItem[] {
  const items: SortItem[] = [];
  do {
    const { start } = cursor.current;
    const expression = parseExpression(cursor);
    const descending = cursor.acceptAnyKeyword('DESC', 'DESCENDING');
    if (!descending) cursor.acceptAnyKeyword('ASC', 'ASCENDING');
    items.push({ expression, descending, span: cursor.spanFrom(start) });
  } while (cursor.acceptSymbol(','));
  return items;
}
