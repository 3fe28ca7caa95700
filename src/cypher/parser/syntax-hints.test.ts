/** Hints for what people write who come from elsewhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from './parse.ts';

const HINTS: Readonly<Record<string, RegExp>> = {
  'MATCH (n) WHERE n.a == 1 RETURN n': /; equality is written =$/,
  'MATCH (n) SET n.a == 1': /; equality is written =$/,
  'MATCH (n) WHERE n.a => 1 RETURN n': /; at least is written >=$/,
  'MATCH (n) WHERE n.a =< 1 RETURN n': /; at most is written <=$/,
  'MATCH (n) WHERE n.a = 1 && n.b = 2 RETURN n': /; both is written AND$/,
  'MATCH (n) WHERE n.a != 1 RETURN n': /inequality is written <>$/,
  'MATCH (n) RETURN n.a, count(*) GROUP BY n.a': /leave GROUP BY out$/,
  'MATCH (n) RETURN n.a HAVING n.a > 1': /aggregate in WITH/,
  'MATCH (n) RETURN n ORDER n.a': /; write ORDER BY$/,
  'SELECT * FROM n': /; a query looks like MATCH/,
  'MATCH (n) RETURN n WHERE n.a = 1': /put WITH in its place/,
  'MATCH (n) RETURN n MATCH (m) RETURN m': /put WITH in its place/,
  'CREATE INDEX ON Person(name)': /; write CREATE INDEX FOR/,
  'CREATE CONSTRAINT ON (n:Person) ASSERT n.name IS UNIQUE': /; write CREATE CONSTRAINT FOR/,
  'MATCH (n {name: “Ann”}) RETURN n': /; a string stands in straight quotes/,
  "MATCH (n {name: 'it's'}) RETURN n": /; a quote inside a string is written \\'/,
  'MATCH (n) RETURN n.a ? 1 : 2': /; write CASE WHEN/,
  'MATCH (n) RETURN n?.a': /; a property of null is null/,
  'MATCH (n) # all of them': /; a comment begins with \/\//,
  BEGIN: /; a transaction is begun and ended by the client/,
  'SHOW LABELS': /; write CALL db\.labels\(\)$/,
  'DESCRIBE Person': /; CALL db\.schema/,
  'CREATE TABLE Person (id int)': /; there are no tables/,
  'MATCH (n) SET n.a += 1': /; write n\.key = n\.key \+ 1$/,
  'MATCH (n) SET n.a++': /; write n\.key = n\.key \+ 1$/,
  'MATCH (n) REMOVE n': /a node by DELETE n$/,
  'MATCH (n) RETURN TOP 3 n': /; write RETURN … LIMIT 3$/,
  'MATCH (n) RETURN UNIQUE n.a': /; write DISTINCT$/,
  'MATCH (n) RETURN n LIMIT 3, 5': /; write SKIP 3 LIMIT 5$/,
  'MATCH (n) RETURN n SKIP 1 ORDER BY n.a': /; ORDER BY stands before SKIP and LIMIT$/,
  'MERGE (a:A), (b:B)': /; each pattern has a MERGE of its own$/,
  'MATCH (n) CREATE (n)-[:R]->(m) WHERE n.a = 1': /; WHERE stands behind MATCH or WITH/,
  'CALL db.labels() AS l': /; what a procedure gives is named by YIELD/,
  'RETURN cast(3 AS string)': /; write toInteger\(x\)/,
  'RETURN reduce(x IN [1] | x)': /; write reduce\(sum = 0/,
  'RETURN [x IN [1, 2] IF x > 1]': /stands behind WHERE: \[x IN list/,
  'MATCH (a)-:KNOWS->(b) RETURN b': /; a relationship is written/,
  'MATCH (a)-[:KNOWS>(b) RETURN b': /; a relationship is written/,
  'MATCH (a)-[:KNOWS]-->(b) RETURN b': /; a relationship is written/,
  'MATCH (a)--[:KNOWS]->(b) RETURN b': /; a relationship is written/,
  'MATCH (a)=[:KNOWS]=>(b) RETURN b': /; a relationship is written/,
  'MATCH (a)-[:KNOWS]*->(b) RETURN b': /a quantifier behind the arrow/,
  'CREATE n:Person': /; a node stands in parentheses/,
  'RETURN {name}': /; a map is written \{key: value\}, a parameter \$name$/,
  'MATCH (n) WHERE n.a IN (1, 2) RETURN n': /; a list stands in brackets/,
  'MATCH (n) RETURN n->name': /; a property is written n\.key$/,
  'MATCH (n) RETURN n."first name"': /; a key with blanks stands in backticks/,
  'MATCH (n) RETURN n.first name': /a name with blanks stands in backticks$/,
  "MATCH (n) RETURN n.a AS 'x'": /; a name stands without quotes/,
  "MATCH (n:'Person') RETURN n": /; a name stands without quotes/,
  'MATCH (n:Person, Admin) RETURN n': /either of them :A\|B$/,
  'MATCH (n:Person OR Admin) RETURN n': /either of them :A\|B$/,
  'MATCH (n:My-Label) RETURN n': /; a name with signs in it stands in backticks$/,
  'MATCH (n:Person) n.age = 3 RETURN n': /; a condition stands behind WHERE$/,
  'MATCH (n) WHERE n.a NOT NULL RETURN n': /; write n\.key IS NOT NULL$/,
  'MATCH (n) WHERE n.a ISNULL RETURN n': /; write IS NULL$/,
  "MATCH (n) WHERE n.a STARTSWITH 'x' RETURN n": /; write STARTS WITH$/,
  'MATCH (n) WHERE n HAS a RETURN n': /; write n\.key IS NOT NULL for a property/,
};

test('the fault says how it is written here', () => {
  for (const [query, message] of Object.entries(HINTS)) assert.throws(() => parse(query), { code: 'SYNTAX_ERROR', message }, query);
});

test('other faults say what was expected only', () => {
  assert.throws(() => parse('MATCH (n) RETURN n LIMIT'), { message: 'unexpected end of the query, expected an expression' });
  assert.throws(() => parse('MATCH (n:Person RETURN n'), { message: /or '\)'$/ });
  assert.throws(() => parse('MERGE (n:Person) ON CREATE n.age = 3'), { message: /expected SET$/ });
  assert.throws(() => parse('RETURN CASE 1 THEN 2 END'), { message: /expected WHEN$/ });
});
