/** The values of a column as Arrow buffers: a bitmap of what is not null, offsets where lengths vary, values. */
import { GraphDBError, unreachable } from '../../base/index.ts';
import type { ArrowArrays, ArrowField, ArrowType } from '../../formats/index.ts';
import {
  type CypherDate,
  type CypherDateTime,
  type CypherFloat,
  type CypherLocalDateTime,
  type CypherLocalTime,
  type Point,
  type ResultValue,
  toNumber,
  writeJson,
} from '../../value/index.ts';
import { type ColumnType, epochNanos, holds } from './column-type.ts';

/** The field of Arrow's schema for a column of a result; every column may hold null. */
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

/** Adds the arrays of a column. TYPE_ERROR for a value that the column, whose type was decided before, cannot hold. */
export function addColumn(arrays: ArrowArrays, name: string, type: ColumnType, values: readonly ResultValue[]): void {
  for (const value of values) {
    if (holds(type, value)) continue;
    const advice = 'convert it in the statement (toFloat, toString, …) so that all its values have one type';
    throw new GraphDBError('TYPE_ERROR', `the column "${name}" held only ${type.kind} values so far, and now another: ${advice}`);
  }
  addValues(arrays, type, values);
}

/** Each case reads values of its own kind only, which `holds` has made sure of. */
function addValues(arrays: ArrowArrays, type: ColumnType, values: readonly ResultValue[]): void {
  const length = values.length;
  const nulls = values.reduce<number>((count, value) => (value === null ? count + 1 : count), 0);
  arrays.node(length, nulls);
  if (type.kind === 'null') return; // It has no arrays.
  arrays.buffer(validity(values, nulls));
  switch (type.kind) {
    case 'boolean':
      return arrays.buffer(bitmapOf(values, (value) => value === true));
    case 'integer':
      return arrays.buffer(wholeNumbers(values, (value) => BigInt(value as number | bigint)));
    case 'float':
      return arrays.buffer(Float64Array.from(values, (value) => (value === null ? 0 : toNumber(value as number | bigint | CypherFloat))));
    case 'date':
      return arrays.buffer(Int32Array.from(values, (value) => (value === null ? 0 : (value as CypherDate).epochDay)));
    case 'localTime':
      return arrays.buffer(wholeNumbers(values, (value) => BigInt((value as CypherLocalTime).nanoOfDay)));
    case 'localDateTime':
    case 'dateTime':
      return arrays.buffer(wholeNumbers(values, (value) => epochNanos(value as CypherLocalDateTime | CypherDateTime)));
    case 'string':
      return addBytes(
        arrays,
        values.map((value) => Buffer.from((value ?? '') as string)),
      );
    case 'json':
      return addBytes(
        arrays,
        values.map((value) => Buffer.from(value === null ? '' : writeJson(value))),
      );
    case 'bytes':
      return addBytes(
        arrays,
        values.map((value) => (value ?? new Uint8Array(0)) as Uint8Array),
      );
    case 'point':
      return addPoints(arrays, values as readonly (Point | null)[]);
    case 'vector':
      return addVectors(arrays, values as readonly (Float32Array | null)[]);
    case 'list': {
      const lists = values as readonly (ResultValue[] | null)[];
      arrays.buffer(offsetsOf(lists));
      return addValues(
        arrays,
        type.items,
        lists.flatMap((value) => value ?? []),
      );
    }
    default:
      return unreachable(type.kind, 'column type');
  }
}

/** A bit for each value that is there; nothing where all are. */
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

function addBytes(arrays: ArrowArrays, parts: readonly Uint8Array[]): void {
  arrays.buffer(offsetsOf(parts));
  arrays.buffer(Buffer.concat(parts));
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

/** MEMORY_LIMIT beyond what 32-bit offsets reach. */
function offsetsOf(parts: readonly ({ readonly length: number } | null)[]): Int32Array {
  const offsets = new Int32Array(parts.length + 1);
  let end = 0;
  parts.forEach((part, index) => {
    end += part?.length ?? 0;
    if (end > 2 ** 31 - 1) throw new GraphDBError('MEMORY_LIMIT', 'a column of one batch is larger than 2 GiB');
    offsets[index + 1] = end;
  });
  return offsets;
}
