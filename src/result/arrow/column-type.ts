/**
 * The Arrow type of a column of a result. Columns of Cypher have no declared type, while an Arrow stream begins with
 * its types; so they are decided from the rows of the first batches, or from all rows when they are few.
 *
 *   Boolean → Bool                       Integer → Int64             Float, or both kinds of number → Float64 (nearest double)
 *   String → Utf8                        Bytes → Binary              Vector → List<Float32>
 *   Date → Date32                        LocalTime → Time64[ns]
 *   LocalDateTime → Timestamp[ns]        DateTime → Timestamp[ns, UTC] (the instant; offset and zone are not kept)
 *   Point → Struct<srid: Int32, x: Float64, y: Float64, z: Float64>, z null in two dimensions
 *   List of one of these → List of it    nothing but null → Null when all rows are known, else JSON text
 *   anything else → JSON text: Utf8 with the field metadata `graphdb.encoding` = `json`, each value as POST /v0/cypher writes it
 *
 * Anything else: Maps, Nodes, Relationships, Paths, Times with an offset, Durations, mixed columns, dates and instants
 * beyond Arrow's range.
 */
import {
  CypherDate,
  CypherDateTime,
  CypherLocalDateTime,
  CypherLocalTime,
  isFloat,
  isInteger,
  Point,
  type ResultValue,
} from '../../value/index.ts';
import type { Pace, Paced } from './pace.ts';

/** The type of a column. */
export type ColumnType = { readonly kind: ScalarKind | 'vector' | 'json' | 'null' } | { readonly kind: 'list'; readonly items: ColumnType };

type ScalarKind = 'boolean' | 'integer' | 'float' | 'string' | 'bytes' | 'date' | 'localTime' | 'localDateTime' | 'dateTime' | 'point';

const JSON_TEXT: ColumnType = { kind: 'json' };
const NULL: ColumnType = { kind: 'null' };
const INTEGER: ColumnType = { kind: 'integer' };
const FLOAT: ColumnType = { kind: 'float' };
const STRING: ColumnType = { kind: 'string' };

const NANOS_PER_DAY = 86_400_000_000_000n;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const INT32_MAX = 2 ** 31 - 1;

/** Returns the type that holds all of the values. `isWhole` tells that the column has no further values. */
export function* columnType(values: Iterable<ResultValue>, isWhole: boolean, pace: Pace): Paced<ColumnType> {
  const type = yield* commonType(values, pace);
  return isWhole ? type : settle(type);
}

/** Returns the type of a column that may have further values: JSON text where all values are null so far. */
function settle(type: ColumnType): ColumnType {
  if (type.kind === 'null') return JSON_TEXT;
  if (type.kind !== 'list') return type;
  return settle(type.items).kind === 'json' ? JSON_TEXT : type;
}

function* commonType(values: Iterable<ResultValue>, pace: Pace): Paced<ColumnType> {
  let type = NULL;
  for (const value of values) {
    if (pace.passed(1)) yield;
    type = widen(type, Array.isArray(value) ? yield* listType(value, pace) : typeOf(value));
    if (type.kind === 'json') break;
  }
  return type;
}

/** Tells whether a column of this type can hold all of the values. */
export function* holdsAll(type: ColumnType, values: readonly ResultValue[], pace: Pace): Paced<boolean> {
  if (type.kind === 'json') return true;
  for (const value of values) {
    if (pace.passed(1)) yield;
    if (value === null) continue;
    if (type.kind === 'list') {
      if (!Array.isArray(value) || !(yield* holdsAll(type.items, value, pace))) return false;
    } else if (Array.isArray(value) || !isOf(type.kind, typeOf(value).kind)) return false;
  }
  return true;
}

function isOf(kind: ColumnType['kind'], own: ColumnType['kind']): boolean {
  return own === kind || (kind === 'float' && own === 'integer');
}

function widen(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a;
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'list' && b.kind === 'list') {
    const items = widen(a.items, b.items);
    return items.kind === 'json' ? JSON_TEXT : { kind: 'list', items };
  }
  if (a.kind === b.kind) return a;
  const isNumber = (type: ColumnType): boolean => type.kind === 'integer' || type.kind === 'float';
  return isNumber(a) && isNumber(b) ? FLOAT : JSON_TEXT;
}

/** Returns the type of a value that is no list. */
function typeOf(value: ResultValue): ColumnType {
  if (value === null) return NULL;
  if (isInteger(value)) return INTEGER;
  if (isFloat(value)) return FLOAT;
  if (typeof value === 'string') return STRING;
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (value instanceof Uint8Array) return { kind: 'bytes' };
  if (value instanceof Float32Array) return { kind: 'vector' };
  if (value instanceof Point) return { kind: 'point' };
  return temporalType(value);
}

function* listType(list: readonly ResultValue[], pace: Pace): Paced<ColumnType> {
  const items = yield* commonType(list, pace);
  return items.kind === 'json' ? JSON_TEXT : { kind: 'list', items };
}

function temporalType(value: ResultValue): ColumnType {
  if (value instanceof CypherLocalTime) return { kind: 'localTime' };
  if (value instanceof CypherDate) return Math.abs(value.epochDay) <= INT32_MAX ? { kind: 'date' } : JSON_TEXT;
  if (value instanceof CypherLocalDateTime) return isInRange(epochNanos(value)) ? { kind: 'localDateTime' } : JSON_TEXT;
  if (value instanceof CypherDateTime) return isInRange(epochNanos(value)) ? { kind: 'dateTime' } : JSON_TEXT;
  return JSON_TEXT;
}

function isInRange(nanos: bigint): boolean {
  return nanos >= INT64_MIN && nanos <= INT64_MAX;
}

/** Returns nanoseconds since 1970-01-01T00:00, in UTC for a DateTime and in local time for a LocalDateTime. */
export function epochNanos(value: CypherLocalDateTime | CypherDateTime): bigint {
  const offset = value instanceof CypherDateTime ? BigInt(value.offsetSeconds) * 1_000_000_000n : 0n;
  return BigInt(value.epochDay) * NANOS_PER_DAY + BigInt(value.nanoOfDay) - offset;
}
