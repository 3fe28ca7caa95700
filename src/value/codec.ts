/**
 * The binary form of a value: a tag byte, then the content. Used in WAL frames and in columns that hold values of several types. Tags and
 * layouts are part of the storage format: they may be added to, never changed.
 *
 *   00 null   01 false   02 true
 *   03 Integer, zigzag   04 Integer beyond the safe range, 8 bytes   80…FF Integer -16 … 111 in the tag
 *   05 Float, 8 bytes
 *   06 String, length and UTF-8   40…7F String of 0 … 63 bytes of UTF-8, length in the tag
 *   07 Bytes   08 Vector: count, 4 bytes each
 *   09 List: count, values   0A List of Floats: count, 8 bytes each   0B Map: count, (key, value) pairs
 *   10 Date   11 LocalTime   12 Time   13 LocalDateTime   14 DateTime with an offset   15 DateTime with a zone   16 Duration
 *   17 Point: SRID, 8 bytes for each of its two or three coordinates
 *
 * References into the graph have no binary form; a caller that keeps them for the time of a statement brings its own
 * (`FurtherForms`). All numbers are little-endian.
 */
import { assert, type ByteReader, type ByteWriter } from '../base/index.ts';
import { CypherFloat, type Integer, isFloat, makeFloat, makeInteger, toNumber } from './numbers.ts';
import { Point, pointProblem, systemOfSrid } from './spatial/point.ts';
import { TAG_POINT } from './spatial/stored.ts';
import { aType } from './type-name.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  isTemporal,
  type Value,
  type ValueMap,
} from './values.ts';

const TAG_NULL = 0x00;
const TAG_FALSE = 0x01;
const TAG_TRUE = 0x02;
const TAG_INTEGER = 0x03;
const TAG_LARGE_INTEGER = 0x04;
const TAG_FLOAT = 0x05;
const TAG_STRING = 0x06;
const TAG_BYTES = 0x07;
const TAG_VECTOR = 0x08;
const TAG_LIST = 0x09;
const TAG_FLOAT_LIST = 0x0a;
const TAG_MAP = 0x0b;
const TAG_DATE = 0x10;
const TAG_LOCAL_TIME = 0x11;
const TAG_TIME = 0x12;
const TAG_LOCAL_DATE_TIME = 0x13;
const TAG_OFFSET_DATE_TIME = 0x14;
const TAG_ZONED_DATE_TIME = 0x15;
const TAG_DURATION = 0x16;
/** The first of the tags of `FurtherForms`, which end before TAG_SHORT_STRING. */
const TAG_FURTHER = 0x30;
const TAG_SHORT_STRING = 0x40;
const SHORT_STRING_BYTES = 63;
const TAG_SMALL_INTEGER = 0x80;
const SMALL_INTEGER_MIN = -16;
const SMALL_INTEGER_MAX = 111;

/** The most levels of nesting. No parser accepts a value that is nested deeper, so more levels are a sign of damage. */
const MAX_DEPTH = 1000;

/**
 * Encodings of values that have none in this file: references into the graph, and text that is not well-formed. Their
 * tags are 30 to 3F, and are never written to the bucket.
 */
export interface FurtherForms {
  /** Writes the tag and the content of a value that has no form in this file. */
  encode(value: Value, writer: ByteWriter): void;
  /** Reads the content behind the tag. */
  decode(tag: number, reader: ByteReader): Value;
}

/** Encodes a value. Without `forms`, a value that has no form in this file, and text that is not well-formed, are a fault of the caller. */
export function encodeValue(value: Value, writer: ByteWriter, forms: FurtherForms | null = null): void {
  switch (typeof value) {
    case 'number':
      encodeNumber(value, writer);
      return;
    case 'string':
      if (forms !== null && !value.isWellFormed()) forms.encode(value, writer);
      else encodeString(value, writer);
      return;
    case 'boolean':
      writer.byte(value ? TAG_TRUE : TAG_FALSE);
      return;
    case 'bigint':
      writer.byte(TAG_LARGE_INTEGER);
      writer.i64(value);
      return;
    default:
      if (value === null) writer.byte(TAG_NULL);
      else encodeObject(value, writer, forms);
  }
}

function encodeNumber(value: number, writer: ByteWriter): void {
  if (!Number.isSafeInteger(value)) {
    writer.byte(TAG_FLOAT);
    writer.f64(value);
  } else if (value >= SMALL_INTEGER_MIN && value <= SMALL_INTEGER_MAX) {
    writer.byte(TAG_SMALL_INTEGER + value - SMALL_INTEGER_MIN);
  } else {
    writer.byte(TAG_INTEGER);
    writer.zigzag(value);
  }
}

