/** Writes a query's result as a table: CSV for people and spreadsheets, NDJSON and Parquet with types. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createZstdDecompress } from 'node:zlib';
import { type CsvForm, csvHeader, csvRow, encodeKeys, encodeRow } from '../../../formats/index.ts';
import { fromTypedResult, Node, Path, parseJson, Relationship, type ResultValue, type Value, writeJson } from '../../../value/index.ts';
import type { ExportOptions, RowSource } from '../api.ts';
import { OutputFile } from '../output-file.ts';
import { PropertyShape } from '../property-shape.ts';
import { ParquetFile } from './parquet-file.ts';
import { valuesPage } from './parquet-page.ts';
import { type ParquetProperty, parquetProperty } from './parquet-types.ts';

const GROUP_ROWS = 64 * 1024;
/** About how many bytes a row group has at most; rows with long values make smaller groups. */
const GROUP_BYTES = 32 * 2 ** 20;

/** Called with the number of rows that were written. */
type OnRows = (count: number) => void;

/** Writes the rows of a query to a file. */
export async function writeRows(source: RowSource, options: ExportOptions, output: OutputFile, onRows: OnRows): Promise<void> {
  switch (options.format) {
    case 'csv':
      return writeCsvRows(source, options.delimiter, output, onRows);
    case 'ndjson':
      return writeNdjsonRows(source, output, onRows);
    default:
      return writeParquetRows(source, output, onRows);
  }
}

async function writeCsvRows({ columns, batches }: RowSource, delimiter: string, output: OutputFile, onRows: OnRows): Promise<void> {
  const form: CsvForm = { delimiter, lineEnd: '\n' };
  output.text(csvHeader(columns, form));
  for await (const batch of batches) {
    for (const row of batch) output.text(csvRow(row, form));
    output.rows += batch.length;
    onRows(batch.length);
    await output.drained();
  }
}

async function writeNdjsonRows({ columns, batches }: RowSource, output: OutputFile, onRows: OnRows): Promise<void> {
  const keys = encodeKeys(columns);
  for await (const batch of batches) {
    for (const row of batch) output.text(`${encodeRow(keys, row, 'typed')}\n`);
    output.rows += batch.length;
    onRows(batch.length);
    await output.drained();
  }
}

/**
 * Writes rows as Parquet. The types of columns are known only after the last row, so rows wait in a temporary file: the
 * query runs once, and memory holds one row group.
 */
async function writeParquetRows({ columns, batches }: RowSource, output: OutputFile, onRows: OnRows): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'graphdb-export-'));
  try {
    const spool = join(folder, 'rows');
    const shapes = columns.map(() => new PropertyShape(';'));
    const waiting = OutputFile.create(spool, 'zstd');
    for await (const batch of batches) {
      for (const row of batch) {
        row.forEach((value, index) => {
          if (value !== null) shapes[index]!.add(value);
        });
        waiting.text(`[${row.map(spooledText).join(',')}]\n`);
      }
      onRows(batch.length);
      await waiting.drained();
    }
    await waiting.finish();
    await waiting.publish();
    const properties = columns.map((column, index) => parquetProperty(column, shapes[index]!, true));
    const file = new ParquetFile(output, properties);
    let group: unknown[][] = properties.map(() => []);
    let weight = 0;
    const writeGroup = async (): Promise<void> => {
      const rows = group[0]?.length ?? 0;
      await file.write(
        rows,
        group.map((values, index) => valuesPage(values, properties[index]!.schema)),
      );
      group = properties.map(() => []);
      weight = 0;
    };
    for await (const line of linesOf(createReadStream(spool).pipe(createZstdDecompress()))) {
      for (const [index, value] of (parseJson(line) as Value[]).entries()) {
        const converted = value === null ? null : convertSpooled(value, properties[index]!);
        group[index]!.push(converted);
        weight += weightOf(converted);
      }
      if (group[0]?.length === GROUP_ROWS || weight > GROUP_BYTES) await writeGroup();
    }
    await writeGroup();
    await file.finish();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the JSON text of a value in the temporary file: its typed form. A list, a map, a node, a relationship or a
 * path is a list of one string, its typed text, since they may be nested deeper than JSON is read, and there are paths
 * that no reader of typed JSON knows.
 */
function spooledText(value: ResultValue): string {
  const text = writeJson(value, 'typed');
  return isNested(value) ? `[${JSON.stringify(text)}]` : text;
}

function isNested(value: ResultValue): boolean {
  return [Array, Map, Node, Relationship, Path].some((kind) => value instanceof kind);
}

/** Returns the form in a page of a value from the temporary file. Text that a column of JSON takes is not parsed. */
function convertSpooled(value: Value, { isJson, convert }: ParquetProperty): unknown {
  if (!Array.isArray(value)) return convert(fromTypedResult(value));
  const text = value[0] as string; // as: `spooledText` writes no other lists
  return isJson ? text : convert(fromTypedResult(parseJson(text)));
}

/** Splits a stream at line feeds only, since JSON text may hold other line ends of Unicode. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of stream) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield bytes.toString('utf8', from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
}

/** Returns about how many bytes a value takes. */
function weightOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  return Array.isArray(value) ? 16 * value.length : 8;
}
