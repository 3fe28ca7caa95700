/**
 * A result as an Arrow IPC stream: schema, record batches of bounded size, end of stream. Rows are held back until the types are decided
 * (see column-type.ts): some thousands of them, or fewer when they are large.
 */
import type { StatementStream } from '../../engine/index.ts';
import { ARROW_END_OF_STREAM, ArrowArrays, arrowStreamBatch, arrowStreamSchema } from '../../formats/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { addColumn, arrowField } from './column-data.ts';
import { type ColumnType, columnType } from './column-type.ts';

const DECIDING_ROWS = 10_000;
const BATCH_ROWS = 8_192;
/** A batch ends, and the types are decided, at about this size. */
const BATCH_BYTES = 4 * 1024 * 1024;

type Row = readonly ResultValue[];

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
        encoder = new Encoder(stream.columns, held, false);
        yield encoder.head;
      }
      yield* encoder.batches(held);
      held = [];
      bytes = 0;
    }
  }
  if (encoder === undefined) {
    encoder = new Encoder(stream.columns, held, true);
    yield encoder.head;
  }
  yield* encoder.batches(held);
  yield ARROW_END_OF_STREAM;
}

class Encoder {
  /** The schema message. */
  readonly head: Uint8Array;
  private readonly names: readonly string[];
  private readonly types: readonly ColumnType[];

  constructor(names: readonly string[], sample: readonly Row[], isWhole: boolean) {
    this.names = names;
    this.types = names.map((_, column) => columnType(valuesOf(sample, column), isWhole));
    this.head = arrowStreamSchema({ fields: names.map((name, column) => arrowField(name, this.types[column]!)), metadata: {} });
  }

  *batches(rows: readonly Row[]): Generator<Uint8Array, void, void> {
    for (let start = 0; start < rows.length; start += BATCH_ROWS) yield this.batch(rows.slice(start, start + BATCH_ROWS));
  }

  private batch(rows: readonly Row[]): Uint8Array {
    const arrays = new ArrowArrays();
    for (const [column, type] of this.types.entries()) addColumn(arrays, this.names[column]!, type, valuesOf(rows, column));
    return arrowStreamBatch(rows.length, arrays);
  }
}

function valuesOf(rows: readonly Row[], column: number): ResultValue[] {
  return rows.map((row) => row[column]!);
}

function sizeOf(row: Row): number {
  let bytes = 0;
  for (const value of row) bytes += sizeOfValue(value);
  return bytes;
}

function sizeOfValue(value: ResultValue): number {
  if (typeof value === 'string') return 8 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Uint8Array || value instanceof Float32Array) return 8 + value.byteLength;
  if (Array.isArray(value)) return value.reduce<number>((bytes, item) => bytes + sizeOfValue(item), 8);
  return 256;
}
