/** What people bring along from other languages, and from older versions of this one: recognised where it cannot be parsed, to say how it is written here. */
import type { Token } from '../lexer/token.ts';

const CLAUSES = 'MATCH OPTIONAL WHERE WITH UNWIND CALL CREATE MERGE SET REMOVE DELETE DETACH FOREACH'.split(' ');

/** A hint about the token at which parsing stopped; null for none. `expected`: what could have stood there. */
export function habit(text: string, token: Token, expected: readonly string[]): string | null {
  const before = text.slice(0, token.start);
  if (token.text === '=' && before.endsWith('=')) return 'equality is written =';
  if (token.text === '>' && before.endsWith('=')) return 'at least is written >=';
  if (token.text === '<' && before.endsWith('=')) return 'at most is written <=';
  if (token.text === '&' && text[token.start + 1] === '&') return 'both is written AND';
  if (/\bINDEX\s+ON\s*$/i.test(before)) return 'write CREATE INDEX FOR (n:Label) ON (n.key)';
  if (/\bCONSTRAINT\s+ON\s*$/i.test(before)) return 'write CREATE CONSTRAINT FOR (n:Label) REQUIRE n.key IS UNIQUE';
  switch (token.keyword) {
    case 'GROUP':
      return 'rows are grouped by the items of RETURN that do not aggregate: leave GROUP BY out';
    case 'HAVING':
      return 'aggregate in WITH, and put WHERE behind it';
    case 'SELECT':
      return 'a query looks like MATCH (n:Label) WHERE n.key = 1 RETURN n';
    case 'ORDER':
      return 'write ORDER BY';
    default:
      return endsTooEarly(token, expected) ? 'RETURN comes last: put WITH in its place to go on' : null;
  }
}

const endsTooEarly = (token: Token, expected: readonly string[]): boolean =>
  CLAUSES.includes(token.keyword) && expected.includes('the end of the query') && expected.includes('LIMIT');
