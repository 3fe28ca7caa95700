/** What people bring along from other languages, and from older versions of this one: recognised where it cannot be parsed, to say how it is written here. */
import type { Token } from '../lexer/token.ts';
import { nearestName } from '../suggest.ts';

const CLAUSES = 'MATCH OPTIONAL WHERE WITH UNWIND CALL CREATE MERGE SET REMOVE DELETE DETACH FOREACH'.split(' ');

/** So many characters before the token tell what was meant. */
const LOOKED_AT = 200;

/** A hint about the token at which parsing stopped; null for none. `expected`: what could have stood there. */
export function habit(text: string, token: Token, expected: readonly string[]): string | null {
  const before = text.slice(Math.max(0, token.start - LOOKED_AT), token.start);
  if (token.text === '=' && before.endsWith('=')) return 'equality is written =';
  if (token.text === '>' && before.endsWith('=')) return 'at least is written >=';
  if (token.text === '<' && before.endsWith('=')) return 'at most is written <=';
  if (token.text === '&' && text[token.start + 1] === '&') return 'both is written AND';
  if (/\bDROP\s+INDEX\s+ON\s*$/i.test(before)) return 'an index is dropped by its name, which SHOW INDEXES tells';
  if (/\bINDEX\s+ON\s*$/i.test(before)) return 'write CREATE INDEX FOR (n:Label) ON (n.key)';
  if (/\bCONSTRAINT\s+ON\s*$/i.test(before)) return 'write CREATE CONSTRAINT FOR (n:Label) REQUIRE n.key IS UNIQUE';
  const administration = token.start <= LOOKED_AT ? administrationOf(token, before) : null;
  if (administration !== null) return administration;
  switch (token.keyword) {
    case 'GROUP':
      return 'rows are grouped by the items of RETURN that do not aggregate: leave GROUP BY out';
    case 'HAVING':
      return 'aggregate in WITH, and put WHERE behind it';
    case 'SELECT':
      return 'a query looks like MATCH (n:Label) WHERE n.key = 1 RETURN n';
    case 'REPEATABLE':
      return 'each relationship of a MATCH is another one; put what may come twice into MATCH clauses of its own';
    case 'EMPTY':
      return 'write isEmpty(x)';
    case 'IF':
      return 'write CASE WHEN condition THEN value END; an update under a condition is FOREACH (x IN CASE WHEN condition THEN [1] ELSE [] END | …)';
    case 'NEXT':
      return 'put WITH in the place of RETURN … NEXT';
    case 'WHEN':
      return 'conditional queries are written with CASE, or as CALL (x) { WITH x WHERE … } for each case';
    case 'NULLS':
      return 'null comes last when sorted ascending, first when descending; sort by n.key IS NULL first to have it otherwise';
    case 'LIKE':
      return "write CONTAINS 'text', STARTS WITH 'text' or =~ 'pattern.*'";
    case 'BETWEEN':
      return 'write low <= n.key <= high';
    case 'FROM':
    case 'JOIN':
    case 'INTO':
    case 'VALUES':
      return 'a query looks like MATCH (n:Label)-[r:TYPE]->(m) WHERE n.key = 1 RETURN m, new data like CREATE (:Label {key: 1})';
    case 'UPDATE':
      return "write MATCH (n:Label {key: 1}) SET n.other = 'value'";
    case 'ORDER':
      return 'write ORDER BY';
    default:
      return endsTooEarly(token, expected) ? 'RETURN comes last: put WITH in its place to go on' : shapeOf(token, before);
  }
}

const endsTooEarly = (token: Token, expected: readonly string[]): boolean =>
  CLAUSES.includes(token.keyword) && expected.includes('the end of the query') && expected.includes('LIMIT');

const ADMINISTERED = /^(DATABASE|COMPOSITE|USER|ROLE|ROLES|ALIAS|ALIASES|SERVER|SERVERS|PRIVILEGE|PRIVILEGES|SUPPORTED)$/;

