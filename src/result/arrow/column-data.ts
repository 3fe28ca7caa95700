/** The values of a column as Arrow buffers: a validity bitmap, offsets where lengths vary, and the values. */
import { GraphDBError, unreachable } from '../../base/index.ts';
import type { ArrowArrays, ArrowField, ArrowType } from '../../formats/index.ts';
import {
  type CypherDate,
  type CypherDateTime,
  type CypherFloat,
  type CypherLocalDateTime,
  type CypherLocalTime,
  isLarge,
  type Point,
  type ResultValue,
  toNumber,
  writeJson,
  writeJsonParts,
} from '../../value/index.ts';
import { type ColumnType, epochNanos, holdsAll } from './column-type.ts';
import type { Pace, Paced } from './pace.ts';

/** Returns the field of an Arrow schema for a column of a result; every column may hold null. */
export function arrowField(name: string, type: ColumnType): ArrowField {
  return { name, nullable: true, type: arrowType(type), metadata: type.kind === 'json' ? { 'graphdb.encoding': 'json' } : undefined };
}

const POINT: ArrowType = {
  kind: 'struct',
  fields: [
    { name: 'srid', nullable: false, type: { kind: 'integer', bits: 32, signed: true } },
    { name: 'x', nullable: false, type: { kind: 'float', bits: 64 } },
    { name: 'y', nullable: false, type: { kind: 'float', bits: 64 } },
    { name: 'z', nullable: true, type: { kind: 'float', bits: 64 } },
  ],
};

const TYPES: Readonly<Record<Exclude<ColumnType['kind'], 'list'>, ArrowType>> = {
  null: { kind: 'null' },
  boolean: { kind: 'boolean' },
  integer: { kind: 'integer', bits: 64, signed: true },
  float: { kind: 'float', bits: 64 },
  string: { kind: 'utf8' },
  json: { kind: 'utf8' },
  bytes: { kind: 'binary' },
  date: { kind: 'date' },
  localTime: { kind: 'time' },
  localDateTime: { kind: 'timestamp', timezone: null },
  dateTime: { kind: 'timestamp', timezone: 'UTC' },
  point: POINT,
  vector: { kind: 'list', fields: [{ name: 'item', nullable: false, type: { kind: 'float', bits: 32 } }] },
};

function arrowType(type: ColumnType): ArrowType {
  if (type.kind !== 'list') return TYPES[type.kind];
  return { kind: 'list', fields: [{ name: 'item', nullable: true, type: arrowType(type.items) }] };
}

/** Adds the arrays of a column. @throws TYPE_ERROR for a value that does not fit the type that was decided for the column */
export function* addColumn(
  arrays: ArrowArrays,
  { name, type }: { readonly name: string; readonly type: ColumnType },
  values: readonly ResultValue[],
  pace: Pace,
): Paced<void> {
  if (!(yield* holdsAll(type, values, pace))) {
    const advice = 'convert it in the statement (toFloat, toString, …) so that all its values have one type';
    throw new GraphDBError('TYPE_ERROR', `the column "${name}" held only ${type.kind} values so far, and now another: ${advice}`);
  }
  yield* addValues(arrays, type, values, pace);
}

/** Adds the arrays of values that all fit the type, as `holdsAll` has checked. */
function* addValues(arrays: ArrowArrays, type: ColumnType, values: readonly ResultValue[], pace: Pace): Paced<void> {
  const length = values.length;
  const nulls = countNulls(values);
  arrays.node(length, nulls);
  if (type.kind === 'null') return; // It has no arrays.
  arrays.buffer(validity(values, nulls));
  switch (type.kind) {
    case 'boolean':
      return arrays.buffer(bitmapOf(values, (value) => value === true));
    case 'integer':
      return arrays.buffer(yield* integers(values as readonly (number | bigint | null)[], pace));
    case 'float':
      return arrays.buffer(yield* floats(values as readonly (number | bigint | CypherFloat | null)[], pace));
    case 'date':
      return arrays.buffer(Int32Array.from(values, (value) => (value === null ? 0 : (value as CypherDate).epochDay)));
    case 'localTime':
      return arrays.buffer(wholeNumbers(values, (value) => BigInt((value as CypherLocalTime).nanoOfDay)));
    case 'localDateTime':
    case 'dateTime':
      return arrays.buffer(wholeNumbers(values, (value) => epochNanos(value as CypherLocalDateTime | CypherDateTime)));
    case 'string':
      return yield* addTexts(arrays, values as readonly (string | null)[], pace);
    case 'json':
      return yield* addJson(arrays, values, pace);
    case 'bytes': {
      const parts = values as readonly (Uint8Array | null)[];
      arrays.buffer(offsetsOf(parts));
      return arrays.buffer(Buffer.concat(parts.filter((part) => part !== null)));
    }
    case 'point':
      return addPoints(arrays, values as readonly (Point | null)[]);
    case 'vector':
      return addVectors(arrays, values as readonly (Float32Array | null)[]);
    case 'list': {
      const lists = values as readonly (ResultValue[] | null)[];
      arrays.buffer(offsetsOf(lists));
      return yield* addValues(arrays, type.items, yield* itemsOf(lists, pace), pace);
    }
    default:
      return unreachable(type.kind, 'column type');
  }
}

function countNulls(values: readonly ResultValue[]): number {
  let nulls = 0;
  for (let i = 0; i < values.length; i++) if (values[i] === null) nulls++;
  return nulls;
}

