/**
 * Points: how they are made, how far apart they are, whether they lie in a box. What is no point, or one of another coordinate reference
 * system, has no distance and lies in no box: null, as in Neo4j, so that a property of mixed types can be searched.
 */
import { makeFloat, Point, pointDistance, pointFromMap, type Value, withinBox } from '../../value/index.ts';
import { wrongArgument } from './arguments.ts';
import { define, parameter } from './define.ts';
import type { FunctionDefinition } from './definition.ts';

function point(input: Value): Value {
  if (input instanceof Map) return pointFromMap(input);
  throw wrongArgument('point', 'a Map (of a node or relationship: point(properties(n)))', input);
}

function distance(from: Value, to: Value): Value {
  const result = from instanceof Point && to instanceof Point ? pointDistance(from, to) : null;
  return result === null ? null : makeFloat(result);
}

function withinBBox(input: Value, lowerLeft: Value, upperRight: Value): Value {
  const arePoints = input instanceof Point && lowerLeft instanceof Point && upperRight instanceof Point;
  return arePoints ? withinBox(input, lowerLeft, upperRight) : null;
}

export const spatialFunctions: readonly FunctionDefinition[] = [
  define({
    name: 'point',
    parameters: [parameter('input', 'Map')],
    returns: 'Point',
    category: 'Spatial',
    description: 'The point of x, y and z, or of longitude, latitude and height; null where one of them is null.',
    evaluate: (_, input) => point(input),
  }),
  define({
    name: 'point.distance',
    parameters: [parameter('from', 'Point'), parameter('to', 'Point')],
    returns: 'Float',
    category: 'Spatial',
    description: 'The distance of two points of one coordinate reference system, on the globe in metres; null for others.',
    evaluate: (_, from, to) => distance(from, to),
  }),
  define({
    name: 'point.withinBBox',
    parameters: [parameter('point', 'Point'), parameter('lowerLeft', 'Point'), parameter('upperRight', 'Point')],
    returns: 'Boolean',
    category: 'Spatial',
    description: 'Whether a point lies in the box between two corners, edges included; null for points of several systems.',
    evaluate: (_, input, lowerLeft, upperRight) => withinBBox(input, lowerLeft, upperRight),
  }),
];
