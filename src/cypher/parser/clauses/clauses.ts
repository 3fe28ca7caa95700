/** Parsing of clauses. Updating ones are in updates.ts, CALL is in call-clause.ts, projections are in projection.ts. */
import { unreachable } from '../../../base/index.ts';
import type { Clause, FinishClause, LoadCsvClause, MatchClause, ReturnClause, UnwindClause, WithClause } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseVariable, parseWhere } from '../expressions/atoms.ts';
import { parseExpression } from '../expressions/expressions.ts';
import { conjunction, parsePatternList } from '../patterns.ts';
import { parseCallClause } from './call-clause.ts';
import { parseProjection, parseStarProjection, parseTail } from './projection.ts';
import { parseSearch } from './search.ts';
import { parseCreate, parseDelete, parseForeach, parseMerge, parseRemove, parseSet } from './updates.ts';

/** Tells whether a clause updates the graph. */
export function isUpdate(clause: Clause): boolean {
  switch (clause.kind) {
    case 'create':
    case 'merge':
    case 'set':
    case 'remove':
    case 'delete':
    case 'foreach':
      return true;
    case 'match':
    case 'unwind':
    case 'with':
    case 'return':
    case 'callProcedure':
    case 'callSubquery':
    case 'loadCsv':
    case 'finish':
      return false;
    default:
      return unreachable(clause, 'clause');
  }
}

/** Parses a clause. */
export function parseClause(cursor: Cursor): Clause {
  switch (cursor.current.keyword) {
    case 'MATCH':
      return parseMatch(cursor);
    case 'OPTIONAL':
      return cursor.isKeyword('CALL', 1) ? parseCallClause(cursor) : parseMatch(cursor);
    case 'UNWIND':
      return parseUnwind(cursor);
    case 'WITH':
      return parseWith(cursor);
    case 'RETURN':
      return parseReturn(cursor);
    case 'CALL':
      return parseCallClause(cursor);
    case 'LOAD':
      return parseLoadCsv(cursor);
    case 'FINISH':
      return parseFinish(cursor);
  }
  return parseUpdateClause(cursor) ?? parseGqlClause(cursor);
}

/** Parses an updating clause; null if another clause comes next. */
export function parseUpdateClause(cursor: Cursor): Clause | null {
  switch (cursor.current.keyword) {
    case 'CREATE':
    case 'INSERT':
      return parseCreate(cursor);
    case 'MERGE':
      return parseMerge(cursor);
    case 'SET':
      return parseSet(cursor);
    case 'REMOVE':
      return parseRemove(cursor);
    case 'DELETE':
    case 'DETACH':
    case 'NODETACH':
      return parseDelete(cursor);
    case 'FOREACH':
      return parseForeach(cursor);
  }
  return null;
}

/** Skips `DIFFERENT RELATIONSHIPS`, which is the default. */
function skipMatchMode(cursor: Cursor): void {
  if (cursor.acceptKeywords('DIFFERENT', 'RELATIONSHIP', 'BINDINGS') || cursor.acceptKeywords('DIFFERENT', 'RELATIONSHIPS')) return;
  cursor.acceptKeywords('DIFFERENT', 'RELATIONSHIP');
}

function parseMatch(cursor: Cursor): MatchClause {
  const { start } = cursor.current;
  const optional = cursor.isKeyword('OPTIONAL');
  if (optional) cursor.advance();
  cursor.expectKeyword('MATCH');
  if (cursor.isKeyword('DIFFERENT')) skipMatchMode(cursor);
  const { patterns, groupPredicates } = parsePatternList(cursor);
  skipHints(cursor);
  const search = cursor.isKeyword('SEARCH') ? parseSearch(cursor) : null;
  const where = parseWhere(cursor);
  const predicate = conjunction(where === null ? groupPredicates : [...groupPredicates, where]);
  return { kind: 'match', optional, patterns, ...(search !== null && { search }), where: predicate, span: cursor.spanFrom(start) };
}

/** Skips planner hints (`USING INDEX n:L(p)`, `USING SCAN n:L`, `USING JOIN ON n`), which have no effect: the planner chooses by cost. */
function skipHints(cursor: Cursor): void {
  while (cursor.isKeyword('USING')) {
    cursor.advance();
    cursor.acceptAnyKeyword('RANGE', 'TEXT', 'POINT');
    if (cursor.acceptKeyword('JOIN')) {
      cursor.expectKeyword('ON');
      do parseVariable(cursor);
      while (cursor.acceptSymbol(','));
      continue;
    }
    const scan = cursor.expectAnyKeyword('INDEX', 'SCAN').keyword === 'SCAN';
    if (!scan) cursor.acceptKeyword('SEEK');
    parseVariable(cursor);
    cursor.expectSymbol(':');
    cursor.expectName('a label or type');
    if (!scan) skipHintKeys(cursor);
  }
}