function encodeString(value: string, writer: ByteWriter): void {
  if (value.length <= SHORT_STRING_BYTES && writer.shortAscii(TAG_SHORT_STRING + value.length, value)) return;
  const byteLength = value.length > SHORT_STRING_BYTES ? SHORT_STRING_BYTES + 1 : Buffer.byteLength(value);
  if (byteLength > SHORT_STRING_BYTES) {
    writer.byte(TAG_STRING);
    writer.utf8(value);
  } else {
    writer.byte(TAG_SHORT_STRING + byteLength);
    writer.rawUtf8(value, byteLength);
  }
}

function encodeObject(value: object, writer: ByteWriter, forms: FurtherForms | null): void {
  if (value instanceof CypherFloat) {
    writer.byte(TAG_FLOAT);
    writer.f64(value.value);
  } else if (Array.isArray(value)) {
    encodeList(value, writer, forms);
  } else if (value instanceof Map) {
    encodeMap(value, writer, forms);
  } else if (value instanceof Uint8Array) {
    writer.byte(TAG_BYTES);
    writer.bytes(value);
  } else if (value instanceof Float32Array) {
    writer.byte(TAG_VECTOR);
    writer.varint(value.length);
    for (const component of value) writer.f32(component);
  } else if (value instanceof Point) {
    encodePoint(value, writer);
  } else if (forms === null || isTemporal(value) || value instanceof CypherDuration) {
    encodeTemporal(value, writer);
  } else {
    forms.encode(value as Value, writer); // as: an object that values are made of
  }
}

function encodeList(list: readonly Value[], writer: ByteWriter, forms: FurtherForms | null): void {
  const floats = list.length > 0 && list.every(isFloat);
  writer.byte(floats ? TAG_FLOAT_LIST : TAG_LIST);
  writer.varint(list.length);
  for (const element of list) {
    if (floats) writer.f64(toNumber(element as number));
    else encodeValue(element, writer, forms);
  }
}

function encodeMap(map: ValueMap, writer: ByteWriter, forms: FurtherForms | null): void {
  if (forms !== null && !map.keys().every((key) => key.isWellFormed())) {
    forms.encode(map, writer);
    return;
  }
  writer.byte(TAG_MAP);
  writer.varint(map.size);
  for (const [key, value] of map) {
    writer.utf8(key);
    encodeValue(value, writer, forms);
  }
}

function encodePoint({ srid, x, y, z }: Point, writer: ByteWriter): void {
  writer.byte(TAG_POINT);
  writer.varint(srid);
  writer.f64(x);
  writer.f64(y);
  if (z !== null) writer.f64(z);
}

function encodeTemporal(value: object, writer: ByteWriter): void {
  if (value instanceof CypherDate) {
    writer.byte(TAG_DATE);
    writer.zigzag(value.epochDay);
  } else if (value instanceof CypherLocalTime) {
    writer.byte(TAG_LOCAL_TIME);
    writer.varint(value.nanoOfDay);
  } else if (value instanceof CypherTime) {
    writer.byte(TAG_TIME);
    writer.varint(value.nanoOfDay);
    writer.zigzag(value.offsetSeconds);
  } else if (value instanceof CypherLocalDateTime) {
    writer.byte(TAG_LOCAL_DATE_TIME);
    writer.zigzag(value.epochDay);
    writer.varint(value.nanoOfDay);
  } else if (value instanceof CypherDateTime) {
    writer.byte(value.zone === null ? TAG_OFFSET_DATE_TIME : TAG_ZONED_DATE_TIME);
    writer.zigzag(value.epochDay);
    writer.varint(value.nanoOfDay);
    writer.zigzag(value.offsetSeconds);
    if (value.zone !== null) writer.utf8(value.zone);
  } else {
    assert(value instanceof CypherDuration, `no binary form for ${aType(value)}`);
    encodeDuration(value, writer);
  }
}

function encodeDuration(value: CypherDuration, writer: ByteWriter): void {
  writer.byte(TAG_DURATION);
  writer.zigzag(value.months);
  writer.zigzag(value.days);
  encodeValue(value.seconds, writer);
  writer.varint(value.nanos);
}

/** Decodes the next value; `forms` must be those it was encoded with. @throws CORRUPTION for bytes that no encoder wrote */
export function decodeValue(reader: ByteReader, forms: FurtherForms | null = null): Value {
  return decode(reader, 0, forms);
}

