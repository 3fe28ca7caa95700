/** Lowered texts as a whole, and what is refused. That DuckDB answers as the engine does, `test/sql/tck.ts` holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../base/index.ts';
import { analyze, parse } from '../cypher/index.ts';
import type { Value } from '../value/index.ts';
import type { DialectName } from './dialect.ts';
import { lowerStatement, type SqlStatement } from './lower-statement.ts';
import { shapeOfSchema } from './schema-rows.ts';

/** A variable of Spark. */
const HOME = `\${env:HOME}`;

const SHAPE = shapeOfSchema(
  [
    { names: ['Odd'], key: '<ordinal>', types: ['Long'] },
    { names: ['Odd'], key: 'Case', types: ['Long'] },
    { names: ['Odd'], key: 'case', types: ['Long'] },
    { names: ['Odd'], key: HOME, types: ['Long'] },
    { names: ['Odd'], key: 'at', types: ['DateTime'] },
    { names: ['Person'], key: 'name', types: ['String'] },
    { names: ['Person'], key: 'age', types: ['Long'] },
    { names: ['Person'], key: 'height', types: ['Double'] },
    { names: ['Person', 'Poet'], key: 'name', types: ['String'] },
    { names: ['City'], key: 'name', types: ['String', 'Long'] },
    { names: ['Empty'], key: null, types: [] },
  ],
  [
    { names: ['KNOWS'], key: 'since', types: ['Long'] },
    { names: ['A'], key: 'list', types: ['List'] },
    { names: ['B'], key: 'list', types: ['List'] },
    { names: ['A'], key: 'at', types: ['DateTime'] },
    { names: ['B'], key: 'at', types: ['LocalDateTime'] },
    { names: ['C'], key: 'at', types: ['DateTime'] },
  ],
);

function lowered(text: string, dialect: DialectName = 'duckdb', parameters: ReadonlyMap<string, Value> = new Map()): SqlStatement {
  return lowerStatement(analyze(parse(text), text), { text, dialect, shape: SHAPE, parameters });
}

test('a pattern is scans joined by ordinals, and relationships differ in pairs', () => {
  const { sql, sources } = lowered(
    'MATCH (a:Person)-[r:KNOWS]->(b)-[:KNOWS]->(c:Poet:Person) WHERE a.age > 40 RETURN a.name, count(*) ORDER BY count(*) DESC',
  );
  assert.deepEqual(
    sources.map(({ labels, type }) => labels ?? type),
    [['Person'], [], ['Person', 'Poet'], 'KNOWS'],
  );
  assert.match(sql, /^WITH q\d+ AS \(\n {2}SELECT 1 AS unit\n\),/);
  assert.match(sql, / <> /);
  assert.match(sql, /count\(\*\)/);
  assert.match(sql, /ORDER BY \w+ DESC NULLS FIRST$/);
});

