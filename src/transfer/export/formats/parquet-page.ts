/**
 * One column of a row group as Parquet stores it: the present values, one after the other in plain encoding, and levels
 * that tell where they belong. Pages are made from columns of the store by loops over their arrays, or from JavaScript
 * values.
 *
 *   levels, flat     definition 0: no value, 1: a value
 *   levels, lists    repetition 0: a row begins, 1: the list goes on; definition 0: no list, 1: an empty one, 2: an
 *     element that is null, 3: an element (2 where elements cannot be null)
 */

import type { SchemaElement } from 'hyparquet';
import { assert } from '../../../base/index.ts';
import { TextBuffer } from '../../../formats/index.ts';
import type { SstColumn } from '../../../storage/index.ts';

/** A column of a row group. */
export interface ColumnPage {
  /** The number of values, absent ones (`nulls`) included. */
  readonly count: number;
  readonly nulls: number;
  /** Definition levels, run-length encoded; empty where all levels are the same and the schema says so. */
  readonly definition: Uint8Array;
  readonly repetition: Uint8Array;
  readonly values: Uint8Array;
  /** The least and the greatest value; null: they were not computed. */
  readonly bounds: { readonly min: bigint | number; readonly max: bigint | number } | null;
}

const NOTHING = new Uint8Array(0);
const WORD = 2 ** 32;

/** Makes a page from a stored column; null: its arrays have no plain form, so values must be converted one by one. */
export function columnPage(column: SstColumn, rows: number): ColumnPage | null {
  const { kind } = column;
  if (kind === 'any' || kind === 'vector' || kind === 'uint32') return null;
  const present = presentRows(column, rows);
  const count = present === null ? rows : present.length;
  const flat = { count: rows, nulls: rows - count, definition: flatLevels(column, rows), repetition: NOTHING };
  const values = column.values;
  switch (kind) {
    case 'int32':
    case 'integer': {
      const picked = pick(values as Float64Array, present, new Float64Array(count));
      const bounds = boundsOf(picked);
      return {
        ...flat,
        values: wideIntegers(picked),
        bounds: bounds === null ? null : { min: BigInt(bounds.min), max: BigInt(bounds.max) },
      };
    }
    case 'int64':
      return { ...flat, values: bytesOf(pickWide(values as BigInt64Array, present, count)), bounds: null };
    case 'float':
      return { ...flat, values: bytesOf(pick(values as Float64Array, present, new Float64Array(count))), bounds: null };
    case 'date': {
      const picked = pick(values as Int32Array, present, new Int32Array(count));
      return { ...flat, values: bytesOf(picked), bounds: null };
    }
    case 'boolean':
      return { ...flat, values: bits(pick(values as Uint8Array, present, new Uint8Array(count))), bounds: null };
    case 'string':
    case 'dictionary':
      return { ...flat, values: texts(column, present, rows), bounds: null };
  }
}

/** Returns the rows that have a value; null: all have one. */
function presentRows({ valid }: SstColumn, rows: number): Int32Array | null {
  if (valid === null) return null;
  const present = new Int32Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row++) if (((valid[row >> 3]! >> (row & 7)) & 1) === 1) present[count++] = row;
  return present.subarray(0, count);
}

function pick<T extends Float64Array | Int32Array | Uint8Array>(
  values: Float64Array | Int32Array | Uint8Array,
  present: Int32Array | null,
  target: T,
): T {
  if (present === null) for (let i = 0; i < target.length; i++) target[i] = values[i]!;
  else for (let i = 0; i < target.length; i++) target[i] = values[present[i]!]!;
  return target;
}

function pickWide(values: BigInt64Array, present: Int32Array | null, count: number): BigInt64Array {
  return BigInt64Array.from({ length: count }, (_, i) => values[present === null ? i : present[i]!]!);
}

function boundsOf(values: Float64Array): { min: number; max: number } | null {
  if (values.length === 0) return null;
  let min = values[0]!;
  let max = min;
  for (let i = 1; i < values.length; i++) {
    if (values[i]! < min) min = values[i]!;
    else if (values[i]! > max) max = values[i]!;
  }
  return { min, max };
}

/** Encodes safe integers in 64 bits, little-endian. */
function wideIntegers(values: Float64Array): Uint8Array {
  const words = new Uint32Array(2 * values.length);
  for (let i = 0; i < values.length; i++) {
    words[2 * i] = values[i]!;
    words[2 * i + 1] = Math.floor(values[i]! / WORD);
  }
  return bytesOf(words);
}

function bits(values: Uint8Array): Uint8Array {
  const bytes = new Uint8Array((values.length + 7) >> 3);
  for (let i = 0; i < values.length; i++) bytes[i >> 3]! |= values[i]! << (i & 7);
  return bytes;
}

function texts({ values, heap, dictionary }: SstColumn, present: Int32Array | null, rows: number): Uint8Array {
  const out = new TextBuffer();
  const count = present === null ? rows : present.length;
  const source = dictionary?.heap ?? heap;
  assert(source !== undefined, 'text has a heap or a dictionary');
  for (let i = 0; i < count; i++) {
    const row = present === null ? i : present[i]!;
    if (dictionary === undefined) putBytes(out, source, values[row] as number, values[row + 1] as number);
    else putBytes(out, source, dictionary.offsets[values[row] as number]!, dictionary.offsets[(values[row] as number) + 1]!);
  }
  return out.take();
}

