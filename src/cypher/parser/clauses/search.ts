/** SEARCH after the patterns of MATCH, which names the index that finds the values of one of their variables. */
import type { IndexSearch } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseParameter, parseVariable, parseWhere } from '../expressions/atoms.ts';
import { parseExpression } from '../expressions/expressions.ts';

/** Parses `SEARCH n IN (VECTOR INDEX name FOR query [WHERE …] LIMIT k) [SCORE AS s]`. */
export function parseSearch(cursor: Cursor): IndexSearch {
  const { start } = cursor.expectKeyword('SEARCH');
  const variable = parseVariable(cursor);
  cursor.expectKeyword('IN');
  cursor.expectSymbol('(');
  const indexType = cursor.expectAnyKeyword('VECTOR', 'FULLTEXT').keyword === 'VECTOR' ? 'vector' : 'fulltext';
  cursor.expectKeyword('INDEX');
  const name = cursor.isKind('parameter') ? parseParameter(cursor) : cursor.expectName('the name of the index');
  cursor.expectKeyword('FOR');
  const query = parseExpression(cursor);
  const where = parseWhere(cursor);
  cursor.expectKeyword('LIMIT');
  const limit = parseExpression(cursor);
  cursor.expectSymbol(')');
  const isScored = cursor.acceptKeyword('SCORE');
  if (isScored) cursor.expectKeyword('AS');
  const score = isScored ? parseVariable(cursor) : null;
  return { kind: 'indexSearch', variable, indexType, name, query, where, limit, score, span: cursor.spanFrom(start) };
}