function decode(reader: ByteReader, depth: number, forms: FurtherForms | null): Value {
  const tag = reader.byte();
  if (tag >= TAG_SMALL_INTEGER) return tag - TAG_SMALL_INTEGER + SMALL_INTEGER_MIN;
  if (tag >= TAG_SHORT_STRING) return reader.rawUtf8(tag - TAG_SHORT_STRING);
  switch (tag) {
    case TAG_NULL:
      return null;
    case TAG_FALSE:
      return false;
    case TAG_TRUE:
      return true;
    case TAG_INTEGER:
      return reader.zigzag();
    case TAG_LARGE_INTEGER:
      return makeInteger(reader.i64());
    case TAG_FLOAT:
      return makeFloat(reader.f64());
    case TAG_STRING:
      return reader.utf8();
    case TAG_BYTES:
      return reader.bytes();
    case TAG_VECTOR:
      return decodeVector(reader);
    case TAG_LIST:
      return decodeList(reader, depth + 1, forms);
    case TAG_FLOAT_LIST:
      return decodeFloatList(reader);
    case TAG_MAP:
      return decodeMap(reader, depth + 1, forms);
    case TAG_POINT:
      return decodePoint(reader);
    default:
      if (forms !== null && tag >= TAG_FURTHER) return forms.decode(tag, reader);
      return decodeTemporal(tag, reader);
  }
}

/** Reads the number of elements that follow, each of at least `elementBytes`, so that a damaged count is no huge allocation. */
function decodeCount(reader: ByteReader, elementBytes: number): number {
  const count = reader.varint();
  if (count * elementBytes > reader.remaining) throw reader.corrupt(`${count} elements do not fit into what is left`);
  return count;
}

function decodeVector(reader: ByteReader): Float32Array {
  const vector = new Float32Array(decodeCount(reader, 4));
  for (let i = 0; i < vector.length; i++) vector[i] = reader.f32();
  return vector;
}

function decodeList(reader: ByteReader, depth: number, forms: FurtherForms | null): Value[] {
  if (forms === null) checkDepth(reader, depth);
  const count = decodeCount(reader, 1);
  const list: Value[] = [];
  for (let i = 0; i < count; i++) list.push(decode(reader, depth, forms));
  return list;
}

function decodeFloatList(reader: ByteReader): Value[] {
  const count = decodeCount(reader, 8);
  const list: Value[] = [];
  for (let i = 0; i < count; i++) list.push(makeFloat(reader.f64()));
  return list;
}

function decodeMap(reader: ByteReader, depth: number, forms: FurtherForms | null): ValueMap {
  if (forms === null) checkDepth(reader, depth);
  const count = decodeCount(reader, 2);
  const map: ValueMap = new Map();
  for (let i = 0; i < count; i++) map.set(reader.utf8(), decode(reader, depth, forms));
  return map;
}

function decodePoint(reader: ByteReader): Point {
  const srid = reader.varint();
  const system = systemOfSrid(srid);
  if (system === undefined) throw reader.corrupt(`an unknown coordinate reference system ${srid}`);
  const x = reader.f64();
  const y = reader.f64();
  const z = system.dimensions === 3 ? reader.f64() : null;
  if (pointProblem(srid, x, y, z) !== null) throw reader.corrupt('a point with impossible coordinates');
  return new Point(srid, x, y, z);
}

function checkDepth(reader: ByteReader, depth: number): void {
  if (depth > MAX_DEPTH) throw reader.corrupt('values are nested too deep');
}

function decodeTemporal(tag: number, reader: ByteReader): Value {
  switch (tag) {
    case TAG_DATE:
      return new CypherDate(reader.zigzag());
    case TAG_LOCAL_TIME:
      return new CypherLocalTime(decodeNanoOfDay(reader));
    case TAG_TIME:
      return new CypherTime(decodeNanoOfDay(reader), reader.zigzag());
    case TAG_LOCAL_DATE_TIME:
      return new CypherLocalDateTime(reader.zigzag(), decodeNanoOfDay(reader));
    case TAG_OFFSET_DATE_TIME:
      return new CypherDateTime(reader.zigzag(), decodeNanoOfDay(reader), reader.zigzag(), null);
    case TAG_ZONED_DATE_TIME:
      return new CypherDateTime(reader.zigzag(), decodeNanoOfDay(reader), reader.zigzag(), reader.utf8());
    case TAG_DURATION:
      return decodeDuration(reader);
    default:
      throw reader.corrupt(`unknown value tag ${tag}`);
  }
}

function decodeNanoOfDay(reader: ByteReader): number {
  const nanos = reader.varint();
  if (nanos >= 86_400e9) throw reader.corrupt('a time of day past midnight');
  return nanos;
}

function decodeDuration(reader: ByteReader): CypherDuration {
  const months = reader.zigzag();
  const days = reader.zigzag();
  const seconds = decode(reader, 0, null);
  const nanos = reader.varint();
  const integral = typeof seconds === 'bigint' || Number.isSafeInteger(seconds);
  if (!integral || nanos > 999_999_999) throw reader.corrupt('a duration out of range');
  return new CypherDuration(months, days, seconds as Integer, nanos);
}
