/** The values of a column as Arrow buffers: a bitmap of what is not null, offsets where lengths vary, values. */
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  Null,
  Struct,
  TimeNanosecond,
  TimestampNanosecond,
  Utf8,
} from 'apache-arrow';
import { GraphDBError } from '../../base/index.ts';
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

export function arrowField(name: string, type: ColumnType): Field {
  return new Field(name, arrowType(type), true, type.kind === 'json' ? new Map([['graphdb.encoding', 'json']]) : undefined);
}

const POINT_FIELDS: Field[] = [
  new Field('srid', new Int32(), false),
  new Field('x', new Float64(), false),
  new Field('y', new Float64(), false),
  new Field('z', new Float64(), true),
];

function arrowType(type: ColumnType): DataType {
  switch (type.kind) {
    case 'null':
      return new Null();
    case 'boolean':
      return new Bool();
    case 'integer':
      return new Int64();
    case 'float':
      return new Float64();
    case 'bytes':
      return new Binary();
    case 'date':
      return new DateDay();
    case 'localTime':
      return new TimeNanosecond();
    case 'localDateTime':
      return new TimestampNanosecond();
    case 'dateTime':
      return new TimestampNanosecond('UTC');
    case 'point':
      return new Struct(POINT_FIELDS);
    case 'vector':
      return new List(new Field('item', new Float32(), false));
    case 'list':
      return new List(new Field('item', arrowType(type.items), true));
    default:
      return new Utf8();
  }
}

/** TYPE_ERROR for a value that the column, whose type was decided before, cannot hold. */
export function columnData(name: string, type: ColumnType, values: readonly ResultValue[]): Data {
  for (const value of values) {
    if (holds(type, value)) continue;
    const advice = 'convert it in the statement (toFloat, toString, …) so that all its values have one type';
    throw new GraphDBError('TYPE_ERROR', `the column "${name}" held only ${type.kind} values so far, and now another: ${advice}`);
  }
  return dataOf(type, values);
}

function dataOf(type: ColumnType, values: readonly ResultValue[]): Data {
  const length = values.length;
  const nullBitmap = bitmapOf(values, (value) => value !== null);
  const nullCount = values.reduce<number>((count, value) => (value === null ? count + 1 : count), 0);
  // Each case reads values of its own kind only, which `holds` has made sure of; the library infers its types from literal arguments.
  const make = (buffers: object): Data => makeData({ type: arrowType(type), length, nullCount, nullBitmap, ...buffers } as never);
  switch (type.kind) {
    case 'null':
      return makeData({ type: new Null(), length });
    case 'boolean':
      return make({ data: bitmapOf(values, (value) => value === true) });
    case 'integer':
      return make({ data: wholeNumbers(values, (value) => BigInt(value as number | bigint)) });
    case 'float':
      return make({ data: Float64Array.from(values, (value) => (value === null ? 0 : toNumber(value as number | bigint | CypherFloat))) });
    case 'date':
      return make({ data: Int32Array.from(values, (value) => (value === null ? 0 : (value as CypherDate).epochDay)) });
    case 'localTime':
      return make({ data: wholeNumbers(values, (value) => BigInt((value as CypherLocalTime).nanoOfDay)) });
    case 'localDateTime':
    case 'dateTime':
      return make({ data: wholeNumbers(values, (value) => epochNanos(value as CypherLocalDateTime | CypherDateTime)) });
    case 'string':
      return make(joined(values.map((value) => Buffer.from((value ?? '') as string))));
    case 'json':
      return make(joined(values.map((value) => Buffer.from(value === null ? '' : writeJson(value)))));
    case 'bytes':
      return make(joined(values.map((value) => (value ?? new Uint8Array(0)) as Uint8Array)));
    case 'point':
      return make({ children: pointChildren(values as readonly (Point | null)[]) });
    case 'vector':
      return make(vectors(values as readonly (Float32Array | null)[]));
    case 'list':
      return make(lists(type.items, values as readonly (ResultValue[] | null)[]));
  }
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

function joined(parts: readonly Uint8Array[]): { valueOffsets: Int32Array; data: Uint8Array } {
  return { valueOffsets: offsetsOf(parts), data: Buffer.concat(parts) };
}

function pointChildren(points: readonly (Point | null)[]): Data[] {
  const length = points.length;
  const numbers = (read: (point: Point) => number | null): Float64Array =>
    Float64Array.from(points, (point) => (point === null ? 0 : (read(point) ?? 0)));
  const heights = points.map((point) => point?.z ?? null);
  return [
    makeData({ type: new Int32(), length, nullCount: 0, data: Int32Array.from(points, (point) => point?.srid ?? 0) }),
    makeData({ type: new Float64(), length, nullCount: 0, data: numbers(({ x }) => x) }),
    makeData({ type: new Float64(), length, nullCount: 0, data: numbers(({ y }) => y) }),
    makeData({
      type: new Float64(),
      length,
      nullCount: heights.filter((z) => z === null).length,
      nullBitmap: bitmapOf(heights, (z) => z !== null),
      data: numbers(({ z }) => z),
    }),
  ];
}

function vectors(values: readonly (Float32Array | null)[]): { valueOffsets: Int32Array; child: Data } {
  const valueOffsets = offsetsOf(values);
  const data = new Float32Array(valueOffsets.at(-1)!);
  values.forEach((value, index) => {
    if (value !== null) data.set(value, valueOffsets[index]);
  });
  return { valueOffsets, child: makeData({ type: new Float32(), length: data.length, nullCount: 0, data }) };
}

function lists(items: ColumnType, values: readonly (ResultValue[] | null)[]): { valueOffsets: Int32Array; child: Data } {
  return {
    valueOffsets: offsetsOf(values),
    child: dataOf(
      items,
      values.flatMap((value) => value ?? []),
    ),
  };
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
