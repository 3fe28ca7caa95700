/**
 * Points from maps: `{x, y[, z]}` or `{longitude, latitude[, height]}`, each with an optional `crs` (a name in any
 * case) or `srid`. Keys may be in any case, as in Neo4j, and unknown keys are ignored. Without `crs` and `srid`, x and
 * y make a Cartesian point, longitude and latitude one on the globe.
 */
import { argumentFault, quoted, typeFault } from '../faults.ts';
import { isInteger, isNumber, toNumber } from '../numbers.ts';
import { aType } from '../type-name.ts';
import type { Value } from '../values.ts';
import {
  CARTESIAN,
  CARTESIAN_3D,
  COORDINATE_SYSTEMS,
  type CoordinateSystem,
  Point,
  systemOfName,
  systemOfSrid,
  WGS_84,
  WGS_84_3D,
} from './point.ts';

const COORDINATES = ['x', 'y', 'z', 'longitude', 'latitude', 'height'] as const;
type Coordinate = (typeof COORDINATES)[number];
const KEYS: ReadonlySet<string> = new Set([...COORDINATES, 'crs', 'srid']);

/**
 * Returns the point of a map; null if one of the known keys has the value null.
 *
 * @throws TYPE_ERROR for a value of the wrong type, ARGUMENT_ERROR for values that make no point
 */
export function pointFromMap(map: ReadonlyMap<string, Value>): Point | null {
  const members = new Map<string, Value>();
  for (const [key, value] of map) {
    const name = key.toLowerCase();
    if (!KEYS.has(name)) continue;
    if (value === null) return null;
    if (members.has(name)) throw argumentFault(`a point has its ${name} twice`);
    members.set(name, value);
  }
  return pointOf(members);
}

function pointOf(members: ReadonlyMap<string, Value>): Point {
  const stated = statedSystem(members);
  const coordinate = (name: Coordinate): number | null => coordinateOf(name, members.get(name));
  const [x, y, z] = [coordinate('x'), coordinate('y'), coordinate('z')];
  if (x !== null && y !== null) return new Point((stated ?? (z === null ? CARTESIAN : CARTESIAN_3D)).srid, x, y, z);
  const [longitude, latitude, height] = [coordinate('longitude'), coordinate('latitude'), coordinate('height')];
  if (longitude === null || latitude === null) throw incomplete(stated);
  const third = z ?? height;
  if (stated?.geographic === false) throw argumentFault(`a ${stated.name} point has no longitude and latitude: give x and y`);
  return new Point((stated ?? (third === null ? WGS_84 : WGS_84_3D)).srid, longitude, latitude, third);
}

function coordinateOf(name: Coordinate, value: Value | undefined): number | null {
  if (value === undefined) return null;
  if (!isNumber(value)) throw typeFault(`the ${name} of a point must be a number, and this is ${aType(value)}`, 'InvalidArgumentValue');
  return toNumber(value);
}

function statedSystem(members: ReadonlyMap<string, Value>): CoordinateSystem | null {
  const name = members.get('crs');
  const srid = members.get('srid');
  if (name !== undefined && srid !== undefined) throw argumentFault('a point takes crs or srid, and not both');
  if (name !== undefined) return namedSystem(name);
  return srid === undefined ? null : numberedSystem(srid);
}

function namedSystem(name: Value): CoordinateSystem {
  if (typeof name !== 'string') throw typeFault(`the crs of a point must be a String, and this is ${aType(name)}`, 'InvalidArgumentValue');
  const system = systemOfName(name);
  if (system !== undefined) return system;
  throw argumentFault(
    `unknown coordinate reference system ${quoted(name)}; known are ${COORDINATE_SYSTEMS.map((each) => each.name).join(', ')}`,
  );
}

function numberedSystem(srid: Value): CoordinateSystem {
  if (!isInteger(srid)) throw typeFault(`the srid of a point must be an Integer, and this is ${aType(srid)}`, 'InvalidArgumentValue');
  const system = systemOfSrid(srid);
  if (system !== undefined) return system;
  throw argumentFault(`unknown coordinate reference system ${srid}; known are ${COORDINATE_SYSTEMS.map((each) => each.srid).join(', ')}`);
}

function incomplete(stated: CoordinateSystem | null): Error {
  if (stated === null) return argumentFault('a point needs x and y, or longitude and latitude');
  const needed = stated.geographic ? ['longitude', 'latitude', 'height'] : ['x', 'y', 'z'];
  return argumentFault(`a ${stated.name} point needs ${needed.slice(0, stated.dimensions).join(', ')}`);
}
