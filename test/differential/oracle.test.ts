/**
 * The oracle's own arithmetic, lists, texts and points, against values that are documented elsewhere: the openCypher
 * TCK and Neo4j's manual.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARAMETERS } from './generate/parameters.ts';
import { deviationOf, meanOf, rounded, unitsOf } from './oracle/exact.ts';
import { ModelGraph } from './oracle/model.ts';
import { runOracle } from './oracle/oracle.ts';
import { rowsOf } from './oracle/projection.ts';
import { show } from './show.ts';

/** The values of the first row, as text. */
function answer(query: string, graph = new ModelGraph()): string {
  const projected = runOracle(query, graph, PARAMETERS);
  return rowsOf(projected)
    .map((row) => projected.columns.map((name) => show(row.get(name), { graph })).join(' | '))
    .join('; ');
}

function check(cases: Readonly<Record<string, string>>, graph?: ModelGraph): void {
  for (const [expression, expected] of Object.entries(cases))
    assert.equal(answer(`RETURN ${expression} AS x`, graph), expected, expression);
}

test('means and deviations are exact whatever their size', () => {
  assert.equal(unitsOf(5e-324), 1n);
  assert.equal(unitsOf(-1), -(2n ** 1074n));
  for (const values of [[1, 2, 4], [0.1, 0.2], [5e-324], [-3, 3], [1e-310, 3e-310]]) {
    const plain = values.reduce((sum, x) => sum + x, 0) / values.length;
    assert.ok(Math.abs(meanOf(values) - plain) <= Math.abs(plain) * 2 ** -52, `${values}`);
  }
  assert.equal(meanOf([1, 1, 2]), 4 / 3);
  assert.equal(meanOf([2 ** 53, 1, 1]), (2 ** 53 + 2) / 3);
  assert.equal(meanOf([Number.MAX_VALUE, Number.MAX_VALUE]), Number.MAX_VALUE);
  assert.equal(meanOf([1.7e308, 1.5e308]), 1.6e308);
  assert.equal(meanOf([1e308, -1e308, 3]), 1);
  assert.equal(deviationOf([2, 4, 4, 4, 5, 5, 7, 9], false), 2);
  assert.equal(deviationOf([1, 2, 3, 4], true), Math.sqrt(5 / 3));
  assert.equal(deviationOf([1e308, -1e308], false), 1e308);
  assert.equal(deviationOf([5e-324, 5e-324], false), 0);
  assert.equal(deviationOf([7], true), 0);
});

test('rounding follows the shortest decimal of a Float, in every mode', () => {
  // The table of java.math.RoundingMode, which Neo4j names for its modes.
  const inputs = [5.5, 2.5, 1.6, 1.1, 1, -1, -1.1, -1.6, -2.5, -5.5];
  const table: Record<string, readonly number[]> = {
    UP: [6, 3, 2, 2, 1, -1, -2, -2, -3, -6],
    DOWN: [5, 2, 1, 1, 1, -1, -1, -1, -2, -5],
    CEILING: [6, 3, 2, 2, 1, -1, -1, -1, -2, -5],
    FLOOR: [5, 2, 1, 1, 1, -1, -2, -2, -3, -6],
    HALF_UP: [6, 3, 2, 1, 1, -1, -1, -2, -3, -6],
    HALF_DOWN: [5, 2, 2, 1, 1, -1, -1, -2, -2, -5],
    HALF_EVEN: [6, 2, 2, 1, 1, -1, -1, -2, -2, -6],
    HALF_CEILING: [6, 3, 2, 1, 1, -1, -1, -2, -2, -5],
  };
  for (const [mode, expected] of Object.entries(table)) {
    assert.deepEqual(
      inputs.map((x) => rounded(x, 0, mode)),
      expected,
      mode,
    );
  }
  assert.equal(rounded(2.675, 2, 'HALF_UP'), 2.68);
  assert.equal(rounded(1.005, 2, 'HALF_EVEN'), 1);
  assert.equal(rounded(1e300, 2, 'UP'), 1e300);
  assert.equal(rounded(1e-300, 2, 'UP'), 0.01);
  assert.ok(Object.is(rounded(-0.04, 1, 'HALF_UP'), 0));
  assert.equal(rounded(1, 0, 'SIDEWAYS'), undefined);
  check({
    'round(-1.5)': '-1f',
    'round(-1.5, 0)': '-1f',
    "round(-1.5, 0, 'HALF_UP')": '-2f',
    'round(-1.55, 1)': '-1.6f',
    'round(3.141592, 3)': '3.142f',
    "round(1.249, 1, 'UP')": '1.3f',
    'round(null, 1)': 'null',
  });
});