/** Returns the items of all lists, one list after the other. */
function* itemsOf(lists: readonly (ResultValue[] | null)[], pace: Pace): Paced<ResultValue[]> {
  if (lists.length === 1) return lists[0] ?? [];
  const items: ResultValue[] = [];
  for (const list of lists) {
    for (const item of list ?? []) {
      if (pace.passed(1)) yield;
      items.push(item);
    }
  }
  return items;
}

/** Returns 64-bit integers, 0 for null. Numbers are written as two words, so that none is converted to a BigInt. */
function* integers(values: readonly (number | bigint | null)[], pace: Pace): Paced<BigInt64Array> {
  const whole = new BigInt64Array(values.length);
  const words = new Int32Array(whole.buffer);
  for (let i = 0; i < values.length; i++) {
    if (pace.passed(1)) yield;
    const value = values[i]!;
    if (typeof value === 'bigint') whole[i] = value;
    else if (value !== null) {
      words[2 * i] = value | 0;
      words[2 * i + 1] = Math.floor(value / 2 ** 32);
    }
  }
  return whole;
}

function* floats(values: readonly (number | bigint | CypherFloat | null)[], pace: Pace): Paced<Float64Array> {
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    if (pace.passed(1)) yield;
    const value = values[i]!;
    if (value !== null) numbers[i] = toNumber(value);
  }
  return numbers;
}

/** Bytes of text that count as much as one value when work is paced. */
const BYTES_OF_VALUE = 128;

/** Adds texts, which are encoded straight into one buffer, so that a long text is not in memory twice. */
function* addTexts(arrays: ArrowArrays, texts: readonly (string | null)[], pace: Pace): Paced<void> {
  const offsets = new Int32Array(texts.length + 1);
  let end = 0;
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i]!;
    if (text !== null) end = endBehind(end, Buffer.byteLength(text));
    offsets[i + 1] = end;
    if (pace.passed(1 + Math.floor((text?.length ?? 0) / BYTES_OF_VALUE))) yield;
  }
  const bytes = Buffer.allocUnsafeSlow(end);
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i]!;
    if (text === null) continue;
    bytes.write(text, offsets[i]!);
    if (pace.passed(1 + Math.floor(text.length / BYTES_OF_VALUE))) yield;
  }
  arrays.buffer(offsets);
  arrays.buffer(bytes);
}

function* addJson(arrays: ArrowArrays, values: readonly ResultValue[], pace: Pace): Paced<void> {
  const offsets = new Int32Array(values.length + 1);
  const pieces: Buffer[] = [];
  let end = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value !== null) {
      for (const part of isLarge(value) ? writeJsonParts(value, 'plain') : [writeJson(value)]) {
        const piece = Buffer.from(part);
        pieces.push(piece);
        end = endBehind(end, piece.length);
        if (pace.passed(16 + Math.floor(piece.length / BYTES_OF_VALUE))) yield;
      }
    }
    offsets[i + 1] = end;
  }
  arrays.buffer(offsets);
  arrays.buffer(Buffer.concat(pieces, end));
}

/** Returns a bitmap with a bit for each value that is not null; empty if no value is null. */
function validity(values: readonly ResultValue[], nulls: number): Uint8Array {
  return nulls === 0 ? new Uint8Array(0) : bitmapOf(values, (value) => value !== null);
}

function bitmapOf(values: readonly ResultValue[], isSet: (value: ResultValue) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 64) * 8);
  for (let i = 0; i < values.length; i++) {
    if (isSet(values[i]!)) bits[i >> 3]! |= 1 << (i & 7);
  }
  return bits;
}

function wholeNumbers(values: readonly ResultValue[], read: (value: ResultValue) => bigint): BigInt64Array {
  return BigInt64Array.from(values, (value) => (value === null ? 0n : read(value)));
}

function addPoints(arrays: ArrowArrays, points: readonly (Point | null)[]): void {
  const length = points.length;
  const addNumbers = (read: (point: Point) => number | null): void =>
    arrays.buffer(Float64Array.from(points, (point) => (point === null ? 0 : (read(point) ?? 0))));
  const all = new Uint8Array(0);
  arrays.node(length, 0);
  arrays.buffer(all);
  arrays.buffer(Int32Array.from(points, (point) => point?.srid ?? 0));
  arrays.node(length, 0);
  arrays.buffer(all);
  addNumbers(({ x }) => x);
  arrays.node(length, 0);
  arrays.buffer(all);
  addNumbers(({ y }) => y);
  const heights = points.map((point) => point?.z ?? null);
  const flat = heights.filter((z) => z === null).length;
  arrays.node(length, flat);
  arrays.buffer(validity(heights, flat));
  addNumbers(({ z }) => z);
}

function addVectors(arrays: ArrowArrays, values: readonly (Float32Array | null)[]): void {
  const offsets = offsetsOf(values);
  const components = new Float32Array(offsets.at(-1)!);
  values.forEach((value, index) => {
    if (value !== null) components.set(value, offsets[index]);
  });
  arrays.buffer(offsets);
  arrays.node(components.length, 0);
  arrays.buffer(new Uint8Array(0));
  arrays.buffer(components);
}

function offsetsOf(parts: readonly ({ readonly length: number } | null)[]): Int32Array {
  const offsets = new Int32Array(parts.length + 1);
  let end = 0;
  parts.forEach((part, index) => {
    end = endBehind(end, part?.length ?? 0);
    offsets[index + 1] = end;
  });
  return offsets;
}

/** Returns the offset after `length` more elements. @throws MEMORY_LIMIT beyond 32-bit offsets */
function endBehind(end: number, length: number): number {
  if (end + length > 2 ** 31 - 1) throw new GraphDBError('MEMORY_LIMIT', 'a column of one batch is larger than 2 GiB');
  return end + length;
}
