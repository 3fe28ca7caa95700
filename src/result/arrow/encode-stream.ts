/**
 * A result as an Arrow IPC stream: schema, record batches of bounded size, end of stream. The first rows are held back
 * until the types are decided (see column-type.ts): up to DECIDING_ROWS, or fewer when they are large.
 */
import { runInSlices, type SliceLimits } from '../../base/index.ts';
import type { StatementStream } from '../../engine/index.ts';
import { ARROW_END_OF_STREAM, ArrowArrays, arrowStreamBatch, arrowStreamSchema } from '../../formats/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { addColumn, arrowField } from './column-data.ts';
import { type ColumnType, columnType } from './column-type.ts';
import { Pace, type Paced } from './pace.ts';

const DECIDING_ROWS = 10_000;
const BATCH_ROWS = 8_192;
/** The size in bytes, estimated, at which a batch ends or the types are decided. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** No limits: the time limit is kept where rows are computed, and a client that leaves is noticed after each message. */
const NO_LIMITS: SliceLimits = { deadline: Number.POSITIVE_INFINITY, signal: null };

type Row = readonly ResultValue[];

/** Encodes a result as an Arrow IPC stream, message by message. */
export async function* encodeArrowStream(stream: StatementStream): AsyncGenerator<Uint8Array, void, void> {
  let encoder: Encoder | undefined;
  let held: Row[] = [];
  let bytes = 0;
  for await (const rows of stream.batches) {
    for (const row of rows) {
      held.push(row);
      bytes += sizeOf(row);
      if (bytes < BATCH_BYTES && held.length < (encoder === undefined ? DECIDING_ROWS : BATCH_ROWS)) continue;
      if (encoder === undefined) {
        encoder = await Encoder.for(stream.columns, held, false);
        yield encoder.head;
      }
      yield* encoder.batches(held);
      held = [];
      bytes = 0;
    }
  }
  if (encoder === undefined) {
    encoder = await Encoder.for(stream.columns, held, true);
    yield encoder.head;
  }
  yield* encoder.batches(held);
  yield ARROW_END_OF_STREAM;
}

interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** Encodes rows as messages of a stream, with turns of the event loop while it decides types and encodes. */
class Encoder {
  /** The schema message. */
  readonly head: Uint8Array;
  private readonly columns: readonly Column[];

  private constructor(columns: readonly Column[]) {
    this.columns = columns;
    this.head = arrowStreamSchema({ fields: columns.map(({ name, type }) => arrowField(name, type)), metadata: {} });
  }

  static async for(names: readonly string[], sample: readonly Row[], isWhole: boolean): Promise<Encoder> {
    return new Encoder(await runInSlices(columnsOf(names, sample, isWhole), NO_LIMITS));
  }

  async *batches(rows: readonly Row[]): AsyncGenerator<Uint8Array, void, void> {
    for (let start = 0; start < rows.length; start += BATCH_ROWS)
      yield await runInSlices(this.batch(rows.slice(start, start + BATCH_ROWS)), NO_LIMITS);
  }

  private *batch(rows: readonly Row[]): Paced<Uint8Array> {
    const arrays = new ArrowArrays();
    const pace = new Pace();
    for (const [at, column] of this.columns.entries()) yield* addColumn(arrays, column, valuesOf(rows, at), pace);
    return arrowStreamBatch(rows.length, arrays);
  }
}

function* columnsOf(names: readonly string[], sample: readonly Row[], isWhole: boolean): Paced<Column[]> {
  const pace = new Pace();
  const columns: Column[] = [];
  for (const [at, name] of names.entries()) columns.push({ name, type: yield* columnType(valuesOf(sample, at), isWhole, pace) });
  return columns;
}

function valuesOf(rows: readonly Row[], column: number): ResultValue[] {
  return rows.map((row) => row[column]!);
}

/** Returns the estimated size of a row in bytes. Counting stops beyond BATCH_BYTES, since the batch ends there anyway. */
function sizeOf(row: Row): number {
  let bytes = 0;
  for (const value of row) if (bytes < BATCH_BYTES) bytes += sizeOfValue(value);
  return bytes;
}

function sizeOfValue(value: ResultValue): number {
  if (typeof value === 'string') return 8 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Uint8Array || value instanceof Float32Array) return 8 + value.byteLength;
  return Array.isArray(value) ? 8 + sizeOf(value) : 256;
}
