/** Points as stored values: among others and in lists, flushed, merged and reopened, as keys of groups, joins and constraints. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText, Point, type Value } from '../../src/value/index.ts';

let stores = 0;
const open = (name: string): Promise<Engine> => openEngine(`memory://compat-points-${name}`, { flushIntervalMs: 0 });

async function answer(engine: Engine, query: string, parameters: Readonly<Record<string, Value>> = {}): Promise<string[]> {
  return (await engine.execute(query, new Map(Object.entries(parameters)))).rows.map((row) => row.map(literalText).join(' | '));
}

async function withEngine(run: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await open(`${++stores}`);
  try {
    await run(engine);
  } finally {
    await engine.close();
  }
}

const ALL = 'MATCH (p:Place) RETURN p.i, p.at, p.track ORDER BY p.i';
const NEAR = 'MATCH (p:Place) WHERE point.distance(p.at, point({x: 3, y: 0})) <= 1 RETURN p.i ORDER BY p.i';

test('points are the same in memory, in files, merged and opened again', async () => {
  let engine = await open('stored');
  await answer(engine, 'UNWIND range(1, 20) AS i CREATE (:Place {i: i, at: point({x: i, y: -0.0})})');
  await answer(
    engine,
    'MATCH (a:Place {i: 1}), (b:Place {i: 2}) CREATE (a)-[:NEAR {via: point({longitude: 1, latitude: 2, height: 3})}]->(b)',
  );
  await engine.flush();
  await answer(engine, 'MATCH (p:Place {i: 7}) REMOVE p.at');
  await answer(engine, "MATCH (p:Place {i: 5}) SET p.at = 'nowhere'");
  await answer(engine, 'MATCH (p:Place {i: 6}) SET p.at = [point({x: 1, y: 2}), point({longitude: 370, latitude: 5})]');
  await answer(engine, 'UNWIND range(21, 23) AS i CREATE (:Place {i: i, at: point({longitude: i, latitude: 1, height: 1e300})})');
  await answer(engine, 'MATCH (p:Place {i: 8}) SET p.track = [point({x: 0.1, y: 5e-324})]');
  const all = await answer(engine, ALL);
  assert.equal(all[0], "1 | point({x: 1.0, y: -0.0, crs: 'cartesian'}) | null");
  assert.equal(all[4], "5 | 'nowhere' | null");
  assert.equal(all[5], "6 | [point({x: 1.0, y: 2.0, crs: 'cartesian'}), point({x: 10.0, y: 5.0, crs: 'wgs-84'})] | null");
  assert.equal(all[6], '7 | null | null');
  assert.equal(all[7], "8 | point({x: 8.0, y: -0.0, crs: 'cartesian'}) | [point({x: 0.1, y: 5.0E-324, crs: 'cartesian'})]");
  assert.equal(all[20], "21 | point({x: 21.0, y: 1.0, z: 1.0E300, crs: 'wgs-84-3d'}) | null");
  const check = async (): Promise<void> => {
    assert.deepEqual(await answer(engine, ALL), all);
    assert.deepEqual(await answer(engine, NEAR), ['2', '3', '4']);
    assert.deepEqual(await answer(engine, 'MATCH ()-[r:NEAR]->() RETURN r.via.height, r.via.srid'), ['3.0 | 4979']);
  };
  await check();
  for (const step of ['flush', 'compact'] as const) {
    await engine[step]();
    await check();
    await engine.close();
    engine = await open('stored');
    await check();
  }
  await engine.close();
});

test('points are keys: of DISTINCT, groups, joins and IN', () =>
  withEngine(async (engine) => {
    await answer(
      engine,
      'UNWIND [[1, 2], [1, 2], [0, 0], [-0.0, 0]] AS c CREATE (:A {at: point({x: c[0], y: c[1]})}), (:B {at: point({x: c[0], y: c[1]})})',
    );
    await answer(engine, "CREATE (:A {at: point({x: 1, y: 2, crs: 'wgs-84'})}), (:A {at: [1.0, 2.0]}), (:A)");
    await assert.rejects(answer(engine, 'MATCH (a:A) RETURN a.at.srid'), { code: 'TYPE_ERROR', message: /List has no properties/ });
    assert.deepEqual(await answer(engine, 'MATCH (a:A) RETURN a.at, count(*) AS n ORDER BY a.at'), [
      '[1.0, 2.0] | 1',
      "point({x: 1.0, y: 2.0, crs: 'wgs-84'}) | 1",
      "point({x: 0.0, y: 0.0, crs: 'cartesian'}) | 2",
      "point({x: 1.0, y: 2.0, crs: 'cartesian'}) | 2",
      'null | 1',
    ]);
    assert.deepEqual(await answer(engine, 'MATCH (a:A), (b:B) WHERE a.at = b.at RETURN count(*)'), ['8']);
    assert.deepEqual(await answer(engine, 'MATCH (a:A) WHERE a.at IN [point({x: 1, y: 2}), 1] RETURN count(*)'), ['2']);
    assert.deepEqual(await answer(engine, 'MATCH (a:A) WHERE a.at = $p RETURN count(*)', { p: new Point(7203, 0, 0) }), ['2']);
    assert.deepEqual(await answer(engine, 'MATCH (a:A) WHERE a.at <> $p RETURN count(*)', { p: new Point(7203, 0, 0) }), ['4']);
    assert.deepEqual(await answer(engine, 'MATCH (a:A) WHERE a.at < $p OR a.at >= $p RETURN count(*)', { p: new Point(7203, 0, 0) }), [
      '0',
    ]);
    assert.deepEqual(
      await answer(engine, 'UNWIND [point({x: 1, y: 2}), 3, point({x: 1, y: 2})] AS v RETURN count(DISTINCT v), min(v), max(v)'),
      ["2 | point({x: 1.0, y: 2.0, crs: 'cartesian'}) | 3"],
    );
  }));

test('a uniqueness constraint and a type constraint hold over points', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE CONSTRAINT one FOR (p:Place) REQUIRE p.at IS UNIQUE');
    await answer(engine, 'CREATE CONSTRAINT typed FOR (p:Place) REQUIRE p.at IS :: POINT');
    await answer(engine, 'CREATE (:Place {at: point({x: 1, y: 2})}), (:Place {at: point({x: 1, y: 2, z: 0})})');
    await assert.rejects(answer(engine, 'CREATE (:Place {at: point({x: 1.0, y: 2})})'), { code: 'CONSTRAINT_VIOLATION' });
    await assert.rejects(answer(engine, 'CREATE (:Place {at: 1})'), {
      code: 'CONSTRAINT_VIOLATION',
      message: /must be POINT, and it is Integer/,
    });
    await answer(engine, 'CREATE CONSTRAINT tracks FOR (p:Place) REQUIRE p.track IS :: LIST<POINT NOT NULL>');
    await answer(engine, 'CREATE (:Place {track: [point({x: 1, y: 2})]})');
    await assert.rejects(answer(engine, 'CREATE (:Place {track: [1]})'), { code: 'CONSTRAINT_VIOLATION' });
    assert.deepEqual(await answer(engine, 'MATCH (p:Place {at: point({x: 1, y: 2})}) RETURN count(p)'), ['1']);
  }));

test('what is no point, or one of another system, has no distance and lies in no box', () =>
  withEngine(async (engine) => {
    const values = ['null', '1', "'a'", '[point({x: 1, y: 1})]', 'point({longitude: 1, latitude: 1})', 'point({x: 1, y: 1, z: 1})'];
    for (const value of values) {
      assert.deepEqual(await answer(engine, `RETURN point.distance(${value}, point({x: 1, y: 1}))`), ['null'], value);
      assert.deepEqual(
        await answer(engine, `RETURN point.withinBBox(${value}, point({x: 0, y: 0}), point({x: 2, y: 2}))`),
        ['null'],
        value,
      );
      assert.deepEqual(
        await answer(engine, `RETURN point.withinBBox(point({x: 0, y: 0}), ${value}, point({x: 2, y: 2}))`),
        ['null'],
        value,
      );
    }
  }));

test('types, text and introspection know points', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE (:Place {at: point({x: 1, y: 2})})-[:NEAR {at: point({x: 1, y: 2})}]->()');
    assert.deepEqual(
      await answer(
        engine,
        'MATCH (p:Place) RETURN valueType(p.at), valueType([p.at, 1, null]), p.at IS :: POINT, p.at IS :: POINT NOT NULL, 1 IS :: POINT',
      ),
      ["'POINT NOT NULL' | 'LIST<INTEGER | POINT> NOT NULL' | true | true | false"],
    );
    assert.deepEqual(await answer(engine, 'MATCH (p:Place) RETURN toString(p.at), toStringOrNull(p.at), toStringList([p.at])'), [
      "'point({x: 1.0, y: 2.0, crs: \\'cartesian\\'})' | 'point({x: 1.0, y: 2.0, crs: \\'cartesian\\'})' | ['point({x: 1.0, y: " +
        "2.0, crs: \\'cartesian\\'})']",
    ]);
    assert.deepEqual(
      await answer(engine, 'CALL db.schema.nodeTypeProperties() YIELD propertyName, propertyTypes WHERE propertyName IS NOT NULL RETURN *'),
      ["'at' | ['Point']"],
    );
    assert.deepEqual(await answer(engine, 'CALL db.schema.relTypeProperties() YIELD propertyName, propertyTypes RETURN *'), [
      "'at' | ['Point']",
    ]);
    assert.deepEqual(await answer(engine, "CALL apoc.meta.data() YIELD label, property, type WHERE property = 'at' RETURN label, type"), [
      "'Place' | 'POINT'",
      "'NEAR' | 'POINT'",
    ]);
    assert.deepEqual(
      await answer(engine, "SHOW FUNCTIONS YIELD name, category, signature WHERE name STARTS WITH 'point' RETURN category, signature"),
      [
        "'Spatial' | 'point(input :: Map) :: Point'",
        "'Spatial' | 'point.distance(from :: Point, to :: Point) :: Float'",
        "'Spatial' | 'point.withinBBox(point :: Point, lowerLeft :: Point, upperRight :: Point) :: Boolean'",
      ],
    );
    await assert.rejects(answer(engine, 'MATCH (p:Place) RETURN p.at.latitude'), {
      code: 'ARGUMENT_ERROR',
      message: /cartesian point has no latitude/,
    });
    await assert.rejects(answer(engine, 'RETURN distance(1, 2)'), { code: 'SEMANTIC_ERROR', message: /point\.distance/ });
    await assert.rejects(answer(engine, 'RETURN point(1)'), { message: /`point` takes .*a Map here, and this is an Integer/ });
    await assert.rejects(answer(engine, 'RETURN point.distanse(1, 2)'), { code: 'SEMANTIC_ERROR', message: /point\.distance/ });
  }));

test('a parameter map in the shape of the JSON is a map, of which point() makes the point', () =>
  withEngine(async (engine) => {
    const map = new Map<string, Value>([
      ['_kind', 'point'],
      ['srid', 4326],
      ['x', 1.5],
      ['y', 2],
    ]);
    assert.deepEqual(await answer(engine, 'RETURN valueType($p), point($p)', { p: map }), [
      "'MAP NOT NULL' | point({x: 1.5, y: 2.0, crs: 'wgs-84'})",
    ]);
  }));

test('points are measured where they are stored as they are measured as values', () =>
  withEngine(async (engine) => {
    const values = ["'a'", '1', 'null', '[point({x: 1, y: 1})]', "date('2024-01-01')", 'point({x: 1, y: 1})', 'point({x: -0.0, y: 1e300})'];
    values.push(
      'point({x: 1, y: 1, z: 1})',
      'point({longitude: 1, latitude: 1})',
      'point({longitude: 180, latitude: -90, height: -1})',
      'point({x: 1, y: 2})',
    );
    await answer(engine, `UNWIND [${values.join(', ')}] AS at CREATE (a:Place {at: at}), (a)-[:NEAR {at: at}]->(:End)`);
    const others: readonly Value[] = [
      null,
      1,
      new Point(7203, 0, 0),
      new Point(9157, 0, 0, 0),
      new Point(4326, 0, 0),
      new Point(4979, 0, 0, 0),
    ];
    let different = 0;
    for (const q of others) {
      for (const r of others) {
        for (const match of ['MATCH (p:Place)', 'OPTIONAL MATCH (p:Place)', 'MATCH (:Place)-[p:NEAR]->()', 'OPTIONAL MATCH (p:Nobody)']) {
          const rows = await answer(
            engine,
            `${match} WITH p, coalesce(p.at) AS at
             WITH point.distance(p.at, $q) AS a, point.distance($q, at) AS b, point.withinBBox(p.at, $q, $r) AS c,
             point.withinBBox(at, $q, $r) AS d
             RETURN a IS NULL AND b IS NULL OR a = b, c IS NULL AND d IS NULL OR c = d, a IS NOT NULL`,
            { q, r },
          );
          different += rows.filter((row) => row.endsWith('true')).length;
          for (const row of rows) assert.match(row, /^true \| true/, `${match} ${literalText(q)}`);
        }
      }
    }
    assert.ok(different > 50);
  }));

test('functions of literal maps and lists are computed once, and fail only where they are reached', () =>
  withEngine(async (engine) => {
    assert.deepEqual(
      await answer(engine, 'UNWIND range(1, 3) AS i RETURN i, point({x: 1, y: -2.5}).y, size([1, $p, {a: 1}]), date({year: $y})', {
        p: null,
        y: 2020,
      }),
      ["1 | -2.5 | 3 | '2020-01-01'", "2 | -2.5 | 3 | '2020-01-01'", "3 | -2.5 | 3 | '2020-01-01'"],
    );
    assert.deepEqual(await answer(engine, "UNWIND [] AS i RETURN point({x: 'a', y: i})"), []);
    assert.deepEqual(await answer(engine, "UNWIND [] AS i RETURN point({x: 'a', y: 1})"), []);
    await assert.rejects(answer(engine, "UNWIND [1] AS i RETURN point({x: 'a', y: 1})"), { code: 'TYPE_ERROR' });
    assert.deepEqual(await answer(engine, "UNWIND [1, 2] AS i RETURN CASE WHEN i < 3 THEN i ELSE point({x: 'a', y: 1}) END"), ['1', '2']);
    assert.deepEqual(await answer(engine, 'UNWIND [1, 2] AS i WITH properties({a: 1}) AS m, i RETURN m, m {.*, i: i} AS n'), [
      '{a: 1} | {i: 1, a: 1}',
      '{a: 1} | {i: 2, a: 1}',
    ]);
    assert.deepEqual(await answer(engine, 'RETURN point({x: $x, y: 1}), keys({a: 1, a: 2})', { x: null }), ["null | ['a']"]);
  }));
