/**
 * Reads Parquet in batches, a row group at a time, which must fit into memory. Types are those of the file: 64-bit
 * integers are exact, timestamps become DateTime (UTC) or LocalDateTime, lists of scalars become lists, decimals become
 * Floats. Maps and structs are refused, since no property can hold them.
 */
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type AsyncBuffer, type Compressors, parquetScan, parquetSchema, type SchemaTree } from 'hyparquet';
import { GraphDBError } from '../../base/index.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherLocalDateTime,
  CypherLocalTime,
  INT64_MAX,
  INT64_MIN,
  makeFloat,
  makeInteger,
  type Value,
} from '../../value/index.ts';
import { unreadable } from '../source/byte-source.ts';
import type { ValueBatch, ValueColumn } from '../value-batch.ts';

const BATCH_ROWS = 16_384;
const NANOS_PER_DAY = 86_400_000_000_000n;

/** Parsers that keep timestamps as nanoseconds and dates as days, since their Cypher type depends on the column. */
const PARSERS = {
  timestampFromMilliseconds: (millis: bigint) => millis * 1_000_000n,
  timestampFromMicroseconds: (micros: bigint) => micros * 1000n,
  timestampFromNanoseconds: (nanos: bigint) => nanos,
  dateFromDays: (days: number) => new CypherDate(days),
  stringFromBytes: textOf,
  jsonFromBytes: textOf,
  geometryFromBytes: (bytes: Uint8Array) => bytes,
  geographyFromBytes: (bytes: Uint8Array) => bytes,
};

/** Stands for bytes that are not UTF-8. No error yet, since statistics in the footer may have cut text anywhere. */
const NO_TEXT = { toString: () => 'text that is not UTF-8' };

function textOf(bytes: Uint8Array): unknown {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8') : NO_TEXT;
}

const COMPRESSORS: Compressors = {
  GZIP: (input) => gunzipSync(input),
  ZSTD: (input) => zstdDecompressSync(input),
  BROTLI: (input) => brotliDecompressSync(input),
};

/**
 * Reads the columns of a file whose names `isWanted` accepts; others are not even read. @throws ARGUMENT_ERROR if it is no
 * Parquet file, or has a wanted column that no property can hold
 */
export async function* readParquet(file: string, isWanted: (name: string) => boolean): AsyncGenerator<ValueBatch> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const { size } = await handle.stat();
    const buffer: AsyncBuffer = {
      byteLength: size,
      async slice(start, end = size) {
        const bytes = new Uint8Array(end - start);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
        return bytes.buffer.slice(0, bytesRead);
      },
    };
    yield* scan(file, buffer, isWanted);
  } finally {
    await handle.close();
  }
}

async function* scan(file: string, buffer: AsyncBuffer, isWanted: (name: string) => boolean): AsyncGenerator<ValueBatch> {
  const scanned = await translated(file, () =>
    parquetScan({ file: buffer, compressors: COMPRESSORS, utf8: false, parsers: PARSERS, geoparquet: false }),
  );
  const total = Number(scanned.metadata.num_rows);
  const wanted = parquetSchema(scanned.metadata).children.filter(({ element }) => isWanted(element.name));
  const columns = wanted.map((tree) => ({ name: tree.element.name, convert: converterOf(file, tree) }));
  for (const { rowStart, rowEnd } of scanned.ranges) {
    const group = await translated(file, () =>
      Promise.all(columns.map(({ name }) => scanned.readColumn({ column: name, rowStart, rowEnd }))),
    );
    for (let from = rowStart; from < rowEnd; from += BATCH_ROWS) {
      const to = Math.min(from + BATCH_ROWS, rowEnd);
      const malformed = new Map<number, string>();
      const batch = columns.map(({ name, convert }, index): ValueColumn => {
        const values = new Array<Value | undefined>(to - from);
        for (let row = 0; row < values.length; row++) {
          const raw = group[index]![from - rowStart + row] as unknown;
          if (raw === null || raw === undefined) continue;
          const value = convert(raw);
          if (value === undefined) malformed.set(row, `column ${name}: ${String(raw)} has no Cypher value that a property can hold`);
          values[row] = value;
        }
        return { name, values };
      });
      yield {
        rows: to - from,
        lines: Float64Array.from({ length: to - from }, (_, row) => from + row + 1),
        columns: batch,
        malformed: Array.from(malformed, ([row, reason]) => ({ row, reason })).sort((a, b) => a.row - b.row),
        position: total === 0 ? buffer.byteLength : Math.floor((buffer.byteLength * to) / total),
      };
    }
  }
}

