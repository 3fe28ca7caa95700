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
  'CREATE INDEX ON :Person(name)': /; write CREATE INDEX FOR/,
  'CREATE CONSTRAINT ON (n:Person) ASSERT n.name IS UNIQUE': /; write CREATE CONSTRAINT FOR/,
};

test('the fault says how it is written here', () => {
  for (const [query, message] of Object.entries(HINTS)) assert.throws(() => parse(query), { code: 'SYNTAX_ERROR', message }, query);
});

test('other faults say what was expected only', () => {
  assert.throws(() => parse('MATCH (n) RETURN n LIMIT'), { message: 'unexpected end of the query, expected an expression' });
  assert.throws(() => parse('MATCH (n:Person RETURN n'), { message: /or '\)'$/ });
});
