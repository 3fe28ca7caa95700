/**
 * Encodes a result as NDJSON: a header line with the columns, a line per row, and a last line that is the summary, or
 * the error that ended the result. An answer without such a last line is incomplete.
 */
import { monotonicMs } from '../base/index.ts';
import type { StatementStream } from '../engine/index.ts';
import { encodeKeys, encodeLongRow, encodeRow } from '../formats/index.ts';
import { encodeWriteOutcome } from '../result/index.ts';
import { isLargeRow, type JsonForm } from '../value/index.ts';
import { errorBody, toGraphDBError } from './errors.ts';

const PIECE_CHARACTERS = 32 * 1024;

/** The options of a result as NDJSON. */
export interface NdjsonOptions {
  /** When the statement began, in milliseconds of `monotonicMs()`. */
  readonly startMs: number;
  readonly form: JsonForm;
  /** Returns the error to report for a failure, and the id of the request if the log of the server says more. */
  readonly fail: (error: unknown) => { error: unknown; requestId?: string };
}

/** Encodes a result as NDJSON. */
export async function* encodeNdjson(stream: StatementStream, options: NdjsonOptions): AsyncGenerator<Buffer, void, void> {
  const keys = encodeKeys(stream.columns);
  const iterator = stream.batches[Symbol.asyncIterator]();
  let last: string;
  let isWithinRow = false;
  try {
    yield Buffer.from(`{"type":"header","columns":${JSON.stringify(stream.columns)}}\n`);
    for await (const rows of { [Symbol.asyncIterator]: () => iterator }) {
      let text = '';
      for (const row of rows) {
        text += '{"type":"row","row":';
        if (!isLargeRow(row)) text += encodeRow(keys, row, options.form);
        else {
          for (const part of encodeLongRow(keys, row, options.form)) {
            text += part;
            if (text.length < PIECE_CHARACTERS) continue;
            isWithinRow = true;
            yield Buffer.from(text);
            isWithinRow = false;
            text = '';
          }
        }
        text += '}\n';
        if (text.length < PIECE_CHARACTERS) continue;
        yield Buffer.from(text);
        text = '';
      }
      if (text !== '') yield Buffer.from(text);
    }
    last = summaryLine(stream, monotonicMs() - options.startMs);
  } catch (thrown) {
    // No line can follow a part of one: the answer is broken off.
    if (isWithinRow) throw thrown;
    const { error, requestId } = options.fail(thrown);
    last = `${JSON.stringify({ type: 'error', ...errorBody(toGraphDBError(error), requestId) })}\n`;
  } finally {
    // A client may be gone before the first batch was asked for.
    await iterator.return?.();
  }
  try {
    yield Buffer.from(last);
  } catch {
    // Whoever stops the answer now has its last line.
  }
}

function summaryLine(stream: StatementStream, elapsedMs: number): string {
  const { rows, writeOutcome, planTree, notifications = [] } = stream.summary();
  const outcome = writeOutcome === undefined ? '' : `,"write_outcome":${encodeWriteOutcome(writeOutcome)}`;
  const plan = planTree === undefined ? '' : `,"plan":${JSON.stringify(planTree)}`;
  const told = notifications.length === 0 ? '' : `,"notifications":${JSON.stringify(notifications)}`;
  return `{"type":"summary","rows":${rows},"elapsed_ms":${Math.round(elapsedMs * 1_000) / 1_000}${outcome}${plan}${told}}\n`;
}
