/** Queries in braces: those of CALL, and those of EXISTS, COUNT and COLLECT, of which the former two may be a bare pattern. */
import type { MatchClause, Query, SubqueryExpression } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { conjunction, parsePatternList } from '../patterns.ts';
import { parseQuery, type QueryPlace } from '../query.ts';
import { parseWhere } from './atoms.ts';

/** Parses the query of EXISTS, COUNT or COLLECT; for EXISTS and COUNT a pattern without MATCH is enough. */
export function parseInnerQuery(cursor: Cursor, place: SubqueryExpression['mode']): Query {
  return parseBraces(cursor, () => (place !== 'collect' && isBarePattern(cursor) ? parseBarePattern(cursor) : parseQuery(cursor, place)));
}

/** Parses a query in braces. */
export function parseBracedQuery(cursor: Cursor, place: QueryPlace): Query {
  return parseBraces(cursor, () => parseQuery(cursor, place));
}

function parseBraces(cursor: Cursor, parse: () => Query): Query {
  cursor.expectSymbol('{');
  const query = cursor.bracketed(parse);
  cursor.expectSymbol('}');
  return query;
}

function isBarePattern(cursor: Cursor): boolean {
  if (cursor.isSymbol('(') || (cursor.isKind('name') && cursor.isSymbol('=', 1))) return true;
  return ['SHORTESTPATH', 'ALLSHORTESTPATHS', 'SHORTEST', 'ANY', 'ALL'].some((keyword) => cursor.isKeyword(keyword));
}

function parseBarePattern(cursor: Cursor): Query {
  const { start } = cursor.current;
  const { patterns, groupPredicates } = parsePatternList(cursor);
  const where = parseWhere(cursor);
  const span = cursor.spanFrom(start);
  const match: MatchClause = {
    kind: 'match',
    optional: false,
    patterns,
    where: conjunction(where === null ? groupPredicates : [...groupPredicates, where]),
    span,
  };
  return { kind: 'query', parts: [{ kind: 'singleQuery', clauses: [match], span }], unions: [], span };
}
