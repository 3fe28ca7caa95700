/**
 * Encodes values as keys of a range index: bytes whose order is that of ORDER BY, and which are equal exactly for
 * values that DISTINCT considers equal (docs/storage-format.md, "Range index"). So equality, ranges and prefixes are
 * ranges of bytes. No key is a prefix of another one, and the key of several values is the concatenation of theirs.
 *
 * A key begins with a byte for the type. A number, integer or not, is the greatest double that is not above it; where
 * doubles lie further apart than 1, followed by the difference from that double.
 */
import { assert } from '../../base/index.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherFloat,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  compareStrings,
  Point,
  type Value,
  type ValueMap,
} from '../../value/index.ts';
import type { SstColumn } from '../api.ts';
import { isSet } from '../sst/bits.ts';
import { columnValue, dictionaryEntry } from '../sst/column-value.ts';
import type { KeyBytes } from './key-bytes.ts';

/** The most bytes of a key; longer keys are cut. */
export const MOST_KEY_BYTES = 256;

/** The first bytes of keys by type, in the order of types of ORDER BY. */
export const KEY_TYPES = {
  map: 1,
  /** Values that no row can have: nodes, relationships, paths, and text that is not well formed. */
  notStored: 2,
  list: 4,
  vector: 6,
  bytes: 7,
  point: 8,
  dateTime: 9,
  localDateTime: 10,
  date: 11,
  time: 12,
  localTime: 13,
  duration: 14,
  string: 15,
  boolean: 16,
  number: 17,
  null: 18,
} as const;

const END = 0;
const NEXT = 1;
const DAY_NANOS = 86_400e9;
/** The number from which on doubles lie further apart than whole numbers. */
const FIRST_GAP = 2 ** 53;
const SECONDS_PER_MONTH = 2_629_746n;

/** Encodes a value as a key. */
export function encodeKey(value: Value, key: KeyBytes): void {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) key.byte(KEY_TYPES.notStored);
      else {
        key.byte(KEY_TYPES.string);
        encodeText(Buffer.from(value), key);
      }
      return;
    case 'number':
      encodeDouble(value, key);
      return;
    case 'bigint':
      encodeLargeInteger(value, key);
      return;
    case 'boolean':
      key.byte(KEY_TYPES.boolean);
      key.byte(value ? 1 : 0);
      return;
    default:
      if (value === null) key.byte(KEY_TYPES.null);
      else encodeObject(value, key);
  }
}

function encodeObject(value: object, key: KeyBytes): void {
  if (value instanceof CypherFloat) encodeDouble(value.value, key);
  else if (Array.isArray(value)) encodeList(value, key);
  else if (value instanceof Map) encodeMap(value, key);
  else if (value instanceof Float32Array) encodeVector(value, key);
  else if (value instanceof Uint8Array) {
    key.byte(KEY_TYPES.bytes);
    encodeText(value, key);
  } else if (value instanceof Point) {
    key.byte(KEY_TYPES.point);
    key.u32(value.srid);
    for (const coordinate of [value.x, value.y, value.z ?? 0]) key.float(coordinate);
  } else encodeTemporal(value, key);
}

/** Encodes a Float, or an Integer that a double represents exactly. */
function encodeDouble(value: number, key: KeyBytes): void {
  key.byte(KEY_TYPES.number);
  key.float(value);
  if (value >= FIRST_GAP || value <= -FIRST_GAP) key.u16(0);
}

function encodeLargeInteger(value: bigint, key: KeyBytes): void {
  let double = Number(value);
  if (BigInt(double) > value) double = nextBelow(double);
  encodeDouble(double, key);
  const rest = Number(value - BigInt(double));
  if (rest === 0) return;
  key.truncate(key.length - 2);
  key.u16(rest);
}

const bits = new DataView(new ArrayBuffer(8));