/** Writes bytes after their length, which takes 4 bytes. */
export function putBytes(out: TextBuffer, bytes: Uint8Array, from: number, to: number): void {
  putWord(out, to - from);
  out.raw(bytes, from, to);
}

function putWord(out: TextBuffer, value: number): void {
  out.reserve(4);
  out.length = out.bytes.writeUInt32LE(value, out.length);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Returns the levels of a column without lists. The validity bitmap has the form of Parquet's levels of one bit. */
function flatLevels({ valid }: SstColumn, rows: number): Uint8Array {
  if (valid === null) return runOf(rows, 1);
  const groups = (rows + 7) >> 3;
  return Buffer.concat([varint(groups * 2 + 1), valid.subarray(0, groups)]);
}

/** Makes a page from values in plain encoding; every row has one. */
export function completePage(rows: number, values: Uint8Array): ColumnPage {
  return { count: rows, nulls: 0, definition: runOf(rows, 1), repetition: NOTHING, values, bounds: null };
}

/** Makes a page with the same list of texts in every row. */
export function constantListPage(rows: number, list: readonly string[]): ColumnPage {
  const elements = list.map((text) => Buffer.from(text));
  const out = new TextBuffer();
  const definition = new Levels();
  const repetition = new Levels();
  for (let row = 0; row < rows; row++) {
    if (list.length === 0) addLevel(definition, repetition, 1, 0);
    for (const [index, element] of elements.entries()) {
      addLevel(definition, repetition, 3, index === 0 ? 0 : 1);
      putBytes(out, element, 0, element.length);
    }
  }
  const count = rows * Math.max(1, list.length);
  const levels = { definition: definition.finish(), repetition: repetition.finish() };
  return { count, nulls: list.length === 0 ? rows : 0, ...levels, values: out.take(), bounds: null };
}

/**
 * Makes a page from JavaScript values.
 *
 * @param values in the types of the schema (bigint, number, string, bytes, booleans, or arrays of these); null: no
 *   value
 */
export function valuesPage(values: readonly unknown[], schema: readonly SchemaElement[]): ColumnPage {
  const leaf = schema.at(-1)!; // A column has a schema.
  const present: unknown[] = [];
  const definition = new Levels();
  const repetition = new Levels();
  const isList = schema.length > 1;
  const deepest = !isList ? 1 : leaf.repetition_type === 'REQUIRED' ? 2 : 3;
  let count = 0;
  for (const value of values) {
    const items = isList && Array.isArray(value) ? value : [value];
    if (items.length === 0) addLevel(definition, repetition, 1, 0);
    for (let index = 0; index < items.length; index++) {
      const item: unknown = items[index];
      const level = value === null || value === undefined ? 0 : item === null ? 2 : deepest;
      addLevel(definition, repetition, level, index === 0 ? 0 : 1);
      if (level === deepest) present.push(item);
    }
    count += Math.max(1, items.length);
  }
  return {
    count,
    nulls: count - present.length,
    definition: definition.finish(),
    repetition: isList ? repetition.finish() : NOTHING,
    values: plain(present, leaf),
    bounds: null,
  };
}

function addLevel(definition: Levels, repetition: Levels, definitionLevel: number, repetitionLevel: number): void {
  definition.add(definitionLevel);
  repetition.add(repetitionLevel);
}

function plain(values: readonly unknown[], { type }: SchemaElement): Uint8Array {
  switch (type) {
    case 'INT64':
      return bytesOf(BigInt64Array.from(values as bigint[]));
    case 'INT32':
      return bytesOf(Int32Array.from(values as number[]));
    case 'DOUBLE':
      return bytesOf(Float64Array.from(values as number[]));
    case 'FLOAT':
      return bytesOf(Float32Array.from(values as number[]));
    case 'BOOLEAN':
      return bits(Uint8Array.from(values as boolean[], Number));
    default: {
      const out = new TextBuffer();
      for (const value of values) {
        const bytes = typeof value === 'string' ? Buffer.from(value) : (value as Uint8Array);
        putBytes(out, bytes, 0, bytes.length);
      }
      return out.take();
    }
  }
}

/** Encodes levels as runs: a count, then the level. */
class Levels {
  readonly #out = new TextBuffer();
  #level = 0;
  #count = 0;

  add(level: number): void {
    if (level !== this.#level) {
      this.#end();
      this.#level = level;
    }
    this.#count++;
  }

  #end(): void {
    if (this.#count > 0) this.#out.raw(run(this.#count, this.#level));
    this.#count = 0;
  }

  finish(): Uint8Array {
    this.#end();
    return this.#out.take();
  }
}

function runOf(count: number, level: number): Uint8Array {
  return count === 0 ? NOTHING : run(count, level);
}

function run(count: number, level: number): Uint8Array {
  return Buffer.concat([varint(count * 2), Uint8Array.of(level)]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