test('the dialects differ in quotes, lists and structs', () => {
  const text = 'MATCH (a:Person) RETURN a, [1, 2] AS list';
  assert.match(lowered(text).sql, /"<ordinal>" AS .*\{'id': /s);
  assert.match(lowered(text, 'spark').sql, /`<ordinal>` AS .*named_struct\('id', /s);
  assert.match(lowered(text, 'spark').sql, /array\(/);
});

test('texts of users are quoted, in names as well', () => {
  assert.match(lowered("RETURN 'it''s' AS `a\"b`".replace("''", "\\'")).sql, /'it''s' AS v\d+[\s\S]* AS "a""b" FROM/);
  assert.match(lowered("RETURN 'a\\\\b' AS x", 'spark').sql, /'a\\\\b'/);
});

test('what a graph does not have is empty or null', () => {
  assert.deepEqual(lowered('MATCH (a:Nobody) RETURN a.name').sources, []);
  assert.match(lowered('MATCH (a:Nobody) RETURN a.name').sql, /WHERE FALSE/);
  assert.match(lowered('MATCH (a:Person) RETURN a.nothing').sql, /CAST\(NULL AS VARCHAR\)/);
});

test('the mean of Integers is a Float of the exact sum', () => {
  const { sql } = lowered('MATCH (a:Person) RETURN avg(a.age) AS mean');
  assert.match(sql, /\(CAST\(CAST\(sum\((\w+)\) AS VARCHAR\) AS DOUBLE\) \/ nullif\(CAST\(count\(\1\) AS DOUBLE\), 0\)\)/);
  assert.match(lowered('MATCH (a:Person) RETURN avg(DISTINCT a.age) AS mean').sql, /sum\(DISTINCT \w+\).*count\(DISTINCT \w+\)/);
});

test('a Float that is divided by zero is infinite, and fails nowhere', () => {
  const { sql } = lowered('MATCH (a:Person) RETURN a.height / a.age AS x', 'spark');
  assert.match(sql, /CASE WHEN CAST\(\w+ AS DOUBLE\) = 0 THEN \w+ \* \(CASE .*'-0\.0' THEN CAST\('-Infinity' AS DOUBLE\)/);
});

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['MATCH p = (a)-->(b) RETURN p', /a column of paths has no form in SQL \(line 1, column 28\)/],
  ['MATCH p = (a)-->(b) RETURN [p] AS x', /a path as a value has no form in SQL .*column 29/],
  ['MATCH p = shortestPath((a)-[*]->(b)) RETURN length(p)', /a shortest path has no form in SQL .*column 7/],
  ['MATCH (a) WHERE EXISTS { (a)-[*1..]->(b) } RETURN a.name', /more than 8 steps in a subquery .*column 26/],
  ['MATCH (a)-[r:KNOWS*1..2]->(b) RETURN r', /a column of nodes or relationships out of lists .*column 38/],
  ['MATCH p = (:Odd)-->() RETURN [n IN nodes(p) | n.at] AS x', /a list of nodes with the property at/],
  ['MATCH (n:Person) RETURN [x IN labels(n) WHERE EXISTS { (n)-->() } | x] AS l', /a subquery for each item of a list .*column 47/],
  ['CREATE (a)', /more than read/],
  ['MATCH (a:Person) WHERE a.age = 1.5\nRETURN a.name', /an Integer with a Float .*column 24/],
  ['MATCH (a:City) WHERE a.name = 1 RETURN a', /a comparison of opaque/],
  ['MATCH (a:Person)\nRETURN sum(a.height)', /an aggregate of Floats .*line 2, column 8/],
  ['MATCH (a:Person) WITH a.name AS n ORDER BY n WITH n AS m RETURN collect(m)', /collect\(\) behind ORDER BY/],
  ['MATCH (a:Person) WITH a.name AS n ORDER BY n RETURN collect(DISTINCT n)', /collect\(DISTINCT …\) behind ORDER BY/],
  ['CALL db.labels() YIELD label RETURN label', /no procedure|callProcedure/],
  ['RETURN reverse("a")', /the function reverse\(\)/],
  ['MATCH (a:Person) RETURN toUpper(a.name) AS x', /the function toUpper\(\)/],
  ['MATCH (a:Person) RETURN stDev(a.age) AS x', /the aggregate stDev\(\)/],
  ['MATCH (a:Person) RETURN {} AS x', /an empty map/],
  ['MATCH (a:Person) RETURN {x: a.age} = {x: 1} AS x', /a comparison of map/],
  ['MATCH (a:Person) RETURN {x: a.age, X: 1} AS x', /a map with keys that differ by case alone .*column 25/],
  ['MATCH (a:City) RETURN {x: a.name} AS x', /a map of values that are only passed on .*column 27/],
  ['MATCH (a:Person) WITH {x: a.age} AS m RETURN m ORDER BY m', /an order by map/],
  ['MATCH (a:Person) RETURN [x IN labels(a) | [(a)-->(b) | b.name]] AS l', /a subquery for each item of a list .*column 43/],
  ['MATCH (a:Person) RETURN COLLECT { MATCH (a)-->(b) RETURN b.age ORDER BY b.age } AS l', /a subquery with an order or DISTINCT/],
  ['MATCH (a:Person) CALL (a) { MATCH (b:City) RETURN a AS c UNION MATCH (c:City) RETURN c } RETURN c.age', /UNION of nodes/],
  ['CALL { MATCH (a:Person) RETURN a ORDER BY a.age } RETURN collect(a.name) AS names', /collect\(\) behind ORDER BY/],
];

for (const [text, message] of REFUSED) {
  test(`refused: ${text.replaceAll('\n', ' ')}`, () => {
    assert.throws(
      () => lowered(text),
      (error) => error instanceof GraphDBError && message.test(error.message),
    );
  });
}

test('walks of bounded length are a table of each length', () => {
  const { sql, sources } = lowered('MATCH (a:Person)-[:KNOWS*0..2]->(b)<-[r:KNOWS]-() RETURN b.name, r.since');
  assert.equal(sql.match(/UNION ALL/g)?.length, 2);
  assert.match(sql, /coalesce\(w\d+ <> r\d+, TRUE\)/);
  assert.deepEqual(
    sources.map(({ labels, type }) => labels ?? type),
    [['Person'], [], 'KNOWS'],
  );
});

test('a parameter is its value, or missing', () => {
  const text = 'MATCH (a:Person {name: $name}) RETURN a.age SKIP $skip';
  assert.match(
    lowered(
      text,
      'duckdb',
      new Map<string, Value>([
        ['name', "o'hara"],
        ['skip', 2],
      ]),
    ).sql,
    /'o''hara'[\s\S]* OFFSET 2$/,
  );
  assert.throws(() => lowered(text), { code: 'PARAMETER_MISSING' });
});

test('a node that OPTIONAL MATCH may leave null matches nothing behind it; nulls are counted, to 0', () => {
  assert.match(lowered('OPTIONAL MATCH (a:Person) MATCH (a), (b:City) RETURN count(*)').sql, /WHERE .*\w+ IS NOT NULL/);
  assert.match(lowered('MATCH (a:Person) RETURN count(null)').sql, /count\(NULL\)/);
});

test('an empty list has the type of the lists that it stands beside', () => {
  const { sql } = lowered('RETURN [] AS l UNION ALL RETURN [1.5] AS l');
  assert.match(sql, /CAST\(\w+ AS DOUBLE\[\]\)/);
});

test('a column of the SQL never has the name of a column of the result, which ORDER BY would find first', () => {
  for (const name of ['C2', 'c3', 'v9', 'v10']) {
    const { sql } = lowered(`MATCH (n:Person) RETURN -n.age AS ${name}, n.name AS b ORDER BY n.age`);
    assert.equal(sql.match(new RegExp(`\\b${name}\\b`, 'gi'))?.length, 1, name);
  }
});

test('a node is no relationship, unless one of them is null', () => {
  const condition = (operator: string): string => lowered(`MATCH (a)-[r]->() RETURN a ${operator} r AS x`).sql;
  assert.match(condition('='), /\(CASE WHEN \w+ IS NOT NULL AND \w+ IS NOT NULL THEN FALSE END\)/);
  assert.match(condition('<>'), /\(CASE WHEN \w+ IS NOT NULL AND \w+ IS NOT NULL THEN TRUE END\)/);
});

test('null is no match of a simple CASE', () => {
  assert.doesNotMatch(lowered('MATCH (n:Person) RETURN CASE n.age WHEN null THEN 1 ELSE 2 END AS x').sql, /IS NULL/);
});

test('EXISTS of an aggregate, which has a row where nothing is found, is refused', () => {
  assert.throws(() => lowered('MATCH (n:Person) WHERE EXISTS { MATCH (n)-->() RETURN count(*) AS c } RETURN n.name'), {
    code: 'UNSUPPORTED',
  });
  assert.match(lowered('MATCH (n:Person) WHERE EXISTS { MATCH (n)-->() RETURN n.age AS c } RETURN n.name').sql, /EXISTS \(/);
});

test('trim() removes all white space, or the given characters', () => {
  assert.match(lowered('MATCH (n:Person) RETURN trim(n.name) AS x').sql, /trim\(\w+, '\t\n[^']*\u3000\ufeff'\)/);
  assert.match(lowered("MATCH (n:Person) RETURN trim(n.name, 'x') AS x", 'spark').sql, /trim\(BOTH 'x' FROM \w+\)/);
});

test('a property whose name is that of another column is refused', () => {
  const refused = (query: string, message: RegExp): void => {
    assert.throws(() => lowered(query), { code: 'UNSUPPORTED', message });
  };
  refused('MATCH (n:Odd) RETURN n.`<ordinal>` AS x', /the property <ordinal>/);
  refused('MATCH (n:Odd) RETURN n.Case AS x, n.case AS y', /by case alone \(Case, case\)/);
  assert.match(lowered('MATCH (n:Odd) RETURN n.Case AS x').sql, /"Case" AS/);
});

test('columns of several tables have one type, or are refused', () => {
  for (const query of ['MATCH ()-[r:A|B]->() RETURN r.list AS x', 'MATCH ()-[r:A|B]->() RETURN r.at AS x'])
    assert.throws(() => lowered(query), { code: 'UNSUPPORTED', message: /of several types/ }, query);
  assert.equal(lowered('MATCH ()-[r:A|C]->() RETURN r.at AS x').sql.match(/"rel.at" AS/g)?.length, 2);
  assert.match(lowered('MATCH ()-[r:A|KNOWS]->() RETURN r.list AS x').sql, / NULL AS c\d+/);
});

test('a null beside a value that is only passed on has no type; a list of such values is refused', () => {
  assert.match(lowered('MATCH (n:Odd) RETURN CASE WHEN n.Case = 1 THEN n.at ELSE null END AS x').sql, / ELSE NULL END/);
  assert.match(lowered('MATCH (n:Odd) RETURN coalesce(null, n.at) AS x').sql, /coalesce\(NULL, /);
  assert.throws(() => lowered('MATCH (n:Odd) RETURN [n.at] AS x'), { code: 'UNSUPPORTED' });
});

test('an order by a constant has no effect', () => {
  assert.doesNotMatch(lowered("MATCH (n:Person) RETURN n.name AS x ORDER BY 'x', 1").sql, /ORDER BY/);
  assert.match(lowered("MATCH (n:Person) RETURN n.name AS x ORDER BY 'x', x").sql, /ORDER BY v\d+ ASC NULLS LAST$/);
});

test('Spark finds no variables in texts; names that hold one are refused', () => {
  assert.match(lowered(`RETURN 'a${HOME}' AS x`, 'spark').sql, /'a\\u0024\{env:HOME\}'/);
  assert.match(lowered(`RETURN 'a${HOME}' AS x`).sql, /'a\$\{env:HOME\}'/);
  for (const query of [`RETURN 1 AS \`${HOME}\``, `MATCH (n:Odd) RETURN n.\`${HOME}\` AS x`])
    assert.throws(() => lowered(query, 'spark'), { code: 'UNSUPPORTED' }, query);
});

test('Spark counts rows in 32 bits', () => {
  assert.throws(() => lowered('MATCH (n:Person) RETURN n.name AS x LIMIT 2147483648', 'spark'), { code: 'UNSUPPORTED' });
  assert.match(lowered('MATCH (n:Person) RETURN n.name AS x LIMIT 2147483647', 'spark').sql, /LIMIT 2147483647$/);
  assert.match(lowered('MATCH (n:Person) RETURN n.name AS x LIMIT 9223372036854775807').sql, /LIMIT 9223372036854775807$/);
});

test('nested divisions grow by a constant for each level', () => {
  const length = (depth: number): number =>
    lowered(`MATCH (n:Person) RETURN ${'n.age / ('.repeat(depth)}n.age${')'.repeat(depth)} AS x`).sql.length;
  assert.ok(length(40) - length(39) < length(2), `${length(39)} and ${length(40)} characters`);
});

test('a walk without a bound is a table that reads itself, from the end of which more is known', () => {
  const { sql } = lowered("MATCH p = (a:Person)-[:KNOWS*]->(:Person {name: 'Ada'}) RETURN a.name, length(p) AS steps");
  assert.match(sql, /^WITH RECURSIVE /);
  assert.match(sql, /FROM nodes_\d+\) t\d+ WHERE \(c\d+ = 'Ada'\)\s+UNION ALL\s+SELECT /);
  assert.match(sql, /NOT list_contains\(w\d+, r\d+\)/);
  assert.match(lowered('MATCH (a:Person)-[:KNOWS*]->() RETURN a.name', 'spark').sql, /NOT array_contains\(w\d+, r\d+\)/);
});

test('relationships of different types are different without a condition', () => {
  assert.doesNotMatch(lowered('MATCH (a)-[:A]->()-[:B]->(b) RETURN a.name').sql, /<> r/);
  assert.match(lowered('MATCH (a)-[:A]->()-[:A|B]->(b) RETURN a.name').sql, /<> r/);
});

test('collect() in the clause behind an ORDER BY has its order', () => {
  const text = 'MATCH (a:Person) WITH a ORDER BY a.age DESC RETURN collect(a.name) AS names';
  assert.match(lowered(text).sql, /list\(g\d+ ORDER BY k\d+ DESC NULLS FIRST\) FILTER/);
  assert.match(lowered(text, 'spark').sql, /transform\(array_sort\(collect_list\(named_struct\('k0', k\d+, 'v', g\d+\)\)/);
});

test('a CALL subquery is computed once for each combination of what it reads from outside', () => {
  const { sql } = lowered(
    'MATCH (a:Person), (c:City) CALL (*) { MATCH (a)-->(b:Person) RETURN b.name AS name ORDER BY name SKIP 1 LIMIT 2 } RETURN name',
    'spark',
  );
  assert.match(
    sql,
    /SELECT DISTINCT o\d+(?:, \w+)*, o\d+ AS (k\d+) FROM [\s\S]*row_number\(\) OVER \(PARTITION BY \1 ORDER BY v\d+ ASC NULLS LAST\)/,
  );
  assert.match(sql, /WHERE (n\d+) > 1 AND \1 <= 3/);
  assert.doesNotMatch(sql, /LATERAL| LIMIT /);
});

test('the places of a subquery reach no further than Integers do', () => {
  const { sql } = lowered('MATCH (a) CALL (a) { MATCH (a)-->(b) RETURN b SKIP 1 LIMIT 9223372036854775807 } RETURN b.age AS age');
  assert.match(sql, / <= 9223372036854775807\b/);
});

test('a CALL subquery that reads nothing from outside has its own LIMIT', () => {
  assert.match(
    lowered('MATCH (a:Person) CALL { MATCH (b:City) RETURN b LIMIT 2 } RETURN a.age').sql,
    / LIMIT 2\n\)[\s\S]* INNER JOIN q\d+ ON TRUE/,
  );
});

test('maps are structs whose members have the names of the keys', () => {
  const text = 'MATCH (a:Person) WITH {name: a.name, `the age`: a.age} AS map RETURN map.`the age` AS age';
  assert.match(lowered(text).sql, /\{'name': \w+, 'the age': \w+\} AS (v\d+)[\s\S]*\1\."the age" AS /);
  assert.match(lowered(text, 'spark').sql, /named_struct\('name', \w+, 'the age', \w+\) AS (v\d+)[\s\S]*\1\.`the age` AS /);
});