/** Converts a value other than null; returns undefined if there is no Cypher value for it. */
type Convert = (raw: unknown) => Value | undefined;

function converterOf(file: string, tree: SchemaTree): Convert {
  const { element, children } = tree;
  if (children.length === 0) return element.repetition_type === 'REPEATED' ? listOf(scalarConverter(tree)) : scalarConverter(tree);
  const repeated = children[0];
  const isList = element.converted_type === 'LIST' || element.logical_type?.type === 'LIST';
  if (!isList || children.length !== 1 || repeated === undefined) throw notLoadable(file, element.name);
  const leaf = repeated.children.length === 0 ? repeated : repeated.children.length === 1 ? repeated.children[0] : undefined;
  if (leaf === undefined || leaf.children.length > 0) throw notLoadable(file, element.name);
  return listOf(scalarConverter(leaf));
}

function notLoadable(file: string, column: string): GraphDBError {
  return new GraphDBError(
    'ARGUMENT_ERROR',
    `${file}: column ${JSON.stringify(column)} holds maps, structs or lists of lists, which no property can hold; leave it out, ` +
      `or name it ${column}:IGNORE`,
  );
}

function listOf(convert: Convert): Convert {
  return (raw) => {
    const list: Value[] = [];
    for (const element of raw as Iterable<unknown>) {
      const value = element === null || element === undefined ? undefined : convert(element);
      if (value === undefined || value instanceof Uint8Array) return undefined;
      list.push(value);
    }
    return list;
  };
}

function scalarConverter({ element: { type, converted_type: converted, logical_type: logical } }: SchemaTree): Convert {
  if (converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS' || logical?.type === 'TIMESTAMP' || type === 'INT96') {
    return logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC ? localDateTime : dateTime;
  }
  if (converted === 'TIME_MILLIS' || (logical?.type === 'TIME' && logical.unit === 'MILLIS'))
    return (raw) => localTime(BigInt(raw as number) * 1_000_000n);
  if (converted === 'TIME_MICROS' || (logical?.type === 'TIME' && logical.unit === 'MICROS'))
    return (raw) => localTime((raw as bigint) * 1000n);
  if (logical?.type === 'TIME') return (raw) => localTime(raw as bigint);
  if (type === 'FLOAT' || type === 'DOUBLE' || converted === 'DECIMAL' || logical?.type === 'DECIMAL' || logical?.type === 'FLOAT16') {
    return (raw) => makeFloat(Number(raw));
  }
  return plain;
}

function plain(raw: unknown): Value | undefined {
  switch (typeof raw) {
    case 'string':
    case 'boolean':
      return raw;
    case 'number':
      return raw;
    case 'bigint':
      return raw > INT64_MAX || raw < INT64_MIN ? undefined : makeInteger(raw);
    default:
      return raw instanceof CypherDate ? raw : raw instanceof Uint8Array ? new Uint8Array(raw) : undefined;
  }
}

function split(raw: unknown): { epochDay: number; nanoOfDay: number } {
  const nanos = raw as bigint;
  const day = nanos / NANOS_PER_DAY - (nanos % NANOS_PER_DAY < 0n ? 1n : 0n);
  return { epochDay: Number(day), nanoOfDay: Number(nanos - day * NANOS_PER_DAY) };
}

function dateTime(raw: unknown): Value {
  const { epochDay, nanoOfDay } = split(raw);
  return new CypherDateTime(epochDay, nanoOfDay, 0, null);
}

function localDateTime(raw: unknown): Value {
  const { epochDay, nanoOfDay } = split(raw);
  return new CypherLocalDateTime(epochDay, nanoOfDay);
}

function localTime(nanos: bigint): Value | undefined {
  return nanos >= 0n && nanos < NANOS_PER_DAY ? new CypherLocalTime(Number(nanos)) : undefined;
}

async function translated<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GraphDBError) throw error;
    throw new GraphDBError('ARGUMENT_ERROR', `cannot read ${file} as Parquet: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