test('a vector is a List of Floats wherever a list is read', () => {
  check({
    '[x IN vector([1, 2, 3]) | x / 2]': '[0.5f, 1f, 1.5f]',
    'reduce(s = 0, x IN $vector | s + x)': '0.5f',
    'all(x IN vector([1, 2]) WHERE x / 2 < 1.5)': 'true',
    'single(x IN vector([1, 3]) WHERE x / 2 = 1.5)': 'true',
    'head(vector([1, 2])) / 2': '0.5f',
    'last($vector)': '-3f',
    'tail(vector([1, 2, 3]))': '[2f, 3f]',
    'vector([1, 2, 3])[-2..]': '[2f, 3f]',
    'vector([1, 2, 3])[0..-1]': '[1f, 2f]',
    'vector([1, 2, 3])[1]': '2f',
    'vector([1, 2, 3])[3]': 'null',
    '2 IN vector([1, 2])': 'true',
    'null IN vector([1])': 'null',
    'vector([1]) + vector([2]) + 3': '[1f, 2f, 3]',
    '0 + vector([1])': '[0, 1f]',
    'reverse(vector([1, 2]))': '[2f, 1f]',
    'size($vector)': '3',
    'isEmpty(vector([]))': 'true',
    'toFloatList(vector([1]))': '[1f]',
    'toIntegerList(vector([1.5, -2.25]))': '[1, -2]',
    'toStringList(vector([1, 0.5]))': '["1.0", "0.5"]',
    'vector([1]) = [1.0]': 'false',
  });
  assert.equal(
    answer('UNWIND $vector AS x RETURN sum(x) AS s, avg(x) AS a, count(x) AS c, collect(x / 2) AS l'),
    '0.5f | 0.16666666666666666f | 3 | [0.5f, 1.25f, -1.5f]',
  );
});

test('a single value is iterated as a list of one, and null is no list', () => {
  check({
    '[x IN $single | x + 1]': '[5]',
    "any(x IN 'a' WHERE x = 'a')": 'true',
    'none(x IN {a: 1} WHERE x.a = 1)': 'false',
    'reduce(s = 0, x IN $single | s + x)': '4',
    '[x IN null | x]': 'null',
    'all(x IN null WHERE false)': 'null',
  });
  assert.equal(answer("UNWIND 'ab' AS x RETURN x"), '"ab"');
  assert.equal(answer('UNWIND null AS x RETURN count(*) AS c'), '0');
});

test('temporal values are written with their seconds', () => {
  check({
    "toString(time('08:40'))": '"08:40:00Z"',
    "toString(time('08:40:00.001-05:30'))": '"08:40:00.001-05:30"',
    "toString(localtime('12:31:14.645876123'))": '"12:31:14.645876123"',
    "toString(localdatetime('1984-10-11T12:31:14.645876123'))": '"1984-10-11T12:31:14.645876123"',
    "toString(datetime('1984-10-11T12:31:14.645876123+01:00'))": '"1984-10-11T12:31:14.645876123+01:00"',
    "toString(date('2024-02-29'))": '"2024-02-29"',
    "'at ' + localtime('00:00')": '"at 00:00:00"',
  });
});

