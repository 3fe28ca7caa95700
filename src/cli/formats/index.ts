/** The formats in which `graphdb run` writes an answer. Each runs the statement, and writes row by row where its form allows it. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { StatementNotification } from '../../engine/index.ts';
import { type CsvForm, csvHeader, csvRow, encodeKeys, encodeRow } from '../../formats/index.ts';
import { encodeResult } from '../../result/index.ts';
import type { ResultValue, Value } from '../../value/index.ts';
import type { StatementTarget } from '../target.ts';
import { isTerminal, paint, terminalWidth, withoutControls } from '../terminal.ts';
import { formatTable } from './table.ts';

/** A statement with its parameters. */
export interface ParameterisedQuery {
  readonly query: string;
  readonly params: ReadonlyMap<string, Value>;
}

const CSV: CsvForm = { delimiter: ',', lineEnd: '\r\n' };

/** Runs a statement and writes its answer. Resolves to the warnings about the statement. */
type WriteAnswer = (engine: StatementTarget, statement: ParameterisedQuery, output: Writable) => Promise<readonly StatementNotification[]>;

/** A format of answers. */
export type AnswerFormat = 'table' | 'json' | 'ndjson' | 'csv';

/** The writer of each format. */
export const ANSWER_FORMATS: Readonly<Record<AnswerFormat, WriteAnswer>> = {
  async table(engine, { query, params }, output) {
    const result = await engine.execute(query, params);
    await write(output, formatTable(result, { width: terminalWidth(output), paint: (style, text) => paint(output, style, text) }));
    return result.notifications ?? [];
  },
  /** Writes the body that HTTP would answer, and a line end. */
  async json(engine, { query, params }, output) {
    const result = await engine.execute(query, params);
    const shown = shownOn(output);
    for (const piece of encodeResult(result, 'plain')) await write(output, shown(piece));
    await write(output, '\n');
    return result.notifications ?? [];
  },
  /** Writes one row per line. */
  async ndjson(engine, statement, output) {
    return writeRows(engine, statement, output, (columns) => {
      const keys = encodeKeys(columns);
      const shown = shownOn(output);
      return { header: '', formatRow: (row) => shown(`${encodeRow(keys, row, 'plain')}\n`) };
    });
  },
  async csv(engine, statement, output) {
    const shown = shownOn(output);
    return writeRows(engine, statement, output, (columns) => ({
      header: columns.length === 0 ? '' : shown(csvHeader(columns, CSV)),
      formatRow: (row) => shown(csvRow(row, CSV)),
    }));
  },
};

/** Returns how text is written to an output: on a terminal control characters become escapes. */
function shownOn(output: Writable): (text: string) => string {
  return isTerminal(output) ? withoutControls : (text) => text;
}

interface RowFormat {
  readonly header: string;
  readonly formatRow: (row: readonly ResultValue[]) => string;
}

async function writeRows(
  engine: StatementTarget,
  { query, params }: ParameterisedQuery,
  output: Writable,
  formatFor: (columns: readonly string[]) => RowFormat,
): Promise<readonly StatementNotification[]> {
  const stream = await engine.stream(query, params);
  const { header, formatRow } = formatFor(stream.columns);
  // Standard output is not destroyed when its reader goes: only its events tell.
  const closing = new AbortController();
  const close = (): void => closing.abort();
  output.on('error', close).on('close', close);
  try {
    await write(output, header);
    for await (const batch of stream.batches) {
      await write(output, batch.map(formatRow).join(''));
      // Leaving the loop stops the statement, whose rows nobody reads any more.
      if (closing.signal.aborted) return [];
    }
  } finally {
    output.off('error', close).off('close', close);
  }
  return stream.summary().notifications ?? [];
}

/** Writes text, and waits while the reader is behind. When the output is closed, the text is dropped. */
async function write(output: Writable, text: string): Promise<void> {
  if (text.length === 0 || output.destroyed || output.write(text)) return;
  await Promise.race([once(output, 'drain'), once(output, 'close')]).catch(() => {});
}
