/** CALL of a procedure, and CALL of a subquery with its import list and IN TRANSACTIONS. */
import type { CallProcedureClause, CallSubqueryClause, Expression, InTransactions, ProcedureYield, Variable } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseVariable, parseWhere } from '../expressions/atoms.ts';
import { parseDottedName } from '../expressions/calls.ts';
import { parseBracketed, parseExpression } from '../expressions/expressions.ts';
import { parseBracedQuery } from '../expressions/subqueries.ts';

/** Parses CALL. */
export function parseCallClause(cursor: Cursor): CallProcedureClause | CallSubqueryClause {
  const { start } = cursor.current;
  const optional = cursor.acceptKeyword('OPTIONAL');
  cursor.expectKeyword('CALL');
  const options = { start, optional };
  return cursor.isSymbol('{') || cursor.isSymbol('(') ? parseSubqueryCall(cursor, options) : parseProcedureCall(cursor, options);
}

interface CallOptions {
  readonly start: number;
  readonly optional: boolean;
}

function parseProcedureCall(cursor: Cursor, { start, optional }: CallOptions): CallProcedureClause {
  const name = parseDottedName(cursor, 'a procedure');
  const args = cursor.isSymbol('(') ? parseCallArguments(cursor) : null;
  const yields = cursor.acceptKeyword('YIELD') ? parseYields(cursor) : null;
  const where = yields === null ? null : parseWhere(cursor);
  const span = cursor.spanFrom(start);
  return { kind: 'callProcedure', optional, name, arguments: args, yields, where, standalone: false, span };
}

function parseCallArguments(cursor: Cursor): Expression[] {
  const args: Expression[] = [];
  cursor.expectSymbol('(');
  if (!cursor.isSymbol(')')) {
    do args.push(parseBracketed(cursor));
    while (cursor.acceptSymbol(','));
  }
  cursor.expectSymbol(')');
  return args;
}

/** Parses `*`, `-` (no fields) or a list of fields, after YIELD. */
export function parseYields(cursor: Cursor): ProcedureYield[] | '*' {
  if (cursor.acceptSymbol('*')) return '*';
  if (cursor.acceptSymbol('-')) return [];
  const yields: ProcedureYield[] = [];
  do {
    const field = parseVariable(cursor);
    const variable = cursor.acceptKeyword('AS') ? parseVariable(cursor) : field;
    yields.push({ field: field.name, variable, span: cursor.spanFrom(field.span.start) });
  } while (cursor.acceptSymbol(','));
  return yields;
}

function parseSubqueryCall(cursor: Cursor, { start, optional }: CallOptions): CallSubqueryClause {
  const imports = cursor.isSymbol('(') ? parseImports(cursor) : null;
  const query = parseBracedQuery(cursor, 'call');
  const inTransactions = cursor.isKeyword('IN') ? parseInTransactions(cursor) : null;
  return { kind: 'callSubquery', optional, imports, query, inTransactions, span: cursor.spanFrom(start) };
}

function parseImports(cursor: Cursor): readonly Variable[] | '*' {
  cursor.expectSymbol('(');
  if (cursor.acceptSymbol('*')) {
    cursor.expectSymbol(')');
    return '*';
  }
  const imports: Variable[] = [];
  if (!cursor.isSymbol(')')) {
    do imports.push(parseVariable(cursor));
    while (cursor.acceptSymbol(','));
  }
  cursor.expectSymbol(')');
  return imports;
}

/**
 * Parses `IN TRANSACTIONS OF 100 ROWS ON ERROR CONTINUE REPORT STATUS AS s`. CONCURRENT is accepted, but batches run
 * one after the other.
 */
function parseInTransactions(cursor: Cursor): InTransactions {
  const { start } = cursor.advance();
  if (!cursor.isKeyword('TRANSACTIONS')) {
    if (!cursor.isKeyword('CONCURRENT')) parseExpression(cursor);
    cursor.expectKeyword('CONCURRENT');
  }
  cursor.expectKeyword('TRANSACTIONS');
  let batchSize: Expression | null = null;
  let onError: InTransactions['onError'] = 'fail';
  let reportStatus: Variable | null = null;
  for (;;) {
    if (cursor.acceptKeyword('OF')) {
      batchSize = parseExpression(cursor);
      cursor.expectAnyKeyword('ROWS', 'ROW');
    } else if (cursor.acceptKeywords('ON', 'ERROR')) {
      onError = parseOnError(cursor);
    } else if (cursor.acceptKeywords('REPORT', 'STATUS')) {
      cursor.expectKeyword('AS');
      reportStatus = parseVariable(cursor);
    } else return { batchSize, onError, reportStatus, span: cursor.spanFrom(start) };
  }
}

/**
 * Parses the action after ON ERROR. `RETRY [FOR n SECONDS] [THEN CONTINUE | BREAK | FAIL]` is the action after THEN,
 * FAIL by default: batches run one after the other, so that none fails because of another and would succeed if tried
 * again.
 */
function parseOnError(cursor: Cursor): InTransactions['onError'] {
  const { keyword } = cursor.expectAnyKeyword('FAIL', 'CONTINUE', 'BREAK', 'RETRY');
  if (keyword !== 'RETRY') return keyword.toLowerCase() as InTransactions['onError'];
  if (cursor.acceptKeyword('FOR')) {
    parseExpression(cursor);
    cursor.expectAnyKeyword('SECONDS', 'SECOND', 'SEC');
  }
  if (!cursor.acceptKeyword('THEN')) return 'fail';
  return cursor.expectAnyKeyword('CONTINUE', 'BREAK', 'FAIL').keyword.toLowerCase() as InTransactions['onError'];
}
