/** The entry of the parser: one statement, with an optional EXPLAIN or PROFILE before it and an optional semicolon after it. */
import type { CallProcedureClause, Query, Statement } from '../ast.ts';
import { isDatabaseAhead, parseDatabaseCommand } from './clauses/database.ts';
import { isSchemaAhead, parseSchema } from './clauses/schema.ts';
import { parseShow, parseTerminate } from './clauses/show.ts';
import { skipUse } from './clauses/use.ts';
import { Cursor } from './cursor.ts';
import { refuseDeepTree } from './depth.ts';
import { parseQuery } from './query.ts';

/** Parses a statement, in time linear in the length of the text. @throws SYNTAX_ERROR with the place in the text */
export function parse(text: string): Statement {
  const cursor = new Cursor(text);
  const { start } = cursor.current;
  const mode = parseMode(cursor);
  skipUse(cursor);
  const body = parseBody(cursor);
  const span = cursor.spanFrom(start);
  while (cursor.acceptSymbol(';'));
  if (!cursor.isKind('end')) throw cursor.unexpected('the end of the query');
  const statement: Statement = { kind: 'statement', mode, body, span };
  refuseDeepTree(cursor, statement);
  return statement;
}

/** Parses EXPLAIN or PROFILE and `CYPHER …`, in any order. Returns `run` if there is neither EXPLAIN nor PROFILE. */
function parseMode(cursor: Cursor): Statement['mode'] {
  let mode: Statement['mode'] = 'run';
  for (;;) {
    const token = cursor.current;
    if (cursor.isKeyword('CYPHER')) {
      cursor.advance();
      skipPreparserOptions(cursor);
      continue;
    }
    const next = cursor.acceptKeyword('EXPLAIN') ? 'explain' : cursor.acceptKeyword('PROFILE') ? 'profile' : null;
    if (next === null) return mode;
    if (mode !== 'run' && mode !== next) throw cursor.fault(token, 'UnexpectedSyntax', 'a statement has EXPLAIN or PROFILE, not both');
    mode = next;
  }
}

/** Skips options after CYPHER, such as `5 planner=cost`, which have no effect. */
function skipPreparserOptions(cursor: Cursor): void {
  if (cursor.isKind('integer') || cursor.isKind('float')) cursor.advance();
  while (cursor.isKind('name') && cursor.isSymbol('=', 1)) {
    cursor.advance();
    cursor.advance();
    cursor.expectKind('name', 'the value of an option');
  }
}

function parseBody(cursor: Cursor): Statement['body'] {
  if (cursor.isKeyword('SHOW')) return parseShow(cursor);
  if (cursor.isKeyword('TERMINATE')) return parseTerminate(cursor);
  if (isDatabaseAhead(cursor)) return parseDatabaseCommand(cursor);
  return isSchemaAhead(cursor) ? parseSchema(cursor) : markStandalone(parseQuery(cursor, 'statement'));
}

/** Marks a CALL that is the whole statement, which may leave out arguments and YIELD. */
function markStandalone(query: Query): Query {
  const [part] = query.parts;
  const [clause] = part!.clauses;
  if (query.parts.length > 1 || part!.clauses.length > 1 || clause!.kind !== 'callProcedure') return query;
  const call: CallProcedureClause = { ...clause!, standalone: true };
  return { ...query, parts: [{ ...part!, clauses: [call] }] };
}