test('UNION in a subquery asks all of its parts', () => {
  const graph = new ModelGraph();
  const [a, b] = [graph.addNode(['A'], new Map([['k', 1]])), graph.addNode(['B'], new Map([['k', 1]]))];
  graph.addRelationship('R', { source: a.key, target: b.key }, new Map());
  check(
    {
      'EXISTS { MATCH (n:None) UNION MATCH (n:A) }': 'true',
      'EXISTS { MATCH (n:None) UNION ALL MATCH (m:None) }': 'false',
      'COUNT { MATCH (n:A) UNION ALL MATCH (n:B) }': '2',
      'COUNT { MATCH (n:A) RETURN n.k AS k UNION MATCH (n:B) RETURN n.k AS k }': '1',
      'COLLECT { MATCH (n:A) RETURN n.k AS k UNION ALL MATCH (n:B) RETURN n.k + 1 AS k }': '[1, 2]',
    },
    graph,
  );
  const query =
    'MATCH (n) WHERE EXISTS { MATCH (n)-->(:B) UNION MATCH (n) WHERE COUNT { MATCH (n)<--() UNION ALL MATCH (:None) } > 1 } RETURN n{.k}';
  assert.equal(answer(query, graph), '{"k": 1}');
  assert.deepEqual(runOracle(query, graph).columns, ['n']);
});

test('points are equal, ordered, measured and boxed as in the manual of Neo4j', () => {
  check({
    'point({x: 2.3, y: 4.5})': 'point(7203, 2.3, 4.5)',
    'point({longitude: 56.7, latitude: 12.78, height: 8})': 'point(4979, 56.7, 12.78, 8)',
    "point({x: 1, y: 2, crs: 'WGS-84'}) = point({longitude: 1, latitude: 2})": 'true',
    'point({x: 1, y: 2}) = point({longitude: 1, latitude: 2})': 'false',
    'point({x: 1, y: 2}) < point({x: 2, y: 3})': 'null',
    'point({x: 1, y: null})': 'null',
    'point(null)': 'null',
    'point({longitude: 56.7, latitude: 12.78}).latitude': '12.78f',
    'point({x: 1, y: 2, z: 3}).crs': '"cartesian-3d"',
    'point({longitude: 1, latitude: 2, height: 3}).srid': '4979',
    'point.distance(point({x: 0, y: 0}), point({x: 3, y: 4}))': '5f',
    'point.distance(point({x: 1, y: 2, z: 3}), point({x: 1, y: 2, z: -3}))': '6f',
    'point.distance(point({x: 0, y: 0}), point({longitude: 0, latitude: 0}))': 'null',
    'point.distance(point({x: 0, y: 0}), null)': 'null',
    'point.withinBBox(point({x: 1, y: 1}), point({x: 0, y: 0}), point({x: 1, y: 2}))': 'true',
    'point.withinBBox(point({x: 1, y: 3}), point({x: 0, y: 0}), point({x: 1, y: 2}))': 'false',
    'point.withinBBox(point({longitude: 179, latitude: 0}), point({longitude: 170, latitude: -5}), point({longitude: -170, latitude: 5}))':
      'true',
    'point.withinBBox(point({longitude: 0, latitude: 0}), point({longitude: 170, latitude: -5}), point({longitude: -170, latitude: 5}))':
      'false',
    'point.withinBBox(point({x: 1, y: 1}), point({x: 0, y: 0}), point({x: 1, y: 2, z: 3}))': 'null',
    'point({x: 1, y: 2}) IN [point({x: 1, y: 2})]': 'true',
  });
  const ordered = 'UNWIND [point({x: 1, y: 2}), point({longitude: 3, latitude: 4}), null, point({x: 1, y: 1}), point({x: 1, y: 2})] AS p';
  assert.equal(answer(`${ordered} RETURN DISTINCT p ORDER BY p`), 'point(4326, 3, 4); point(7203, 1, 1); point(7203, 1, 2); null');
  assert.equal(answer(`${ordered} WITH p, count(*) AS c WHERE c > 1 RETURN p, c`), 'point(7203, 1, 2) | 2');
  // From Copenhagen to Malmö, and along a flight at a height of a hundred metres.
  const metres = (a: string, b: string): number => Number(answer(`RETURN point.distance(point(${a}), point(${b})) AS d`).slice(0, -1));
  assert.equal(Math.round(metres('{longitude: 12.564590, latitude: 55.672874}', '{longitude: 12.994341, latitude: 55.611784}')), 27842);
  const flight = metres('{longitude: 12.78, latitude: 56.7, height: 100}', '{latitude: 56.71, longitude: 12.79, height: 100}');
  assert.ok(Math.abs(flight - 1269.9148706779097) < 1e-6, `${flight}`);
});
