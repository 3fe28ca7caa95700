/** Points of all coordinate reference systems, and what is asked of them. */
import type { ValueMap } from '../../../src/value/index.ts';
import type { Random } from '../../support/random.ts';
import { pointParts, pointValue } from '../oracle/points.ts';
import { expression, source } from './expressions.ts';
import type { Scope, Writer } from './scope.ts';

const LONGITUDES = [-180, -179, -12.5, 0, 12.5, 170, 180] as const;
const LATITUDES = [-90, -5, 0, 5, 56.5, 90] as const;
const PLANE = [-3, 0, 0.5, 3, 4, 1e6] as const;
const HEIGHTS = [0, 100, 1000.5] as const;

/** Few coordinates, so that points meet. */
export function randomPoint(random: Random): ValueMap {
  const globe = [random.pick(LONGITUDES), random.pick(LATITUDES)];
  const plane = [random.pick(PLANE), random.pick(PLANE)];
  return random.pick([
    () => pointValue({ srid: 7203, coordinates: plane }),
    () => pointValue({ srid: 7203, coordinates: plane }),
    () => pointValue({ srid: 9157, coordinates: [...plane, random.pick(PLANE)] }),
    () => pointValue({ srid: 4326, coordinates: globe }),
    () => pointValue({ srid: 4326, coordinates: globe }),
    () => pointValue({ srid: 4979, coordinates: [...globe, random.pick(HEIGHTS)] }),
  ])();
}

/** A call that makes a point, in one of the ways in which it can be written; null for a value that is no point. */
export function pointLiteral(value: unknown, random?: Random): string | null {
  const parts = pointParts(value);
  if (parts === null) return null;
  const { srid, coordinates } = parts;
  const geographic = srid === 4326 || srid === 4979;
  const named = random === undefined || random.chance(0.6);
  const names = geographic && named ? ['longitude', 'latitude', 'height'] : ['x', 'y', 'z'];
  const system = geographic && !named ? `, srid: ${srid}` : '';
  return `point({${coordinates.map((x, i) => `${names[i]}: ${x}`).join(', ')}${system}})`;
}

/** Returns the map of which `point()` makes the point. */
export function pointMap(value: unknown): ValueMap | null {
  const parts = pointParts(value);
  if (parts === null) return null;
  return new Map([['srid', parts.srid], ...parts.coordinates.map((x, i) => [['x', 'y', 'z'][i]!, x] as const)]);
}

/** Writes a component that points of every system have: of others some points have none. */
export function pointComponent(scope: Scope, writer: Writer): string {
  return `${grouped(source('point', scope, writer))}.${writer.random.pick(['x', 'y'])}`;
}

function grouped(text: string): string {
  return /^[\w.]+$/.test(text) && text !== 'null' ? text : `(${text})`;
}

/** Distances that no two of the points have. */
const DISTANCES = ['0.4', '3.3', '5.1', '123456.7', '7000000.3'] as const;

export function pointPredicate(scope: Scope, writer: Writer): string {
  const { random } = writer;
  const point = (): string => expression('point', scope, 0, writer);
  return random.pick([
    () => `${point()} ${random.pick(['=', '<>', '=', '<'])} ${point()}`,
    () => `${point()} IN [${point()}, ${point()}]`,
    () => `${distance(scope, writer)} ${random.pick(['<', '<=', '>'])} ${random.pick(DISTANCES)}`,
    () => `point.withinBBox(${point()}, ${point()}, ${point()})`,
    () => near(scope, writer),
    () => near(scope, writer),
    () => `${grouped(point())}.${random.pick(["crs = 'cartesian'", 'srid = 4326', 'x > 0', 'y = 5'])}`,
    () => `[${point()}, ${point()}] = [${point()}, ${point()}]`,
  ])();
}

/** The corners and the middle of boxes and circles that hold some of the points, for the systems in two dimensions. */
const BOXES = [
  ['point({x: -3, y: 0})', 'point({x: 4, y: 4})'],
  ['point({x: 0, y: -3})', 'point({x: 1000000, y: 3})'],
  ['point({longitude: -12.5, latitude: -5})', 'point({longitude: 170, latitude: 90})'],
  ['point({longitude: 170, latitude: -90})', 'point({longitude: -179, latitude: 56.5})'],
] as const;
const CIRCLES = ['point({x: 0, y: 0}), 5.1', 'point({x: 3, y: 4}), 3.3', 'point({longitude: 180, latitude: 5}), 1200000.7'] as const;

/** As an index of points answers it. */
function near(scope: Scope, writer: Writer): string {
  const { random } = writer;
  const point = expression('point', scope, 0, writer);
  if (random.chance(0.5)) return `point.withinBBox(${point}, ${random.pick(BOXES).join(', ')})`;
  const [middle = '', radius = ''] = random.pick(CIRCLES).split(/, (?=[\d.]+$)/);
  const sides = random.chance(0.5) ? `${point}, ${middle}` : `${middle}, ${point}`;
  return `point.distance(${sides}) ${random.pick(['<', '<='])} ${radius}`;
}

/** Its last digits are open. */
export function distance(scope: Scope, writer: Writer): string {
  return `point.distance(${expression('point', scope, 0, writer)}, ${expression('point', scope, 0, writer)})`;
}
