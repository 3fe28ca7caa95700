/**
 * Hints for syntax of other languages and of older versions of Cypher: recognized where a text cannot be parsed, to say
 * how it is written in this version.
 */
import type { Token } from '../lexer/token.ts';
import { nearestName } from '../suggest.ts';

const CLAUSES = 'MATCH OPTIONAL WHERE WITH UNWIND CALL CREATE MERGE SET REMOVE DELETE DETACH FOREACH'.split(' ');

/** The number of characters before the token that hints look at. */
const LOOKED_AT = 200;

/** Returns a hint about the token at which parsing stopped; null for none. `expected` lists what could have followed. */
export function syntaxHint(text: string, token: Token, expected: readonly string[]): string | null {
  const before = text.slice(Math.max(0, token.start - LOOKED_AT), token.start);
  if (token.text === '=' && before.endsWith('=')) return 'equality is written =';
  if (token.text === '>' && before.endsWith('=')) return 'at least is written >=';
  if (token.text === '<' && before.endsWith('=')) return 'at most is written <=';
  if (token.text === '&' && text[token.start + 1] === '&') return 'both is written AND';
  if (/^[“”„‘’‚«»]$/.test(token.text)) return "a string stands in straight quotes: 'text'";
  if (token.text === '?')
    return text[token.start + 1] === '.'
      ? 'a property of null is null: write n.key'
      : 'write CASE WHEN condition THEN value ELSE other END';
  if (token.text === '#') return 'a comment begins with //';
  if (token.kind === 'name' && /['"]$/.test(before))
    return "a quote inside a string is written \\', or the string stands in quotes of the other kind";
  if (/\bDROP\s+INDEX\s+ON\s*$/i.test(before)) return 'an index is dropped by its name, which SHOW INDEXES tells';
  if (/\bINDEX\s+ON\s*$/i.test(before)) return 'write CREATE INDEX FOR (n:Label) ON (n.key)';
  if (/\bCONSTRAINT\s+ON\s*$/i.test(before)) return 'write CREATE CONSTRAINT FOR (n:Label) REQUIRE n.key IS UNIQUE';
  const start = before.trim() === '' ? startOf(token) : /^\s*SHOW\s+$/i.test(before) ? (LISTS[token.keyword] ?? null) : null;
  if (start !== null) return start;
  const update = updateOf(token, before, expected);
  if (update !== null) return update;
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
      if (/\[\s*\w+\s+IN\b/i.test(before)) return 'a condition in a list stands behind WHERE: [x IN list WHERE x > 1]';
      return (
        'write CASE WHEN condition THEN value END; an update under a condition is FOREACH (x IN CASE WHEN condition THEN ' +
        '[1] ELSE [] END | …)'
      );
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
      return /\b(SKIP|OFFSET|LIMIT)\b/i.test(before) ? 'ORDER BY stands before SKIP and LIMIT' : 'write ORDER BY';
    case 'TABLE':
      return 'there are no tables: a node comes with its labels, CREATE (:Label {key: 1})';
    case 'HAS':
      return 'write n.key IS NOT NULL for a property, n:Label for a label';
    case 'ISNULL':
      return 'write IS NULL';
    case 'NOTNULL':
      return 'write IS NOT NULL';
    case 'STARTSWITH':
    case 'BEGINS':
    case 'BEGINSWITH':
      return 'write STARTS WITH';
    case 'ENDSWITH':
      return 'write ENDS WITH';
  }
  return endsTooEarly(token, expected) ? 'RETURN comes last: put WITH in its place to go on' : shapeOf({ text, token, before, expected });
}

const endsTooEarly = (token: Token, expected: readonly string[]): boolean =>
  CLAUSES.includes(token.keyword) && expected.includes('the end of the query') && expected.includes('LIMIT');

const ADMINISTERED = /^(DATABASE|COMPOSITE|USER|ROLE|ROLES|ALIAS|ALIASES|SERVER|SERVERS|PRIVILEGE|PRIVILEGES|SUPPORTED)$/;

/** Returns a hint on statements about users, rights, databases and servers, and on commands of clients; null for none. */
function administrationOf(token: Token, before: string): string | null {
  if (before.trim() === '' && token.text === ':') return 'that is a command of a client; only Cypher is sent to the database';
  if (before.trim() === '' && /^(GRANT|DENY|REVOKE|RENAME|ALTER)$/.test(token.keyword)) return WITHOUT_USERS;
  if (before.trim() === '' && /^(START|STOP|ENABLE|DEALLOCATE|REALLOCATE)$/.test(token.keyword))
    return 'a database is opened when it is asked and closed when it is not';
  if (!/^\s*(CREATE|DROP|SHOW|ALTER)\s+$/i.test(before) || !ADMINISTERED.test(token.keyword)) return null;
  return /^(DATABASE|COMPOSITE|ALIAS|ALIASES|SERVER|SERVERS)$/.test(token.keyword)
    ? 'databases are namespaces: CREATE DATABASE and DROP DATABASE are all there is to change about them'
    : WITHOUT_USERS;
}

const WITHOUT_USERS =
  'there are no users and roles in the database; who may do what is set by the tokens of the server (--auth-token, --auth-tokens-file)';

const LISTS: Readonly<Record<string, string>> = {
  TABLES: 'there are no tables; write CALL db.labels()',
  LABELS: 'write CALL db.labels()',
  TYPES: 'write CALL db.relationshipTypes()',
  RELATIONSHIPS: 'write CALL db.relationshipTypes()',
  KEYS: 'write CALL db.propertyKeys()',
  PROPERTIES: 'write CALL db.propertyKeys()',
  SCHEMA: 'write CALL db.schema.nodeTypeProperties()',
};

/** Returns a hint on statements of other languages, by their first word; null for none. */
function startOf({ keyword }: Token): string | null {
  switch (keyword) {
    case 'BEGIN':
    case 'COMMIT':
    case 'ROLLBACK':
      return 'a transaction is begun and ended by the client (a driver, the library), not by a statement';
    case 'DESCRIBE':
    case 'DESC':
      return 'CALL db.schema.nodeTypeProperties() tells what nodes have';
  }
  return null;
}

/** Returns a hint on RETURN and clauses that write, where they are used as in other languages; null for none. */
function updateOf(token: Token, before: string, expected: readonly string[]): string | null {
  if (/\bSET\b[^;]*\.\w+\s*$/i.test(before) && /^(\+=?|-=?)$/.test(token.text)) return 'write n.key = n.key + 1';
  if (/\bREMOVE\s+\w+\s*$/i.test(before) && expected.includes("':'"))
    return 'a property is removed by REMOVE n.key, a label by REMOVE n:Label, a node by DELETE n';
  if (/\bTOP\s+$/i.test(before) && token.kind === 'integer') return 'write RETURN … LIMIT 3';
  if (/\bUNIQUE\s+$/i.test(before) && expected.includes('LIMIT')) return 'write DISTINCT';
  if (/\bLIMIT\s+\d+\s*$/i.test(before) && token.text === ',') return 'write SKIP 3 LIMIT 5';
  if (/\bMERGE\b[^;]*\)\s*$/i.test(before) && token.text === ',' && expected.includes('ON')) return 'each pattern has a MERGE of its own';
  if (token.keyword === 'WHERE' && /\b(CREATE|MERGE|SET|DELETE|REMOVE)\b/i.test(before) && !expected.includes('LIMIT'))
    return 'WHERE stands behind MATCH or WITH, before what is written';
  if (/\bCALL\b[^;]*\)\s*$/i.test(before) && token.keyword === 'AS') return 'what a procedure gives is named by YIELD field AS name';
  if (/\bcast\s*\([^()]*$/i.test(before) && token.keyword === 'AS') return 'write toInteger(x), toFloat(x), toString(x) or toBoolean(x)';
  if (/\breduce\s*\(\s*\w+\s+IN\b[^()]*$/i.test(before)) return 'write reduce(sum = 0, x IN list | sum + x)';
  return null;
}

/** Keywords that may follow a pattern or an item. */
const FOLLOWING = [...CLAUSES, ...'RETURN ORDER SKIP OFFSET LIMIT UNION'.split(' ')];

interface Place {
  readonly text: string;
  readonly token: Token;
  readonly before: string;
  readonly expected: readonly string[];
}

/** Returns a hint on nodes, relationships and maps that lack a sign; null for none. */
function shapeOf({ text, token, before, expected }: Place): string | null {
  if (/\)\s*-\s*$/.test(before) && (token.text === '(' || token.text === '>'))
    return 'a relationship is written (a)-[:TYPE]->(b), of any type (a)-->(b)';
  if (/\]$/.test(before) && (token.text === '*' || token.text === '+'))
    return 'a length stands in the brackets, -[:TYPE*1..3]->, a quantifier behind the arrow, -[:TYPE]->{1,3}';
  if (
    (/\)\s*-\s*$/.test(before) && token.text === ':') ||
    (/-\[[^\]]*$/.test(before) && token.text === '>') ||
    (/\]-$/.test(before) && token.text === '-') ||
    (/--$/.test(before) && token.text === '[') ||
    (/\)\s*$/.test(before) && token.text === '=' && expected.includes('WHERE'))
  )
    return 'a relationship is written (a)-[:TYPE]->(b)';
  if (/\]\s*$/.test(before) && (token.text === '>' || token.text === '(')) return 'a relationship is written (a)-[:TYPE]->(b)';
  if (/\*\s*\d+\s*$/.test(before) && token.text === '-') return 'lengths are written *1..3';
  if (/\[[^\]{]*\{\s*$/.test(before) && token.kind === 'integer') return 'a quantifier stands behind the relationship: -[:TYPE]->{1,3}';
  if (/(?<!\bON\s+)\b(MATCH|CREATE|MERGE)\s+$/i.test(before) && token.kind === 'name' && token.keyword !== 'REPEATABLE')
    return 'a node stands in parentheses: (n:Label)';
  if (/[{,]\s*$/.test(before) && token.kind === 'string') return 'a key stands without quotes; one with blanks in backticks';
  if (/\{\s*\w+\s*$/.test(before) && token.text === '}') return 'a map is written {key: value}, a parameter $name';
  if (/\bIN\s*\([^()]*$/i.test(before) && token.text === ',') return 'a list stands in brackets: [1, 2]';
  if (/\w-$/.test(before) && token.text === '>') return 'a property is written n.key';
  if (/\.\s*$/.test(before) && token.kind === 'string') return 'a key with blanks stands in backticks: n.`first name`';
  if (/\bAS\s+$/i.test(before) && token.kind === 'string') return 'a name stands without quotes, one with blanks in backticks';
  if (/:\s*$/.test(before) && token.kind === 'string') return 'a name stands without quotes, one with blanks in backticks';
  if (/\(\s*\w*\s*:[\s\w:&|]+$/.test(before)) {
    if (token.text === ',' || token.keyword === 'AND' || token.keyword === 'OR') return 'both labels are written :A&B, either of them :A|B';
    if (token.text === '-') return 'a name with signs in it stands in backticks';
  }
  if (/\)\s*$/.test(before) && token.kind === 'name' && expected.includes('WHERE') && text[token.end] === '.')
    return 'a condition stands behind WHERE';
  if (/[{,]\s*[\w`]+\s*$/.test(before) && token.text === '=') return 'a value stands behind a colon: {key: value}';
  const isOtherName = token.kind === 'name' && !FOLLOWING.includes(token.keyword) && nearestName(token.keyword, FOLLOWING) === null;
  if (isOtherName && /\(\s*\w*\s*:\s*\w+\s+$/.test(before))
    return 'properties stand in braces, (n:Label {key: value}), and a label with blanks in backticks';
  if (isOtherName && /\bAS\s+\w+\s+$/i.test(before)) return 'a name with blanks stands in backticks';
  if (token.text === '!') return 'negation is written NOT';
  if (isOtherName && /\.\w+\s+$/.test(before) && expected.includes('LIMIT'))
    return 'items are divided by commas; a name with blanks stands in backticks';
  if (token.keyword === 'NOT' && /[\w)\]]\s+$/.test(before) && /^NOT\s+NULL\b/i.test(text.slice(token.start)))
    return 'write n.key IS NOT NULL';
  if (token.keyword === 'NOT' && /[\w)\]]\s+$/.test(before)) return "write NOT n.key IN ['a', 'b'], NOT n.key STARTS WITH 'a'";
  if (/\bEXISTS\s*\([^)]*\)\s*-+$/i.test(before)) return 'a pattern stands in braces: EXISTS { (n)-->() }';
  if (/\bDELETE\s+FROM\s+$/i.test(before)) return 'write MATCH (n:Label) WHERE n.key = 1 DETACH DELETE n';
  if (/\bFOREACH\s+$/i.test(before)) return 'write FOREACH (x IN list | CREATE (:Label {key: x}))';
  if (/;\s*$/.test(before)) return 'statements are sent one by one';
  return null;
}
