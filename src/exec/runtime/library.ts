/** The names that generated code uses without going through the runtime object: pure functions on values, and classes that hold state. */
import { GraphDBError } from '../../base/index.ts';
import {
  affirm,
  and,
  CypherDate,
  compareStrings,
  divide,
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
  subtract,
  type Value,
  xor,
} from '../../value/index.ts';
import { isInPieces } from '../functions/define.ts';
import type { Begin, FunctionContext } from '../functions/definition.ts';
import { measureStored } from '../functions/measures.ts';
import { RowFilters } from '../scan/row-filters.ts';
import { distanceStored, withinStored } from '../spatial/stored-points.ts';
import { forgetQuery } from '../vectors/kernel.ts';
import { Accumulators } from './rows/accumulators.ts';
import { CompositeGroups, CompositeSet } from './rows/composite-keys.ts';
import { countedRange } from './rows/counted-range.ts';
import { DistinctNodeCount, DistinctNodeCounts } from './rows/distinct-node-counts.ts';
import {
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
import { sortAtOnce, sortRows } from './rows/sort-rows.ts';
import { TopRows } from './rows/top-rows.ts';
import { ExternalSort } from './spill/external-sort.ts';
import { rowChunks } from './spill/row-chunks.ts';
import { RowList } from './spill/row-list.ts';
import { SpilledAggregation } from './spill/spilled-aggregation.ts';
import { SpilledDistinct } from './spill/spilled-distinct.ts';
import { SpilledJoin } from './spill/spilled-join.ts';
import { addInteger, divideInteger, moduloInteger, multiplyInteger, narrow, subtractInteger } from './values/integers.ts';
import { SubstringSearch } from './values/substring-search.ts';
import { sameBytesBefore, utf8Of } from './values/texts.ts';
import {
  batchSize,
  batchStatus,
  buildPath,
  checkMergeProperties,
  isFalse,
  isTrue,
  liveRows,
  namedBefore,
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

/** Tells whether a value is a JavaScript number; generated code contains no string literal, and so cannot use `typeof`. */
function isNumber(value: Value): boolean {
  return typeof value === 'number';
}

/** Returns the same index as `lowerBound`, faster when it is near `from`: a search in doubling steps, then a binary search. */
function gallop(array: Uint32Array, from: number, to: number, value: number): number {
  let low = from;
  let step = 1;
  while (low + step < to && array[low + step]! < value) {
    low += step;
    step *= 2;
  }
  return lowerBound(array, low, Math.min(low + step + 1, to), value);
}

/** Returns the first index in [from, to) whose element is not below the value, or `to`. The range must be ascending. */
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

/** Returns the first index in [from, to) whose element is above the value, or `to`. The range must be ascending. */
function upperBound(array: Uint32Array, from: number, to: number, value: number): number {
  return lowerBound(array, from, to, value + 1);
}

type PureFunction = (context: FunctionContext, ...values: readonly (Value | undefined)[]) => Value;

/** Errors that end the statement and are never kept as values. */
const ENDING: ReadonlySet<string> = new Set(['QUERY_TIMEOUT', 'CANCELLED']);

/**
 * Evaluates a function, and returns undefined if it fails or if an argument is undefined, that is, has failed itself.
 *
 * @throws QUERY_TIMEOUT, CANCELLED
 */
function attempt(evaluate: PureFunction, context: FunctionContext, ...values: readonly (Value | undefined)[]): Value | undefined {
  if (values.includes(undefined)) return undefined;
  try {
    return evaluate(context, ...values);
  } catch (error) {
    return unlessEnding(error);
  }
}

/** Evaluates a function in pieces, between which other statements run; returns undefined as `attempt` does. */
function* attemptInPieces(
  begin: Begin,
  context: FunctionContext,
  ...values: readonly (Value | undefined)[]
): Generator<null, Value | undefined, void> {
  if (values.includes(undefined)) return undefined;
  try {
    const begun = begin(context, ...values);
    return isInPieces(begun) ? yield* begun : begun;
  } catch (error) {
    return unlessEnding(error);
  }
}

function unlessEnding(error: unknown): undefined {
  if (error instanceof GraphDBError && ENDING.has(error.code)) throw error;
  return undefined;
}

/**
 * Evaluates again a function that `attempt` found to fail, to throw its error.
 *
 * @throws MEMORY_LIMIT if the function succeeds this time
 */
function failAgain(evaluate: PureFunction, context: FunctionContext, ...values: readonly (Value | undefined)[]): never {
  evaluate(context, ...values);
  throw new GraphDBError('MEMORY_LIMIT', 'the statement needed more than its memory limit for a value');
}

/** Returns the days since 1970 of a Date; NaN for any other value. */
function dayOf(value: Value | undefined): number {
  return value instanceof CypherDate ? value.epochDay : Number.NaN;
}

/** Functions, classes and constants by the name under which generated code refers to them. */
export interface RuntimeLibrary {
  readonly [name: string]: unknown;
}

/** The functions, classes and constants that generated code uses beside the runtime object. */
export const library: RuntimeLibrary = {
  NodeValue,
  RelationshipValue,
  makeFloat,
  affirm,
  CypherDate,
  compareStrings,
  order,
  attempt,
  attemptInPieces,
  isInPieces,
  failAgain,
  dayOf,
  and3: and,
  or3: or,
  xor3: xor,
  not3: not,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  negate,
  countedRange,
  batchSize,
  batchStatus,
  buildPath,
  checkMergeProperties,
  isFalse,
  isTrue,
  liveRows,
  namedBefore,
  namesOfLabels,
  ordinalOf,
  pathCount,
  projectNone,
  propertyName,
  rowCount,
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
  gallop,
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
  sortAtOnce,
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
  ExternalSort,
  RowList,
  rowChunks,
  SpilledAggregation,
  SpilledDistinct,
  SpilledJoin,
  IntegerSet,
  JoinTable,
  NodeJoinCounts,
  NodeJoinTable,
  SubstringSearch,
  RowFilters,
  sameBytesBefore,
  utf8Of,
};
