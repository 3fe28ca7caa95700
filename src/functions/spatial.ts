/** Facts of functions on points. */
import type { FunctionTable } from './facts.ts';
import { alsoBound, checkedWhenCalled, PURE, parameter } from './parameters.ts';

/** The facts of functions on points. */
export const spatialFacts = {
  point: {
    ...PURE,
    parameters: [alsoBound(parameter('input', 'Map'), 'Node', 'Relationship')],
    returns: 'Point',
    cost: 'constant',
    category: 'Spatial',
    description: 'The point of x, y and z, or of longitude, latitude and height; null where one of them is null.',
  },
  'point.distance': {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('from', 'Point')), checkedWhenCalled(parameter('to', 'Point'))],
    returns: 'Float',
    cost: 'constant',
    category: 'Spatial',
    description: 'The distance of two points of one coordinate reference system, on the globe in metres; null for others.',
  },
  'point.withinBBox': {
    ...PURE,
    parameters: [
      checkedWhenCalled(parameter('point', 'Point')),
      checkedWhenCalled(parameter('lowerLeft', 'Point')),
      checkedWhenCalled(parameter('upperRight', 'Point')),
    ],
    returns: 'Boolean',
    cost: 'constant',
    category: 'Spatial',
    description: 'Whether a point lies in the box between two corners, edges included; null for points of several systems.',
  },
} as const satisfies FunctionTable;
