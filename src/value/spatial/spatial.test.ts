/** Points as the Cypher manual of Neo4j 5 describes them: how they are made, read, compared, ordered and measured. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  CypherDateTime,
  compare,
  equals,
  isInBox,
  isOfType,
  literalText,
  makeFloat,
  order,
  Point,
  parseJson,
  pointDistance,
  pointField,
  pointFromMap,
  type Value,
  withinBox,
  writeJson,
} from '../index.ts';
import { point } from '../testing/arbitraries.ts';

const made = (members: Readonly<Record<string, Value>>): Point | null => pointFromMap(new Map(Object.entries(members)));
const textOf = (members: Readonly<Record<string, Value>>): string => String(made(members));

test('a map becomes a point of the system that it names, or that its keys stand for', () => {
  assert.equal(textOf({ x: 1, y: 2.5 }), "point({x: 1.0, y: 2.5, crs: 'cartesian'})");
  assert.equal(textOf({ x: 1, y: 2, z: 3 }), "point({x: 1.0, y: 2.0, z: 3.0, crs: 'cartesian-3d'})");
  assert.equal(textOf({ longitude: 56.7, latitude: 12.78 }), "point({x: 56.7, y: 12.78, crs: 'wgs-84'})");
  assert.equal(textOf({ longitude: 56.7, latitude: 12.78, height: 8 }), "point({x: 56.7, y: 12.78, z: 8.0, crs: 'wgs-84-3d'})");
  assert.equal(textOf({ longitude: 56.7, latitude: 12.78, z: 8 }), "point({x: 56.7, y: 12.78, z: 8.0, crs: 'wgs-84-3d'})");
  assert.equal(textOf({ x: 2.3, y: 4.5, crs: 'WGS-84' }), "point({x: 2.3, y: 4.5, crs: 'wgs-84'})");
  assert.equal(textOf({ x: 2.3, y: 4.5, srid: 4326 }), "point({x: 2.3, y: 4.5, crs: 'wgs-84'})");
  assert.equal(textOf({ x: 1, y: 2, z: 3, crs: 'WGS-84-3D' }), "point({x: 1.0, y: 2.0, z: 3.0, crs: 'wgs-84-3d'})");
  assert.equal(textOf({ x: 1, y: 2, z: 3, srid: 9157 }), "point({x: 1.0, y: 2.0, z: 3.0, crs: 'cartesian-3d'})");
  assert.equal(textOf({ X: 1, Y: 2, name: 'ignored', _kind: 'point', SRID: 7203 }), "point({x: 1.0, y: 2.0, crs: 'cartesian'})");
  assert.equal(textOf({ x: makeFloat(-0), y: 2n ** 60n }), "point({x: -0.0, y: 1.152921504606847E18, crs: 'cartesian'})");
  assert.equal(textOf({ x: 1, y: 2, longitude: 3, latitude: 4 }), "point({x: 1.0, y: 2.0, crs: 'cartesian'})");
});

test('a null makes no point', () => {
  for (const key of ['x', 'y', 'z', 'longitude', 'latitude', 'height', 'crs', 'srid'])
    assert.equal(made({ x: 1, y: 2, [key]: null }), null, key);
  assert.notEqual(made({ x: 1, y: 2, other: null }), null);
});

test('what is no point says why', () => {
  const cases: readonly (readonly [Readonly<Record<string, Value>>, string, RegExp])[] = [
    [{}, 'ARGUMENT_ERROR', /needs x and y, or longitude and latitude/],
    [{ x: 1 }, 'ARGUMENT_ERROR', /needs x and y/],
    [{ x: 1, latitude: 2 }, 'ARGUMENT_ERROR', /needs x and y/],
    [{ x: 1, crs: 'cartesian' }, 'ARGUMENT_ERROR', /a cartesian point needs x, y$/],
    [{ latitude: 1, crs: 'wgs-84-3d' }, 'ARGUMENT_ERROR', /a wgs-84-3d point needs longitude, latitude, height$/],
    [{ x: 1, y: 2, crs: 'mercator' }, 'ARGUMENT_ERROR', /unknown coordinate reference system "mercator"/],
    [{ x: 1, y: 2, srid: 4327 }, 'ARGUMENT_ERROR', /unknown coordinate reference system 4327/],
    [{ x: 1, y: 2, srid: 4326.5 }, 'TYPE_ERROR', /srid of a point must be an Integer/],
    [{ x: 1, y: 2, crs: 4326 }, 'TYPE_ERROR', /crs of a point must be a String/],
    [{ x: 1, y: 2, crs: 'cartesian', srid: 7203 }, 'ARGUMENT_ERROR', /crs or srid, and not both/],
    [{ x: 1, y: 2, crs: 'cartesian-3d' }, 'ARGUMENT_ERROR', /cartesian-3d point has 3 coordinates, and here are 2/],
    [{ x: 1, y: 2, z: 3, crs: 'cartesian' }, 'ARGUMENT_ERROR', /cartesian point has 2 coordinates, and here are 3/],
    [{ longitude: 1, latitude: 2, crs: 'cartesian' }, 'ARGUMENT_ERROR', /a cartesian point has no longitude and latitude/],
    [{ x: 1, y: 'two' }, 'TYPE_ERROR', /y of a point must be a number, and this is a String/],
    [{ x: [1], y: 2 }, 'TYPE_ERROR', /x of a point must be a number, and this is a List/],
    [{ x: 1, X: 2, y: 3 }, 'ARGUMENT_ERROR', /has its x twice/],
    [{ longitude: 0, latitude: 90.1 }, 'ARGUMENT_ERROR', /latitude must lie in -90 to 90, but is 90.1/],
    [{ longitude: 0, latitude: -91, height: 0 }, 'ARGUMENT_ERROR', /latitude must lie in -90 to 90, but is -91.0/],
  ];
  for (const [members, code, message] of cases) assert.throws(() => made(members), { code, message }, JSON.stringify(members));
  for (const bad of [Number.NaN, Infinity, -Infinity]) {
    for (const key of ['x', 'y', 'z'])
      assert.throws(() => made({ x: 1, y: 2, z: 3, [key]: bad }), { code: 'ARGUMENT_ERROR', message: /finite/ });
    assert.throws(() => made({ longitude: bad, latitude: 2 }), { code: 'ARGUMENT_ERROR', message: /finite/ });
  }
});

test('a longitude beyond the date line goes round the globe, both ends of its range stay', () => {
  const turns = [
    [180, 180],
    [-180, -180],
    [180.5, -179.5],
    [-200, 160],
    [370, 10],
    [-370, -10],
    [540, 180],
    [-540, -180],
    [720, 0],
  ] as const;
  for (const [longitude, x] of turns) {
    assert.equal(made({ longitude, latitude: 0 })?.x, x);
    assert.equal(made({ longitude, latitude: 0, height: 1 })?.x, x);
  }
  assert.equal(made({ x: 370, y: 1000 })?.x, 370);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (longitude) => {
      const { x } = new Point(4326, longitude, 0);
      assert.ok(x >= -180 && x <= 180, `${longitude} became ${x}`);
    }),
  );
});

test('components are read by name; what a point lacks is a fault', () => {
  const plane = new Point(7203, 1, -0);
  assert.deepEqual(
    ['x', 'y', 'crs', 'srid'].map((name) => pointField(plane, name)),
    [makeFloat(1), makeFloat(-0), 'cartesian', 7203],
  );
  const place = new Point(4979, 1.5, 2.5, 3.5);
  assert.deepEqual(
    ['x', 'y', 'z', 'longitude', 'latitude', 'height'].map((name) => pointField(place, name)),
    [1.5, 2.5, 3.5, 1.5, 2.5, 3.5],
  );
  for (const name of ['z', 'longitude', 'latitude', 'height', 'name', 'toString', 'X'])
    assert.throws(() => pointField(plane, name), { code: 'ARGUMENT_ERROR' }, name);
  assert.throws(() => pointField(new Point(4326, 1, 2), 'height'), { code: 'ARGUMENT_ERROR' });
});

test('distances are those of the manual', () => {
  // Cypher manual 5, "Spatial functions": the examples of point.distance().
  assert.equal(pointDistance(new Point(7203, 2.3, 4.5), new Point(7203, 1.1, 5.4)), 1.5);
  assert.equal(pointDistance(new Point(4979, 12.78, 56.7, 100), new Point(4979, 12.79, 56.71, 100)), 1269.9148706779097);
  const [copenhagen, malmo] = [new Point(4326, 12.56459, 55.672874), new Point(4326, 12.994341, 55.611784)];
  assert.equal(Math.round(pointDistance(copenhagen, malmo) as number), 27_842);
  // A quarter and a half of the equator, over a radius of 6,378,140 m; heights are the other side of a right triangle.
  const near = (actual: number | null, expected: number): void =>
    assert.ok(Math.abs((actual as number) / expected - 1) < 1e-12, `${actual} is not ${expected}`);
  near(pointDistance(new Point(4326, 0, 0), new Point(4326, 90, 0)), (6_378_140 * Math.PI) / 2);
  near(pointDistance(new Point(4326, 0, 0), new Point(4326, 180, 0)), 6_378_140 * Math.PI);
  near(pointDistance(new Point(4326, 0, 90), new Point(4326, 0, -90)), 6_378_140 * Math.PI);
  near(pointDistance(new Point(4326, 179.5, 0), new Point(4326, -179.5, 0)), (6_378_140 * Math.PI) / 180);
  near(pointDistance(new Point(4979, 0, 0, 3000), new Point(4979, 0, 0, -1000)), 4000);
  near(pointDistance(new Point(4979, 0, 0, 0), new Point(4979, 1, 0, 200)), Math.hypot((6_378_240 * Math.PI) / 180, 200));
  assert.equal(pointDistance(new Point(9157, 0, 0, 0), new Point(9157, 2, 3, 6)), 7);
  near(pointDistance(new Point(7203, 0, 0), new Point(7203, 3e200, 4e200)), 5e200);
  near(pointDistance(new Point(7203, 0, 0), new Point(7203, 3e-200, 4e-200)), 5e-200);
  assert.equal(pointDistance(new Point(7203, -1e308, 0), new Point(7203, 1e308, 0)), Infinity);
  assert.equal(pointDistance(new Point(7203, 0, 0), new Point(4326, 0, 0)), null);
  assert.equal(pointDistance(new Point(4979, 0, 0, 0), new Point(4326, 0, 0)), null);
});

test('a distance is symmetric, never negative, and 0 from a point to itself', () => {
  fc.assert(
    fc.property(point, point, (a, b) => {
      const distance = pointDistance(a, b);
      assert.equal(distance, pointDistance(b, a));
      assert.ok(distance === null ? a.srid !== b.srid : distance >= 0);
      assert.equal(pointDistance(a, a), 0);
    }),
  );
});

test('a box holds its edges, may cross the date line, and is empty when its corners are the wrong way round', () => {
  const box = (srid: number, at: number[], low: number[], high: number[]): unknown => {
    const [p, a, b] = [at, low, high].map(([x, y, z]) => new Point(srid, x as number, y as number, z ?? null)) as [Point, Point, Point];
    assert.equal(isInBox(srid, p, a, b), withinBox(p, a, b));
    return withinBox(p, a, b);
  };
  assert.equal(box(7203, [1, 1], [0, 0], [1, 2]), true);
  assert.equal(box(7203, [1.1, 1], [0, 0], [1, 2]), false);
  assert.equal(box(7203, [0.5, 1], [1, 0], [0, 2]), false);
  assert.equal(box(9157, [1, 1, 3], [0, 0, 0], [1, 2, 2]), false);
  assert.equal(box(9157, [1, 1, 2], [0, 0, 0], [1, 2, 2]), true);
  assert.equal(box(4326, [179, 10], [170, 0], [-170, 20]), true);
  assert.equal(box(4326, [-179, 10], [170, 0], [-170, 20]), true);
  assert.equal(box(4326, [0, 10], [170, 0], [-170, 20]), false);
  assert.equal(box(4326, [175, 10], [170, 20], [180, 0]), false);
  assert.equal(box(4979, [-175, 10, 5], [170, 0, 0], [-170, 20, 5]), true);
  assert.equal(withinBox(new Point(4326, 1, 1), new Point(7203, 0, 0), new Point(7203, 2, 2)), null);
  assert.equal(withinBox(new Point(4326, 1, 1), new Point(4326, 0, 0), new Point(4979, 2, 2, 2)), null);
});

test('points are equal by system and coordinates, and neither less nor greater than anything', () => {
  assert.equal(equals(new Point(7203, 1, 2), new Point(7203, 1, 2)), true);
  assert.equal(equals(new Point(7203, 0, 2), new Point(7203, -0, 2)), true);
  assert.equal(equals(new Point(7203, 1, 2), new Point(4326, 1, 2)), false);
  assert.equal(equals(new Point(7203, 1, 2), new Point(9157, 1, 2, 0)), false);
  assert.equal(equals(new Point(7203, 1, 2), [1, 2]), false);
  for (const other of [new Point(7203, 1, 2), new Point(7203, 0, 0), 1, 'a', [1]])
    assert.equal(compare(new Point(7203, 1, 2), other), null);
  assert.equal(compare([new Point(7203, 1, 2)], [new Point(7203, 2, 2)]), null);
});

test('points order by SRID, then by coordinates, between paths and datetimes', () => {
  const sorted: Value[] = [
    new Map(),
    [new Point(7203, 9, 9)],
    new Uint8Array([1]),
    new Point(4326, 3, 4),
    new Point(4979, -1, 2, 0),
    new Point(7203, -1e308, 5),
    new Point(7203, 1, -3),
    new Point(7203, 1, 2),
    new Point(7203, 1e308, 2),
    new Point(9157, 0, 0, -1),
    new Point(9157, 0, 0, 7),
    new CypherDateTime(0, 0, 0, null),
    'text',
    1,
    null,
  ];
  assert.deepEqual(sorted.toReversed().sort(order), sorted);
});

test('a point is of the type POINT, and of no other', () => {
  const type = (name: string) => ({ name, notNull: false, element: null, alternatives: null });
  assert.equal(isOfType(new Point(7203, 1, 2), type('POINT')), true);
  assert.equal(isOfType(new Point(7203, 1, 2), type('PROPERTY VALUE')), true);
  assert.equal(isOfType(new Map(), type('POINT')), false);
  assert.equal(isOfType(new Point(7203, 1, 2), type('MAP')), false);
});

test('JSON has the members of a point as Floats, and the map of its text makes the same point', () => {
  assert.equal(writeJson(new Point(4326, 12, -0)), '{"_kind":"point","srid":4326,"x":12.0,"y":-0.0}');
  assert.equal(JSON.stringify(new Point(9157, 1, 2, 3)), '{"_kind":"point","srid":9157,"x":1,"y":2,"z":3}');
  fc.assert(
    fc.property(point, (one) => {
      const again = pointFromMap(parseJson(writeJson(one)) as Map<string, Value>);
      assert.deepEqual([again?.srid, again?.x, again?.y, again?.z], [one.srid, one.x, one.y, one.z]);
      assert.equal(literalText(one), String(one));
    }),
  );
});