/** Statements about users, rights, databases and servers, and commands of other clients. */
function administrationOf(token: Token, before: string): string | null {
  if (before.trim() === '' && token.text === ':') return 'that is a command of a client; only Cypher is sent to the database';
  if (before.trim() === '' && /^(GRANT|DENY|REVOKE|RENAME|ALTER)$/.test(token.keyword)) return WITHOUT_USERS;
  if (before.trim() === '' && /^(START|STOP|TERMINATE|ENABLE|DEALLOCATE|REALLOCATE)$/.test(token.keyword))
    return 'a server has one database, which runs as long as it does; a statement ends when its client goes away';
  if (!/^\s*(CREATE|DROP|SHOW|ALTER)\s+$/i.test(before) || !ADMINISTERED.test(token.keyword)) return null;
  return /^(DATABASE|COMPOSITE|ALIAS|ALIASES|SERVER|SERVERS)$/.test(token.keyword)
    ? 'a server has one database; another graph is another namespace of the store, with a server of its own'
    : WITHOUT_USERS;
}

const WITHOUT_USERS =
  'there are no users and roles in the database; who may do what is set by the tokens of the server (--auth-token, --auth-tokens-file)';

/** What may follow a pattern or an item. */
const FOLLOWING = [...CLAUSES, ...'RETURN ORDER SKIP OFFSET LIMIT UNION'.split(' ')];

/** Nodes, relationships and maps that lack a sign. */
function shapeOf(token: Token, before: string): string | null {
  if (/\)\s*-\s*$/.test(before) && (token.text === '(' || token.text === '>'))
    return 'a relationship is written (a)-[:TYPE]->(b), of any type (a)-->(b)';
  if (/\]\s*$/.test(before) && (token.text === '>' || token.text === '(')) return 'a relationship is written (a)-[:TYPE]->(b)';
  if (/\*\s*\d+\s*$/.test(before) && token.text === '-') return 'lengths are written *1..3';
  if (/\[[^\]{]*\{\s*$/.test(before) && token.kind === 'integer') return 'a quantifier stands behind the relationship: -[:TYPE]->{1,3}';
  if (/\bMATCH\s+$/i.test(before) && token.kind === 'name' && token.keyword !== 'REPEATABLE')
    return 'a node stands in parentheses: (n:Label)';
  if (/[{,]\s*$/.test(before) && token.kind === 'string') return 'a key stands without quotes; one with blanks in backticks';
  if (/[{,]\s*[\w`]+\s*$/.test(before) && token.text === '=') return 'a value stands behind a colon: {key: value}';
  const isOtherName = token.kind === 'name' && !FOLLOWING.includes(token.keyword) && nearestName(token.keyword, FOLLOWING) === null;
  if (isOtherName && /\(\s*\w*\s*:\s*\w+\s+$/.test(before))
    return 'properties stand in braces, (n:Label {key: value}), and a label with blanks in backticks';
  if (isOtherName && /\bAS\s+\w+\s+$/i.test(before)) return 'a name with blanks stands in backticks';
  if (token.text === '!') return 'negation is written NOT';
  if (token.keyword === 'NOT' && /[\w)\]]\s+$/.test(before)) return "write NOT n.key IN ['a', 'b'], NOT n.key STARTS WITH 'a'";
  if (/\bEXISTS\s*\([^)]*\)\s*-+$/i.test(before)) return 'a pattern stands in braces: EXISTS { (n)-->() }';
  if (/\bDELETE\s+FROM\s+$/i.test(before)) return 'write MATCH (n:Label) WHERE n.key = 1 DETACH DELETE n';
  if (/\bFOREACH\s+$/i.test(before)) return 'write FOREACH (x IN list | CREATE (:Label {key: x}))';
  if (/;\s*$/.test(before)) return 'statements are sent one by one';
  return null;
}
