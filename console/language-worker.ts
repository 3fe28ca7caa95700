/** The parser of GraphDB in a worker: tells the editor what the parts of a statement are, and what is wrong with it. */

import { GraphDBError } from '../src/base/errors.ts';
import { tokenize } from '../src/cypher/lexer/lexer.ts';
import { parse } from '../src/cypher/parser/parse.ts';

export type TokenClass = 'keyword' | 'function' | 'label' | 'variable' | 'number' | 'string' | 'parameter' | 'symbol' | 'comment';

export interface Analysis {
  readonly version: number;
  readonly tokens: readonly { readonly start: number; readonly end: number; readonly kind: TokenClass }[];
  /** null: the statement can be read. */
  readonly fault: { readonly at: number; readonly message: string } | null;
}

const KEYWORDS = new Set(
  `ALL AND ANY AS ASC ASCENDING BY CALL CASE CONSTRAINT CONTAINS COUNT CREATE CYPHER DATABASE DATABASES DELETE DESC DESCENDING
   DETACH DISTINCT DROP EACH ELSE END ENDS EXISTS EXPLAIN FALSE FIELDTERMINATOR FINISH FOR
   FOREACH FROM FULLTEXT FUNCTIONS HEADERS IF IN INDEX INDEXES INF INFINITY INSERT IS JOIN KEY LIMIT LOAD LOOKUP
   MATCH MERGE NAN NODE NODES NONE NOT NULL OF OFFSET ON OPTIONAL OPTIONS OR ORDER POINT PROCEDURES PROFILE RANGE
   REDUCE RELATIONSHIP REMOVE REQUIRE RETURN ROWS SCORE SEARCH SET SHORTEST SHOW SINGLE SKIP STARTS TEXT THEN TO TRANSACTIONS
   TRUE TYPE TYPED UNION UNIQUE UNWIND USE USING VECTOR WHEN WHERE WITH XOR YIELD CSV COLLECT CONSTRAINTS`.split(/\s+/),
);

self.onmessage = ({ data: { version, text } }: MessageEvent<{ readonly version: number; readonly text: string }>) => {
  self.postMessage(analyse(version, text));
};

function analyse(version: number, text: string): Analysis {
  const tokens: { start: number; end: number; kind: TokenClass }[] = [];
  const all = tokenize(text);
  for (const [at, token] of all.entries()) {
    const kind = classOf(token.kind, token.keyword, all[at - 1]?.text ?? '', all[at + 1]?.text ?? '');
    const blank = { start: all[at - 1]?.end ?? 0, end: token.start };
    tokens.push(...commentIn(text, blank));
    if (kind !== null && token.end > token.start) tokens.push({ start: token.start, end: token.end, kind });
  }
  return { version, tokens, fault: faultIn(text) };
}

/** Returns what stands between two tokens and is no white space: comments, which the lexer passes over. */
function commentIn(text: string, { start, end }: { readonly start: number; readonly end: number }): Analysis['tokens'] {
  const between = text.slice(start, end);
  const comment = between.trim();
  if (comment === '') return [];
  const from = start + between.indexOf(comment);
  return [{ start: from, end: from + comment.length, kind: 'comment' }];
}

function classOf(kind: string, keyword: string, before: string, after: string): TokenClass | null {
  switch (kind) {
    case 'integer':
    case 'float':
      return 'number';
    case 'string':
    case 'parameter':
    case 'symbol':
      return kind;
    case 'name':
      if (before === ':' || before === '|' || before === '&' || before === '!') return 'label';
      if (before === '.') return 'variable';
      if (after === '(' && !KEYWORDS.has(keyword)) return 'function';
      return KEYWORDS.has(keyword) ? 'keyword' : 'variable';
    default:
      return null;
  }
}

function faultIn(text: string): Analysis['fault'] {
  if (text.trim() === '') return null;
  try {
    parse(text.replace(/;\s*$/, ' '));
    return null;
  } catch (error) {
    if (!(error instanceof GraphDBError)) return null;
    const place = error as GraphDBError & { readonly line?: number; readonly column?: number };
    return { at: offsetOf(text, place.line ?? 1, place.column ?? 1), message: error.message };
  }
}

function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed++) {
    const end = text.indexOf('\n', at);
    if (end < 0) break;
    at = end + 1;
  }
  return Math.min(text.length, at + column - 1);
}
