/** A query's result as a table of a file: CSV for people and spreadsheets, NDJSON and Parquet with types. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createZstdDecompress } from 'node:zlib';
import {
  displayText,
  fromTypedJson,
  Node,
  Path,
  parseJson,
  Relationship,
  type ResultValue,
  type Value,
  writeJson,
} from '../../../value/index.ts';
import type { ExportOptions, RowSource } from '../api.ts';
import { OutputFile } from '../output-file.ts';
import { PropertyShape } from '../property-shape.ts';
import { weightOf } from './parquet.ts';
import { ParquetFile } from './parquet-file.ts';
import { parquetProperty } from './parquet-types.ts';
import { csvField } from './text.ts';

/** Told of the rows as they are written. */
type OnRows = (count: number) => void;

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
  output.text(`${columns.map((column) => csvField(column, delimiter)).join(delimiter)}\n`);
  for await (const batch of batches) {
    for (const row of batch)
      output.text(`${row.map((value) => (value === null ? '' : csvField(cellText(value), delimiter))).join(delimiter)}\n`);
    output.rows += batch.length;
    onRows(batch.length);
    await output.drained();
  }
}

function cellText(value: ResultValue): string {
  const isCompound =
    Array.isArray(value) ||
    value instanceof Map ||
    value instanceof Float32Array ||
    value instanceof Uint8Array ||
    value instanceof Node ||
    value instanceof Relationship ||
    value instanceof Path;
  return isCompound ? writeJson(value) : displayText(value);
}

async function writeNdjsonRows({ columns, batches }: RowSource, output: OutputFile, onRows: OnRows): Promise<void> {
  const keys = columns.map((column) => JSON.stringify(column));
  for await (const batch of batches) {
    for (const row of batch) output.text(`{${row.map((value, index) => `${keys[index]}:${writeJson(value, 'typed')}`).join(',')}}\n`);
    output.rows += batch.length;
    onRows(batch.length);
    await output.drained();
  }
}

/** The types of the columns are known only after the last row, so rows wait in a temporary file: the query runs once, and memory holds one row group. */
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
        waiting.text(`[${row.map((value) => writeJson(value, 'typed')).join(',')}]\n`);
      }
      onRows(batch.length);
      await waiting.drained();
    }
    await waiting.finish();
    const properties = columns.map((column, index) => parquetProperty(column, shapes[index]!, true));
    const file = new ParquetFile(output, properties);
    for await (const line of linesOf(createReadStream(spool).pipe(createZstdDecompress()))) {
      const row = (parseJson(line) as Value[]).map((value, index) =>
        value === null ? null : properties[index]!.convert(fromTypedJson(value)),
      );
      await file.row(
        row,
        row.reduce((sum: number, value) => sum + weightOf(value), 0),
      );
    }
    await file.finish();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ended by line feeds and nothing else: JSON text may hold other line ends of Unicode. */
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
