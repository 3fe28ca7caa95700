/** Points: their coordinate reference systems, construction, components and distances. */
export { pointFromMap } from './construct.ts';
export { type AreaCover, type CoordinateBox, coverOfBox, coverOfCircle } from './cover.ts';
export { type Coordinates, distanceWithin, isInBox, pointDistance, withinBox } from './distance.ts';
export { pointField } from './fields.ts';
export { type CoordinateSystem, Point, pointMapText } from './point.ts';
export { StoredPoint } from './stored.ts';