function skipHintKeys(cursor: Cursor): void {
  cursor.expectSymbol('(');
  do cursor.expectName('a property key');
  while (cursor.acceptSymbol(','));
  cursor.expectSymbol(')');
}

function parseUnwind(cursor: Cursor): UnwindClause {
  const { start } = cursor.advance();
  const expression = parseExpression(cursor);
  cursor.expectKeyword('AS');
  const variable = parseVariable(cursor);
  return { kind: 'unwind', expression, variable, span: cursor.spanFrom(start) };
}

function parseWith(cursor: Cursor): WithClause {
  const { start } = cursor.advance();
  const projection = parseProjection(cursor);
  const where = parseWhere(cursor);
  return { kind: 'with', projection, where, span: cursor.spanFrom(start) };
}

/** Parses RETURN. */
export function parseReturn(cursor: Cursor): ReturnClause {
  const { start } = cursor.expectKeyword('RETURN');
  const projection = parseProjection(cursor);
  return { kind: 'return', projection, span: cursor.spanFrom(start) };
}

function parseFinish(cursor: Cursor): FinishClause {
  const { start } = cursor.advance();
  return { kind: 'finish', span: cursor.spanFrom(start) };
}

function parseLoadCsv(cursor: Cursor): LoadCsvClause {
  const { start } = cursor.advance();
  cursor.expectKeyword('CSV');
  const withHeaders = cursor.acceptKeywords('WITH', 'HEADERS');
  cursor.expectKeyword('FROM');
  const from = parseExpression(cursor);
  cursor.expectKeyword('AS');
  const variable = parseVariable(cursor);
  const fieldTerminator = cursor.acceptKeyword('FIELDTERMINATOR') ? parseFieldTerminator(cursor) : null;
  return { kind: 'loadCsv', withHeaders, from, variable, fieldTerminator, span: cursor.spanFrom(start) };
}

function parseFieldTerminator(cursor: Cursor): string {
  const token = cursor.expectKind('string', 'a string');
  if (token.text.length === 1 && !['"', '\r', '\n'].includes(token.text)) return token.text;
  throw cursor.fault(token, 'UnexpectedSyntax', 'FIELDTERMINATOR takes one character, no quote and no line end');
}

/**
 * Parses statements of GQL as the clauses that they are equivalent to: `LET x = e` is `WITH *, e AS x`, `FILTER p` is
 * `WITH * WHERE p`, `FOR x IN list` is UNWIND; ORDER BY, SKIP, OFFSET and LIMIT on their own follow a `WITH *`.
 */
function parseGqlClause(cursor: Cursor): Clause {
  const { start } = cursor.current;
  if (cursor.isKeyword('FILTER')) {
    cursor.advance();
    cursor.acceptKeyword('WHERE');
    const where = parseExpression(cursor);
    return {
      kind: 'with',
      projection: { ...parseStarProjection(cursor, start, []), span: cursor.spanFrom(start) },
      where,
      span: cursor.spanFrom(start),
    };
  }
  if (cursor.isKeyword('LET')) return parseLet(cursor);
  if (cursor.isKeyword('FOR')) {
    cursor.advance();
    const variable = parseVariable(cursor);
    cursor.expectKeyword('IN');
    return { kind: 'unwind', expression: parseExpression(cursor), variable, span: cursor.spanFrom(start) };
  }
  if (cursor.isKeywords('ORDER', 'BY') || ['SKIP', 'OFFSET', 'LIMIT'].some((keyword) => cursor.isKeyword(keyword))) {
    const tail = parseTail(cursor);
    const span = cursor.spanFrom(start);
    return { kind: 'with', projection: { distinct: false, star: true, items: [], ...tail, span }, where: null, span };
  }
  throw cursor.unexpected('a clause such as MATCH, CREATE or RETURN');
}

function parseLet(cursor: Cursor): WithClause {
  const { start } = cursor.advance();
  const items: Parameters<typeof parseStarProjection>[2][number][] = [];
  do {
    const variable = parseVariable(cursor);
    cursor.expectSymbol('=');
    const expression = parseExpression(cursor);
    items.push({ expression, variable, column: variable.name, aliased: true, span: cursor.spanFrom(variable.span.start) });
  } while (cursor.acceptSymbol(','));
  return { kind: 'with', projection: parseStarProjection(cursor, start, items), where: null, span: cursor.spanFrom(start) };
}
