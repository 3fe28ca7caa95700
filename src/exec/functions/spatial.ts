/**
 * Functions that make points, measure their distance, and test whether they lie in a box. A value that is no point, or
 * one of another coordinate reference system, gives null, as in Neo4j, so that a property of mixed types can be
 * searched.
 */
import type { spatialFacts } from '../../functions/index.ts';
import { makeFloat, Point, pointDistance, pointFromMap, type Value, withinBox } from '../../value/index.ts';
import { wrongArgument } from './arguments.ts';
import type { Implementations } from './definition.ts';

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

/** The functions on points. */
export const spatialFunctions: Implementations<typeof spatialFacts> = {
  point: (_, input) => point(input),
  'point.distance': (_, from, to) => distance(from, to),
  'point.withinBBox': (_, input, lowerLeft, upperRight) => withinBBox(input, lowerLeft, upperRight),
};
