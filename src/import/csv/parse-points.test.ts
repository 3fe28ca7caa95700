/** Points in fields as the examples of neo4j-admin import write them, defaults of the header, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNodeHeader } from './header.ts';
import { pointOf } from './parse-points.ts';

const NONE = new Map<string, string>();
const textOf = (text: string, defaults: Readonly<Record<string, string>> = {}): string =>
  String(pointOf(text, new Map(Object.entries(defaults))));

test('maps with and without quotes, blanks and trailing commas', () => {
  assert.equal(textOf('{latitude: 56.7, longitude: 13.2}'), "point({x: 13.2, y: 56.7, crs: 'wgs-84'})");
  assert.equal(textOf("{latitude:40.7128, longitude:-74.0060, crs:'wgs-84'}"), "point({x: -74.006, y: 40.7128, crs: 'wgs-84'})");
  assert.equal(textOf('{x:-21,y:-45.3,srid:4326}'), "point({x: -21.0, y: -45.3, crs: 'wgs-84'})");
  assert.equal(
    textOf('{latitude: 40.5, longitude: -74, height: 567.8, crs:wgs-84-3D}'),
    "point({x: -74.0, y: 40.5, z: 567.8, crs: 'wgs-84-3d'})",
  );
  assert.equal(textOf(' \t\n { "x" :+.2e-7,Y: -1.0E07 , colour: red, } \t'), "point({x: 2.0E-8, y: -1.0E7, crs: 'cartesian'})");
  assert.equal(textOf('{x: -0.0, y: 5e-324, z: 1}'), "point({x: -0.0, y: 5.0E-324, z: 1.0, crs: 'cartesian-3d'})");
});

test('a field goes before the header', () => {
  assert.equal(textOf('{x: 1, y: 2}', { crs: 'WGS-84' }), "point({x: 1.0, y: 2.0, crs: 'wgs-84'})");
  assert.equal(textOf('{x: 1, y: 2, srid: 7203}', { crs: 'WGS-84' }), "point({x: 1.0, y: 2.0, crs: 'cartesian'})");
  assert.equal(textOf('{longitude: -74, height: 5}', { latitude: '40' }), "point({x: -74.0, y: 40.0, z: 5.0, crs: 'wgs-84-3d'})");
  const { properties } = parseNodeHeader(['id:ID', 'at:point{crs: WGS-84, z: 0}', 'track:point[]']);
  assert.deepEqual(
    properties.map(({ type }) => type),
    [
      {
        scalar: 'point',
        list: false,
        pointDefaults: new Map([
          ['crs', 'WGS-84'],
          ['z', '0'],
        ]),
      },
      { scalar: 'point', list: true },
    ],
  );
  assert.throws(() => parseNodeHeader(['id:ID', 'name:string{crs: WGS-84}']), { code: 'ARGUMENT_ERROR', message: /crs belong to points/ });
});

test('what is no point is refused', () => {
  const refused = [
    '',
    'x:1,y:2',
    '{}',
    '{x: 1}',
    '{x: 1, y:}',
    '{latitude: 56.7, longitude:}',
    '{only_a_key}',
    "{crs:'WGS-84'}",
    '{x: 1, y: a}',
  ];
  refused.push(
    '{x:1,y:2,srid:-9}',
    '{crs:WGS-84 , lat:1, y:2}',
    '{x: 1, x: 2, y: 3}',
    '{x: NaN, y: 1}',
    '{latitude: 91, longitude: 0}',
    '[1, 2]',
  );
  for (const text of refused) assert.throws(() => pointOf(text, NONE), { code: 'ARGUMENT_ERROR' }, text);
});
