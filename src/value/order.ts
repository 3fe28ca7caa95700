/**
 * Comparability (`<`, `<=`, `>`, `>=`: three-valued, within a type) and orderability (ORDER BY, min, max: a total order of all values).
 * Source: CIP2016-06-14. Both are O(size) for lists and maps.
 *
 * Orderability, ascending: Map, Node, Relationship, List, Path, Vector, Bytes, Point, DateTime, LocalDateTime, Date, Time, LocalTime,
 * Duration, String, Boolean, Number (NaN last), null. Virtual nodes and relationships come before those of the graph. It agrees
 * with equivalence: order(a, b) = 0 exactly when a and b are equivalent.
 */
import { equals } from './equality.ts';
import type { Truth } from './logic.ts';
import { CypherFloat, type Integer, isNumber } from './numbers.ts';
import { Point } from './spatial/point.ts';
import { compareStrings } from './strings.ts';
import {
  CypherDate,
  CypherDateTime,
  type CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  Node,
  NodeValue,
  PathValue,
  Relationship,
  RelationshipValue,
  type Value,
  type ValueMap,
} from './values.ts';

/**
 * Compares two values: negative, zero or positive if they are comparable; NaN if both are numbers and one is NaN, so
 * that all four comparisons are false; null if the values are not comparable. Beware: `null <= 0` holds in JavaScript,
 * so operators must use the four functions below.
 */
export function compare(a: Value, b: Value): number | null {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : a === b ? 0 : NaN;
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : null;
  if (a === null || b === null) return null;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : null;
  if (isNumber(a)) return isNumber(b) ? compareNumbers(unboxed(a), unboxed(b)) : null;
  if (Array.isArray(a)) return Array.isArray(b) ? compareLists(a, b) : null;
  return compareTemporals(a, b);
}

/** Evaluates `a < b`; null if the values are not comparable. */
export function lessThan(a: Value, b: Value): Truth {
  const sign = compare(a, b);
  return sign === null ? null : sign < 0;
}

/** Evaluates `a <= b`; null if the values are not comparable. */
export function lessThanOrEqual(a: Value, b: Value): Truth {
  const sign = compare(a, b);
  return sign === null ? null : sign <= 0;
}

/** Evaluates `a > b`; null if the values are not comparable. */
export function greaterThan(a: Value, b: Value): Truth {
  const sign = compare(a, b);
  return sign === null ? null : sign > 0;
}

/** Evaluates `a >= b`; null if the values are not comparable. */
export function greaterThanOrEqual(a: Value, b: Value): Truth {
  const sign = compare(a, b);
  return sign === null ? null : sign >= 0;
}

function unboxed(value: number | bigint | CypherFloat): Integer {
  return typeof value === 'object' ? value.value : value;
}

/** Compares exactly across Integer and Float, since JavaScript compares a bigint and a number as mathematical values. */
function compareNumbers(a: Integer, b: Integer): number {
  if (a < b) return -1;
  if (a > b) return 1;
  // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison of a number with a bigint is the exact mathematical one
  return a == b ? 0 : NaN;
}

/** Compares lists lexicographically, a prefix before its extensions; null as soon as a pair of elements is not comparable. */
function compareLists(a: readonly Value[], b: readonly Value[]): number | null {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a[i] as Value;
    const right = b[i] as Value;
    if (equals(left, right) === true) continue;
    return compare(left, right);
  }
  return a.length - b.length;
}

/** Compares temporal values; null for durations, since whether a month is longer than 30 days depends on the month, and for points. */
function compareTemporals(a: object, b: Value): number | null {
  if (a instanceof CypherDate) return b instanceof CypherDate ? a.epochDay - b.epochDay : null;
  if (a instanceof CypherDateTime) return b instanceof CypherDateTime ? compareDateTimes(a, b) : null;
  if (a instanceof CypherLocalDateTime) return b instanceof CypherLocalDateTime ? compareLocalDateTimes(a, b) : null;
  if (a instanceof CypherLocalTime) return b instanceof CypherLocalTime ? a.nanoOfDay - b.nanoOfDay : null;
  if (a instanceof CypherTime) return b instanceof CypherTime ? compareTimes(a, b) : null;
  return null;
}

function compareLocalDateTimes(a: CypherLocalDateTime, b: CypherLocalDateTime): number {
  return a.epochDay - b.epochDay || a.nanoOfDay - b.nanoOfDay;
}

/** Compares by instant; equal instants, by offset. */
function compareTimes(a: CypherTime, b: CypherTime): number {
  const instants = a.nanoOfDay - a.offsetSeconds * 1e9 - (b.nanoOfDay - b.offsetSeconds * 1e9);
  return instants || a.offsetSeconds - b.offsetSeconds;
}

/** Compares by instant; equal instants, by offset, then by zone, none first. */
function compareDateTimes(a: CypherDateTime, b: CypherDateTime): number {
  const days = a.epochDay - b.epochDay;
  if (days > 2 || days < -2) return days;
  const nanos = days * 86_400e9 + (a.nanoOfDay - b.nanoOfDay) - (a.offsetSeconds - b.offsetSeconds) * 1e9;
  return nanos || a.offsetSeconds - b.offsetSeconds || compareStrings(a.zone ?? '', b.zone ?? '');
}

/** Compares in the order of ORDER BY: negative, zero or positive as `a` comes before, with or after `b`. */
export function order(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return orderNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  const rank = orderRank(a);
  return rank - orderRank(b) || orderWithin(rank, a, b);
}

const RANK_NUMBER = 17;
const RANK_NULL = 18;

