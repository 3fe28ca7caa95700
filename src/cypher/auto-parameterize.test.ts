import assert from 'node:assert/strict';
import { test } from 'node:test';
import { autoParameterize } from './auto-parameterize.ts';
import { parse } from './parser/parse.ts';

const lift = (text: string) => autoParameterize(parse(text));
const shape = (text: string): string => lift(text).shape.replaceAll('`', '').replaceAll('\n', ' ');

test('values become parameters whose names tell their types', () => {
  const { parameters } = lift(
    `MATCH (n:P {id: 1, s: 'x', tags: ['a', 'b']}) WHERE n.y > 2.5 AND n.z IN [1, 2.0] AND n.w STARTS WITH 'q' RETURN n SKIP 1 LIMIT 2`,
  );
  assert.deepEqual([...parameters.keys()], ['#i0', '#s1', '#ls2', '#f3', '#l?4', '#s5', '#i6', '#i7']);
  assert.equal(parameters.get('#i0'), 1);
  assert.deepEqual(parameters.get('#ls2'), ['a', 'b']);
});

test('statements that differ in values only share a shape', () => {
  assert.equal(shape(`match (n {x:1})  return n.y`), shape('MATCH (n {x: 2}) RETURN n.y'));
  assert.notEqual(shape('MATCH (n {x: 1}) RETURN n.y'), shape(`MATCH (n {x: 'a'}) RETURN n.y`));
  assert.notEqual(shape('MATCH (n {x: 1}) RETURN n.y + 1'), shape('MATCH (n {x: 1}) RETURN n.y+1'), 'columns differ');
});

test('what semantics wants constant, what may have to agree, and null and Booleans stay', () => {
  const same = (text: string): void => assert.deepEqual(lift(text).parameters, new Map(), text);
  same('MATCH (a)-[*1..3]->(b) RETURN a.x + 1, count(*) ORDER BY a.x + 1');
  same('MATCH (a) WITH a.x = 1 AS e, count(*) AS c WHERE e = true AND c > 1 RETURN e');
  same('MATCH (a {x: null, y: true}) WHERE 1 = 1 AND size([1, 2]) + 1 = size(a.l) RETURN a LIMIT -1');
  same(`CALL db.index('x', 1) YIELD a RETURN a`);
  same('EXPLAIN MATCH (a {x: 1}) RETURN a');
  same('SHOW INDEXES WHERE name = "x"');
});

test('subqueries, updates and lists are looked into', () => {
  assert.equal(
    shape(`UNWIND [{a: 1}] AS r MERGE (n {id: r.a}) ON CREATE SET n.x = 1, n += {y: [2]} FOREACH (i IN [1] | SET n.z = i) RETURN n`),
    'UNWIND $#lm0 AS r MERGE (n {id: r.a}) ON CREATE SET n.x = $#i1, n += {y: $#li2} FOREACH (i IN $#li3 | SET n.z = i) RETURN n',
  );
  assert.equal(
    shape(`MATCH (n) WHERE EXISTS { (n)-->({x: 1}) } CALL (n) { MATCH (m {y: 'a'}) RETURN m LIMIT 3 } RETURN n`),
    'MATCH (n) WHERE EXISTS { MATCH (n)-->({x: $#i0}) } CALL (n) { MATCH (m {y: $#s1}) RETURN m LIMIT $#i2 } RETURN n',
  );
});
