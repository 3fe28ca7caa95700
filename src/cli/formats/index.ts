/** The formats in which `graphdb run` writes an answer. Each runs the statement, and writes row by row where its form allows it. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { StatementNotification } from '../../engine/index.ts';
import { type CsvForm, csvHeader, csvRow, encodeKeys, encodeRow } from '../../formats/index.ts';
import { encodeResult } from '../../result/index.ts';
import type { ResultValue, Value } from '../../value/index.ts';
import type { StatementTarget } from '../target.ts';
import { isTerminal, paint, terminalWidth } from '../terminal.ts';
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
    for (const piece of encodeResult(result, 'plain')) await write(output, piece);
    await write(output, '\n');
    return result.notifications ?? [];
  },
  /** Writes one row per line. */
  async ndjson(engine, statement, output) {
    return writeRows(engine, statement, output, (columns) => {
      const keys = encodeKeys(columns);
      return { header: '', formatRow: (row) => `${encodeRow(keys, row, 'plain')}\n` };
    });
  },
  /** On a terminal control characters are written as escapes, since they could move the cursor and hide other output. */
  async csv(engine, statement, output) {
    const shown = isTerminal(output) ? withoutControls : (line: string) => line;
    return writeRows(engine, statement, output, (columns) => ({
      header: columns.length === 0 ? '' : shown(csvHeader(columns, CSV)),
      formatRow: (row) => shown(csvRow(row, CSV)),
    }));
  },
};

/** Replaces control characters by escapes; tabs and line ends stay. */
function withoutControls(line: string): string {
  return line.replace(/(?!\r\n|[\n\t])\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
  await write(output, header);
  for await (const batch of stream.batches) await write(output, batch.map(formatRow).join(''));
  return stream.summary().notifications ?? [];
}

/** Writes text, and waits while the reader is behind. When the output is closed, the text is dropped. */
async function write(output: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length === 0 || output.destroyed || output.write(text)) return;
  await Promise.race([once(output, 'drain'), once(output, 'close')]).catch(() => {});
}
