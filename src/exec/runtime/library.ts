/** The names that generated code uses without asking the runtime object: pure functions on values, and classes of state. */
import { GraphDBError } from '../../base/index.ts';
import {
  add,
  affirm,
  and,
  aType,
  CypherDate,
  compareStrings,
  contains,
  divide,
  endsWith,
  equals,
  greaterThan,
  greaterThanOrEqual,
  hashKey,
  hashKeyOf,
  lessThan,
  lessThanOrEqual,
  makeFloat,
  modulo,
  multiply,
  NodeValue,
  negate,
  not,
  or,
  order,
  power,
  RelationshipValue,
  slice,
  startsWith,
  subtract,
  typeFault,
  type Value,
  xor,
} from '../../value/index.ts';
import type { FunctionContext } from '../functions/definition.ts';
import { measureStored } from '../functions/measures.ts';
import { RowFilters } from '../scan/row-filters.ts';
import { distanceStored, withinStored } from '../spatial/stored-points.ts';
import { forgetQuery } from '../vectors/kernel.ts';
import { CompositeGroups, CompositeSet } from './rows/composite-keys.ts';
import { countedRange } from './rows/counted-range.ts';
import { DistinctNodeCount, DistinctNodeCounts } from './rows/distinct-node-counts.ts';
import {
  Accumulators,
  Averages,
  CodeGroups,
  Counts,
  DayGroups,
  DistinctIntegerCounts,
  Extremes,
  FloatMeans,
  FloatSums,
  IntegerGroups,
  IntegerSet,
  IntegerSums,
  JoinTable,
  KeyGroups,
  KeySet,
  NodeJoinCounts,
  NodeJoinTable,
  OrdinalGroups,
} from './rows/groups.ts';
import { giveNodeSet, takeNodeSet } from './rows/node-set.ts';
import { ordinalRanges } from './rows/ordinal-ranges.ts';
import { sortRows } from './rows/sort-rows.ts';
import { TopRows } from './rows/top-rows.ts';
import { bytesBeside } from './rows/value-bytes.ts';
import { addInteger, divideInteger, moduloInteger, multiplyInteger, narrow, subtractInteger } from './values/integers.ts';
import { inList } from './values/list-membership.ts';
import { matchesRegularExpression } from './values/regular-expressions.ts';
import { SubstringSearch } from './values/substring-search.ts';
import { sameBytesBefore, utf8Of } from './values/texts.ts';
import {
  batchSize,
  batchStatus,
  buildPath,
  checkMergeProperties,
  elements,
  isFalse,
  isNormalized,
  isTrue,
  isTyped,
  listOf,
  liveRows,
  namesOfLabels,
  ordinalOf,
  pathCount,
  projectNone,
  propertyName,
  rowCount,
} from './values/value-operations.ts';
import { DistinctWalk } from './walks/distinct-walk.ts';
import { searchPaths } from './walks/path-search.ts';
import { shortestPaths } from './walks/shortest-paths.ts';
import { QuantifiedWalk, Walk } from './walks/walk.ts';
import { holdsRelationship } from './walks/walk-shape.ts';
import { clearWays, giveWays, takeWays } from './walks/way-counts.ts';
import { addWeights, clearWeights, countIn, giveWeights, takeByteWeights, takeWeights, weighAmong } from './walks/weights.ts';

/** Generated code holds no string, and so no `typeof`. */
function isNumber(value: Value): boolean {
  return typeof value === 'number';
}

/** As `lowerBound`, for a value that is likely to be near: in steps that double, and then between the last two. */
function leap(array: Uint32Array, from: number, to: number, value: number): number {
  let low = from;
  let step = 1;
  while (low + step < to && array[low + step]! < value) {
    low += step;
    step *= 2;
  }
  return lowerBound(array, low, Math.min(low + step + 1, to), value);
}