/** Returns the greatest double below a double that is not 0. */
function nextBelow(double: number): number {
  bits.setFloat64(0, double);
  bits.setBigInt64(0, bits.getBigInt64(0) - (double > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

function encodeText(bytes: Uint8Array, key: KeyBytes): void {
  key.escaped(bytes, MOST_KEY_BYTES);
  key.byte(END);
}

function encodeList(list: readonly Value[], key: KeyBytes): void {
  key.byte(KEY_TYPES.list);
  for (const element of list) encodeKey(element, key);
  key.byte(END);
}

function encodeMap(map: ValueMap, key: KeyBytes): void {
  key.byte(KEY_TYPES.map);
  key.u32(map.size);
  const names = [...map.keys()].sort(compareStrings);
  for (const name of names) encodeText(Buffer.from(name), key);
  for (const name of names) encodeKey(map.get(name) as Value, key); // as: it has the name
}

function encodeVector(vector: Float32Array, key: KeyBytes): void {
  key.byte(KEY_TYPES.vector);
  for (const component of vector) {
    key.byte(NEXT);
    key.smallFloat(component);
  }
  key.byte(END);
}

function encodeTemporal(value: object, key: KeyBytes): void {
  if (value instanceof CypherDate) {
    key.byte(KEY_TYPES.date);
    key.integer(value.epochDay);
  } else if (value instanceof CypherLocalTime) {
    key.byte(KEY_TYPES.localTime);
    key.integer(value.nanoOfDay);
  } else if (value instanceof CypherTime) {
    key.byte(KEY_TYPES.time);
    key.integer(value.nanoOfDay - value.offsetSeconds * 1e9);
    key.integer(value.offsetSeconds);
  } else if (value instanceof CypherLocalDateTime) {
    key.byte(KEY_TYPES.localDateTime);
    key.integer(value.epochDay);
    key.integer(value.nanoOfDay);
  } else if (value instanceof CypherDateTime) {
    const nanos = value.nanoOfDay - value.offsetSeconds * 1e9;
    const days = Math.floor(nanos / DAY_NANOS);
    key.byte(KEY_TYPES.dateTime);
    key.integer(value.epochDay + days);
    key.integer(nanos - days * DAY_NANOS);
    key.integer(value.offsetSeconds);
    encodeText(Buffer.from(value.zone ?? ''), key);
  } else if (value instanceof CypherDuration) encodeDuration(value, key);
  else key.byte(KEY_TYPES.notStored);
}

function encodeDuration({ months, days, seconds, nanos }: CypherDuration, key: KeyBytes): void {
  key.byte(KEY_TYPES.duration);
  key.wide(BigInt(months) * SECONDS_PER_MONTH + BigInt(days) * 86_400n + BigInt(seconds));
  key.integer(nanos);
  key.integer(months);
  key.integer(days);
}

/** Writes the key of a row, which must have a value. */
type EncodeRow = (row: number, key: KeyBytes) => void;

/** A column whose values are encoded as keys; `valid` is the bitmap of rows with a value, or null when all have one. */
export interface KeyColumn {
  readonly valid: Uint8Array | null;
  readonly encode: EncodeRow;
}

/** Returns the validity and the key encoder of a column. */
export function keyColumnOf(column: SstColumn): KeyColumn {
  return { valid: column.valid, encode: encoderOf(column) };
}

/** Tells whether a row has a value. */
export function hasValue({ valid }: KeyColumn, row: number): boolean {
  return valid === null || isSet(valid, row);
}

function encoderOf(column: SstColumn): EncodeRow {
  const { kind, values, heap } = column;
  switch (kind) {
    case 'uint32':
    case 'int32':
    case 'integer':
    case 'float': {
      const numbers = values as Float64Array | Int32Array | Uint32Array; // as: of the kind
      return (row, key) => encodeDouble(numbers[row]!, key);
    }
    case 'string': {
      assert(heap !== undefined, 'a column of text has a heap');
      const offsets = values as Uint32Array; // as: of the kind
      return (row, key) => {
        key.byte(KEY_TYPES.string);
        encodeText(heap.subarray(offsets[row]!, offsets[row + 1]!), key);
      };
    }
    case 'dictionary':
      return (row, key) => {
        key.byte(KEY_TYPES.string);
        encodeText(dictionaryEntry(column, row), key);
      };
    case 'int64':
    case 'boolean':
    case 'date':
    case 'vector':
    case 'any':
      return (row, key) => encodeKey(columnValue(column, row), key);
  }
}
