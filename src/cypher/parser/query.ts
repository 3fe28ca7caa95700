/** Queries: sequences of clauses, of which the last may end the query, joined by UNION. */
import type { Clause, Query, SingleQuery } from '../ast.ts';
import { isUpdate, parseClause } from './clauses/clauses.ts';
import { skipUse } from './clauses/use.ts';
import type { Cursor } from './cursor.ts';

/**
 * The place of a query, which decides how it may end: `statement` and `call` with RETURN, an update, a call or FINISH;
 * `exists` with any clause; `count` with any clause, except that the parts of a distinct UNION need a RETURN, which
 * says when two rows are equal; `collect` with RETURN.
 */
export type QueryPlace = 'statement' | 'call' | 'exists' | 'count' | 'collect';

/** Parses a query. */
export function parseQuery(cursor: Cursor, place: QueryPlace): Query {
  const { start } = cursor.current;
  const unions: ('all' | 'distinct')[] = [];
  const parts = [parseSingleQuery(cursor, place, unions)];
  while (cursor.isKeyword('UNION')) {
    const union = cursor.advance();
    const kind = cursor.acceptKeyword('ALL') ? 'all' : 'distinct';
    if (kind === 'distinct') cursor.acceptKeyword('DISTINCT');
    if (unions.length > 0 && unions[0] !== kind) {
      throw cursor.fault(union, 'InvalidClauseComposition', 'UNION and UNION ALL cannot be mixed in one query');
    }
    unions.push(kind);
    parts.push(parseSingleQuery(cursor, place, unions));
  }
  return { kind: 'query', parts, unions, span: cursor.spanFrom(start) };
}

function parseSingleQuery(cursor: Cursor, place: QueryPlace, unions: readonly ('all' | 'distinct')[]): SingleQuery {
  skipUse(cursor);
  const { start } = cursor.current;
  const clauses: Clause[] = [];
  while (!isQueryEnd(cursor)) {
    const last = clauses.at(-1);
    if (last?.kind === 'return' || last?.kind === 'finish') throw cursor.unexpected('the end of the query', 'UNION');
    clauses.push(parseClause(cursor));
  }
  if (clauses.length === 0) throw cursor.unexpected('a clause such as MATCH, CREATE or RETURN');
  checkEnd(cursor, clauses, place === 'count' && isInDistinctUnion(cursor, unions) ? 'collect' : place);
  return { kind: 'singleQuery', clauses, span: cursor.spanFrom(start) };
}

/** Tells whether the present part belongs to a distinct UNION, by the UNION before or after it. */
function isInDistinctUnion(cursor: Cursor, unions: readonly ('all' | 'distinct')[]): boolean {
  return unions.length > 0 ? unions[0] === 'distinct' : cursor.isKeyword('UNION') && !cursor.isKeyword('ALL', 1);
}

function isQueryEnd(cursor: Cursor): boolean {
  return cursor.isKind('end') || cursor.isSymbol('}') || cursor.isSymbol(';') || cursor.isKeyword('UNION');
}

function checkEnd(cursor: Cursor, clauses: readonly Clause[], place: QueryPlace): void {
  const last = clauses.at(-1)!;
  if (last.kind === 'return' || place === 'exists' || place === 'count') return;
  const mayEnd = last.kind === 'finish' || last.kind === 'callProcedure' || last.kind === 'callSubquery' || isUpdate(last);
  if (mayEnd && place !== 'collect') return;
  const token = { ...cursor.current, start: last.span.start };
  throw cursor.fault(token, 'InvalidClauseComposition', `the query cannot end with ${clauseName(last)}: a RETURN is missing behind it`);
}

function clauseName(clause: Clause): string {
  return clause.kind === 'loadCsv'
    ? 'LOAD CSV'
    : clause.kind === 'callProcedure' || clause.kind === 'callSubquery'
      ? 'CALL'
      : clause.kind.toUpperCase();
}