/** First index in [from, to) whose element is not below the value; the range is ascending. */
function lowerBound(array: Uint32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (array[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First index in [from, to) whose element is above the value. */
function upperBound(array: Uint32Array, from: number, to: number, value: number): number {
  return lowerBound(array, from, to, value + 1);
}

type PureFunction = (context: FunctionContext, ...values: readonly (Value | undefined)[]) => Value;

/** undefined: it is an error, or one of the values was. */
function attempt(evaluate: PureFunction, context: FunctionContext, ...values: readonly (Value | undefined)[]): Value | undefined {
  if (values.includes(undefined)) return undefined;
  try {
    return evaluate(context, ...values);
  } catch {
    return undefined;
  }
}

/** What was an error is one again. */
function failAgain(evaluate: PureFunction, context: FunctionContext, ...values: readonly (Value | undefined)[]): never {
  evaluate(context, ...values);
  throw new GraphDBError('INTERNAL', 'internal error: a function of the same values has failed, and has not');
}

/** Days since 1970; NaN for what is no Date. */
function dayOf(value: Value | undefined): number {
  return value instanceof CypherDate ? value.epochDay : Number.NaN;
}

const isList = (value: Value): boolean => Array.isArray(value) || value instanceof Float32Array;

/** `||`: strings with strings, lists with lists. */
function concatenate(a: Value, b: Value): Value {
  if (a === null || b === null) return null;
  if ((typeof a === 'string' && typeof b === 'string') || (isList(a) && isList(b))) return add(a, b);
  throw typeFault(`|| joins two Strings or two Lists, not ${aType(a)} and ${aType(b)}; one or the other is written OR`);
}

/** The names that generated code can call, and what they are. */
export interface RuntimeLibrary {
  readonly [name: string]: unknown;
}

export const library: RuntimeLibrary = {
  NodeValue,
  RelationshipValue,
  makeFloat,
  affirm,
  equals,
  lessThan,
  lessThanOrEqual,
  greaterThan,
  greaterThanOrEqual,
  order,
  compareStrings,
  hashKey,
  hashKeyOf,
  CypherDate,
  attempt,
  failAgain,
  dayOf,
  and3: and,
  or3: or,
  xor3: xor,
  not3: not,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  negate,
  concatenate,
  slice,
  countedRange,
  batchSize,
  batchStatus,
  buildPath,
  checkMergeProperties,
  elements,
  isFalse,
  isNormalized,
  isTrue,
  isTyped,
  listOf,
  liveRows,
  namesOfLabels,
  ordinalOf,
  pathCount,
  projectNone,
  propertyName,
  rowCount,
  inList,
  startsWith,
  endsWith,
  contains,
  matchesRegularExpression,
  addInteger,
  subtractInteger,
  multiplyInteger,
  divideInteger,
  moduloInteger,
  narrow,
  forgetQuery,
  measureStored,
  distanceStored,
  withinStored,
  isNumber,
  lowerBound,
  leap,
  upperBound,
  ordinalRanges,
  takeNodeSet,
  giveNodeSet,
  takeWays,
  clearWays,
  giveWays,
  takeWeights,
  takeByteWeights,
  giveWeights,
  addWeights,
  weighAmong,
  clearWeights,
  countIn,
  holdsRelationship,
  Walk,
  DistinctWalk,
  QuantifiedWalk,
  shortestPaths,
  sortRows,
  searchPaths,
  CodeGroups,
  OrdinalGroups,
  IntegerGroups,
  DistinctNodeCount,
  DistinctNodeCounts,
  KeyGroups,
  CompositeGroups,
  CompositeSet,
  KeySet,
  Counts,
  DayGroups,
  DistinctIntegerCounts,
  Extremes,
  IntegerSums,
  Accumulators,
  Averages,
  FloatMeans,
  FloatSums,
  TopRows,
  IntegerSet,
  JoinTable,
  NodeJoinCounts,
  NodeJoinTable,
  SubstringSearch,
  RowFilters,
  sameBytesBefore,
  utf8Of,
  bytesBeside,
};
