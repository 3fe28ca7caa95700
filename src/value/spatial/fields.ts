/** The components of points: the values of `p.x`, `p.latitude`, `p.crs`. */
import { argumentFault } from '../faults.ts';
import { makeFloat } from '../numbers.ts';
import type { Value } from '../values.ts';
import { type Point, pointText } from './point.ts';

const PLACES: Readonly<Record<string, 0 | 1 | 2>> = { x: 0, y: 1, z: 2, longitude: 0, latitude: 1, height: 2 };
const GEOGRAPHIC: ReadonlySet<string> = new Set(['longitude', 'latitude', 'height']);

/** Returns a component of a point. @throws ARGUMENT_ERROR if the point has no component of that name */
export function pointField(point: Point, name: string): Value {
  const { system } = point;
  if (name === 'crs') return system.name;
  if (name === 'srid') return system.srid;
  const place = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined;
  if (place === undefined)
    throw argumentFault(`a Point has no component "${name}": it has x, y, z, longitude, latitude, height, crs and srid`);
  if (GEOGRAPHIC.has(name) && !system.geographic) throw argumentFault(`a ${system.name} point has no ${name}: ${pointText(point)}`);
  const coordinate = place === 0 ? point.x : place === 1 ? point.y : point.z;
  if (coordinate === null) throw argumentFault(`a ${system.name} point has no ${name}: ${pointText(point)}`);
  return makeFloat(coordinate);
}
