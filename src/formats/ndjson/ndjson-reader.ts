/**
 * Reads newline-delimited JSON in batches: each line is an object, numbers are exact, and values may be in typed JSON
 * (`{"$":"date","value":"2024-02-29"}`). Empty lines are skipped.
 */
import { isUtf8 } from 'node:buffer';
import { GraphDBError } from '../../base/index.ts';
import { fromTypedResult, parseJson, type Value } from '../../value/index.ts';
import { type MalformedRow, reasonOf } from '../malformed-row.ts';
import { openByteSource } from '../source/byte-source.ts';
import { ChunkBuffers } from '../source/chunk-buffers.ts';
import { ChunkReader, READ_BYTES } from '../source/chunk-reader.ts';
import { LINE_FEED } from '../source/text-lines.ts';
import type { ValueBatch } from '../value-batch.ts';

const BATCH_ROWS = 4096;

/** Checks a member of an object. An error that it throws makes the row malformed, and its message is the reason for users. */
export type CheckMember = (key: string, value: Value) => void;

/** Yields the rows of an NDJSON file in batches. A batch ends after BATCH_ROWS rows, or with the piece of the file that was read. */
export async function* readNdjson(file: string, check: CheckMember): AsyncGenerator<ValueBatch> {
  const buffers = new ChunkBuffers(READ_BYTES);
  const reader = new ChunkReader(file, await openByteSource(file), buffers);
  try {
    let line = 1;
    let before = reader.bytes;
    for (let consumed = 0; await reader.next(consumed); before = reader.bytes) {
      buffers.give(before);
      consumed = reader.from;
      while (consumed < reader.to) {
        const builder = new BatchBuilder(check);
        for (
          let end = reader.bytes.indexOf(LINE_FEED, consumed);
          end >= 0 && end < reader.to;
          end = reader.bytes.indexOf(LINE_FEED, consumed)
        ) {
          builder.add(reader.bytes.subarray(consumed, end), line++);
          consumed = end + 1;
          if (builder.rows === BATCH_ROWS) break;
        }
        if (builder.rows === 0) break;
        yield builder.finish(reader.position);
      }
      if (reader.atEnd) return;
    }
  } finally {
    await reader.close();
  }
}

class BatchBuilder {
  rows = 0;
  readonly #check: CheckMember;
  readonly #columns = new Map<string, { name: string; values: (Value | undefined)[] }>();
  readonly #lines: number[] = [];
  readonly #malformed: MalformedRow[] = [];

  constructor(check: CheckMember) {
    this.#check = check;
  }

  add(bytes: Buffer, line: number): void {
    const text = bytes.toString('utf8');
    if (text.trim() === '') return;
    const row = this.rows++;
    this.#lines.push(line);
    if (!isUtf8(bytes)) {
      this.#malformed.push({ row, reason: 'the line is not UTF-8 text' });
      return;
    }
    try {
      const object = parseJson(text);
      if (!(object instanceof Map)) throw new GraphDBError('ARGUMENT_ERROR', 'the line is no JSON object');
      for (const [key, value] of object) this.#set(key, row, value);
    } catch (error) {
      this.#malformed.push({ row, reason: reasonOf(error) });
    }
  }

  #set(key: string, row: number, json: Value): void {
    if (json === null) return;
    const value = fromTypedResult(json);
    this.#check(key, value);
    let column = this.#columns.get(key);
    if (column === undefined) this.#columns.set(key, (column = { name: key, values: [] }));
    column.values[row] = value;
  }

  finish(position: number): ValueBatch {
    return {
      rows: this.rows,
      lines: Float64Array.from(this.#lines),
      columns: [...this.#columns.values()],
      malformed: this.#malformed,
      position,
    };
  }
}
