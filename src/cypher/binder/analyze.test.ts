/** Properties of all bound trees, and options, which the golden files do not show. Scopes and faults are in golden/. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GraphDBError } from '../../base/index.ts';
import { parse } from '../parser/parse.ts';
import { walk } from '../walk.ts';
import type { AnalyzeOptions } from './analysis.ts';
import { analyze } from './analyze.ts';

const bind = (text: string, options?: AnalyzeOptions) => analyze(parse(text), text, options);

function detailOf(text: string, options?: AnalyzeOptions): string | undefined {
  try {
    bind(text, options);
    return 'none';
  } catch (error) {
    assert(error instanceof GraphDBError, String(error));
    return error.tck?.detail;
  }
}

test('names of users never clash with names that are made', () => {
  const name = fc.constantFrom('x', 'x#2', 'x#3', '#n1', '#r1', '#p1', 'x#2#2', '#n2');
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 6 }), (names) => {
      // Each WITH forgets the names before it: the next MATCH may use any of them anew.
      const text =
        `${names.map((each) => `MATCH (\`${each}\`)-->() WITH 1 AS one MATCH () WITH one`).join(' MATCH () WITH one ')} ` + 'RETURN one';
      const { statement, variableTypes } = bind(text.replaceAll('WITH 1 AS one', 'WITH count(*) AS one'));
      const bound: string[] = [];
      walk(statement, (node) => {
        const { kind, variable } = node as { kind: string; variable?: { name: string } };
        if (kind === 'nodePattern' || kind === 'relationshipPattern') bound.push(variable!.name);
        return undefined;
      });
      assert.equal(new Set(bound).size, bound.length, text);
      for (const each of bound) assert(variableTypes.has(each), `the type of ${each} is known`);
    }),
    { numRuns: 200 },
  );
});

test('functions are those that have facts', () => {
  assert.equal(detailOf('RETURN toUpper("a")'), 'none');
  assert.equal(detailOf('RETURN TOUPPER("a")'), 'none');
  assert.equal(detailOf('RETURN toUpper("a", "b")'), 'InvalidNumberOfArguments');
  assert.equal(detailOf('RETURN coalesce()'), 'InvalidNumberOfArguments');
  assert.equal(detailOf('RETURN toUpperCase("a")'), 'UnknownFunction');
  assert.equal(detailOf('MATCH (n) WHERE stdevp(n.x) = 1 RETURN n'), 'InvalidAggregation');
  assert.throws(() => bind('RETURN toUper("a")'), /did you mean `toUpper`/);
});

test('parameters are listed, wherever they stand', () => {
  const { parameters } = bind('MATCH (n {a: $a}) WHERE n.b IN $b CALL { CREATE (:X {c: $c}) } RETURN $d SKIP $e LIMIT $f');
  assert.deepEqual([...parameters].sort(), ['a', 'b', 'c', 'd', 'e', 'f']);
});

test('it is known what writes', () => {
  assert.equal(bind('MATCH (n) RETURN n').writes, false);
  assert.equal(bind('MATCH (n) CALL (n) { SET n.x = 1 } RETURN n').writes, true);
  assert.equal(bind('CREATE INDEX FOR (n:L) ON (n.p)').writes, true);
  assert.equal(bind('SHOW INDEXES').writes, false);
  const procedures = (name: string) => ({ name, inputs: [], outputs: [], writes: name === 'w' });
  assert.equal(bind('CALL r()', { procedures }).writes, false);
  assert.equal(bind('CALL w()', { procedures }).writes, true);
});

test('ORDER BY and WHERE see both what a projection makes and what it had', () => {
  for (const text of [
    'MATCH (a) WITH a.x AS x ORDER BY a.y, x RETURN x',
    'MATCH (a) WITH a.x AS x WHERE a.y = x RETURN x',
    'MATCH (a) RETURN a.x AS a ORDER BY a',
    'MATCH (a) WITH a, count(*) AS c ORDER BY a.x, c WHERE a.y > c RETURN a',
    'MATCH (a) WITH DISTINCT a ORDER BY a.x RETURN a',
    'MATCH (a) RETURN a.x, count(*) ORDER BY a.x',
    'MATCH (a) RETURN a.x AS x, count(*) + 1 AS c ORDER BY count(*) + 1, count(*) + a.x',
  ]) {
    assert.equal(detailOf(text), 'none', text);
  }
  assert.equal(detailOf('MATCH (a) WITH a.x AS x, count(*) AS c WHERE a.y = 1 RETURN x'), 'UndefinedVariable');
  assert.equal(detailOf('MATCH (a) WITH a.x AS x WITH x ORDER BY a.y RETURN x'), 'UndefinedVariable');
});

test('subqueries see what they should', () => {
  const cases: readonly [text: string, detail: string][] = [
    ['MATCH (a) CALL { WITH a RETURN a.x AS x } RETURN x', 'none'],
    ['MATCH (a) CALL { WITH a WITH a.x AS y RETURN a AS z } RETURN z', 'UndefinedVariable'],
    ['MATCH (a) CALL (a) { WITH 1 AS y RETURN a.x AS z } RETURN z', 'none'],
    ['MATCH (a) CALL () { RETURN a.x AS z } RETURN z', 'UndefinedVariable'],
    ['MATCH (a) CALL (b) { RETURN 1 AS z } RETURN z', 'UndefinedVariable'],
    ['MATCH (a) CALL (*) { RETURN a.x AS z } RETURN z', 'none'],
    ['MATCH (a) CALL { WITH 1 AS x RETURN x } RETURN x', 'none'],
    ['MATCH (a) WHERE EXISTS { MATCH (b) WITH b AS c MATCH (c)-->(a) } RETURN a', 'none'],
    ['MATCH (a) WHERE EXISTS { MATCH (b) WITH b AS c WHERE b.x = 1 RETURN b } RETURN a', 'UndefinedVariable'],
    ['MATCH (a) WHERE EXISTS { MATCH (b) } RETURN b', 'UndefinedVariable'],
    ['MATCH (a) WHERE any(x IN a.l WHERE x = 1) RETURN x', 'UndefinedVariable'],
    ['MATCH (a) FOREACH (x IN [1] | CREATE (b {y: x})) RETURN b', 'UndefinedVariable'],
    ['MATCH (a) MERGE (b {x: b.y}) RETURN b', 'UndefinedVariable'],
    ['CREATE (a {x: 1}), (b {y: a.x}) RETURN b', 'none'],
    ['CREATE (a {x: b.y}), (b) RETURN b', 'UndefinedVariable'],
    ['MATCH (a {x: b.y}), (b {z: a.w}) RETURN a', 'none'],
  ];
  for (const [text, detail] of cases) assert.equal(detailOf(text), detail, text);
});

test('types are followed only as far as they are known', () => {
  for (const text of [
    'UNWIND [1, "a"] AS x RETURN x % 2',
    'MATCH (n) RETURN n.x AND n.y, n.l[n.i], n.x % n.y, type(n.r), size(n.p)',
    'RETURN date() - duration("P1D"), duration("P1D") * 2, [1] + "a", "a" + 1, null AND true, NOT null, -null, null[0], null.x',
    'WITH [1, null] AS l RETURN l[null], l[0] % 2, [x IN l WHERE x > 1][0] + 1',
    'MATCH (n) WITH collect(n) AS ns UNWIND ns AS m MATCH (m)-->() RETURN m',
    'MATCH ()-[r]->() WITH collect(r) AS rs MATCH ()-[rs*]->() RETURN rs',
    'OPTIONAL MATCH (n) RETURN coalesce(n.x, 1) % 2, head(nodes($p)).x',
  ]) {
    assert.equal(detailOf(text), 'none', text);
  }
});