/** Returns the rank of a value's type in the order of types. */
function orderRank(value: Value): number {
  switch (typeof value) {
    case 'string':
      return 15;
    case 'boolean':
      return 16;
    case 'number':
    case 'bigint':
      return RANK_NUMBER;
    default:
      return value === null ? RANK_NULL : objectRank(value);
  }
}

function objectRank(value: object): number {
  if (value instanceof CypherFloat) return RANK_NUMBER;
  if (value instanceof Map) return 1;
  if (value instanceof NodeValue || value instanceof Node) return 2;
  if (value instanceof RelationshipValue || value instanceof Relationship) return 3;
  if (Array.isArray(value)) return 4;
  if (value instanceof PathValue) return 5;
  if (value instanceof Float32Array) return 6;
  if (value instanceof Uint8Array) return 7;
  if (value instanceof Point) return 8;
  if (value instanceof CypherDateTime) return 9;
  if (value instanceof CypherLocalDateTime) return 10;
  if (value instanceof CypherDate) return 11;
  if (value instanceof CypherTime) return 12;
  if (value instanceof CypherLocalTime) return 13;
  return 14;
}

/** Compares two values of one rank; the rank says which types the casts assume. */
function orderWithin(rank: number, a: Value, b: Value): number {
  switch (rank) {
    case 1:
      return orderMaps(a as ValueMap, b as ValueMap);
    case 2:
      return orderNodes(a as NodeValue, b as NodeValue);
    case 3:
      return orderRelationships(a as RelationshipValue, b as RelationshipValue);
    case 4:
      return orderLists(a as Value[], b as Value[]);
    case 5:
      return orderPaths(a as PathValue, b as PathValue);
    case 6:
    case 7:
      return orderElements(a as Float32Array, b as Float32Array);
    case 8:
      return orderPoints(a as Point, b as Point);
    case 14:
      return orderDurations(a as CypherDuration, b as CypherDuration);
    case 15:
      return compareStrings(a as string, b as string);
    case RANK_NUMBER:
      return orderNumbers(unboxed(a as number), unboxed(b as number));
    case RANK_NULL:
      return 0;
    default:
      return compare(a, b) as number;
  }
}

function orderNumbers(a: Integer, b: Integer): number {
  const sign = compareNumbers(a, b);
  return Number.isNaN(sign) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : sign;
}

function orderLists(a: readonly Value[], b: readonly Value[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const sign = order(a[i] as Value, b[i] as Value);
    if (sign !== 0) return sign;
  }
  return a.length - b.length;
}

/** Orders by size, then by sorted keys, then by the values in the order of the keys. */
function orderMaps(a: ValueMap, b: ValueMap): number {
  if (a.size !== b.size) return a.size - b.size;
  const left = [...a.keys()].sort(compareStrings);
  const right = [...b.keys()].sort(compareStrings);
  return (
    orderLists(left, right) ||
    orderLists(
      left.map((key) => a.get(key) as Value),
      left.map((key) => b.get(key) as Value),
    )
  );
}

/** Orders by ordinals, those of virtual nodes being negative; virtual nodes with one ordinal by their labels. */
function orderNodes(a: NodeValue | Node, b: NodeValue | Node): number {
  return a.ordinal - b.ordinal || (a instanceof Node && b instanceof Node ? orderLists([...a.labels], [...b.labels]) : 0);
}

function orderRelationships(a: RelationshipValue | Relationship, b: RelationshipValue | Relationship): number {
  if (a instanceof Relationship) return b instanceof Relationship ? orderVirtualRelationships(a, b) : -1;
  return b instanceof Relationship ? 1 : a.type - b.type || a.row - b.row;
}

function orderVirtualRelationships(a: Relationship, b: Relationship): number {
  return a.ordinal - b.ordinal || a.sourceOrdinal - b.sourceOrdinal || a.targetOrdinal - b.targetOrdinal || compareStrings(a.type, b.type);
}

/** Compares paths as the lists of their alternating nodes and relationships. */
function orderPaths(a: PathValue, b: PathValue): number {
  const length = Math.min(a.nodes.length, b.nodes.length);
  for (let i = 0; i < length; i++) {
    const nodes = (a.nodes[i] as number) - (b.nodes[i] as number);
    if (nodes !== 0) return nodes;
    if (i === length - 1) break;
    const relationships = orderRelationships(a.relationships[i] as RelationshipValue, b.relationships[i] as RelationshipValue);
    if (relationships !== 0) return relationships;
  }
  return a.nodes.length - b.nodes.length;
}

function orderElements(a: Float32Array | Uint8Array, b: Float32Array | Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const sign = orderNumbers(a[i] as number, b[i] as number);
    if (sign !== 0) return sign;
  }
  return a.length - b.length;
}

/** Orders by coordinate reference system, then by the coordinates from the first to the last. */
function orderPoints(a: Point, b: Point): number {
  return a.srid - b.srid || compareCoordinates(a.x, b.x) || compareCoordinates(a.y, b.y) || compareCoordinates(a.z ?? 0, b.z ?? 0);
}

/** Compares coordinates. Subtraction would not do: it can overflow to infinity, and gives NaN for equal infinities. */
function compareCoordinates(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Seconds of the mean Gregorian month: 400 years have 146,097 days. */
const SECONDS_PER_MONTH = 2_629_746n;

/** Orders by mean length, then by months, days and seconds, so that only equal durations tie. */
function orderDurations(a: CypherDuration, b: CypherDuration): number {
  const left = meanSeconds(a);
  const right = meanSeconds(b);
  if (left !== right) return left < right ? -1 : 1;
  return a.nanos - b.nanos || a.months - b.months || a.days - b.days;
}

function meanSeconds(duration: CypherDuration): bigint {
  return BigInt(duration.months) * SECONDS_PER_MONTH + BigInt(duration.days) * 86_400n + BigInt(duration.seconds);
}
