/** The files of one `--nodes` or `--relationships` that share a header: the header is the first line of the first file. */

import { stat } from 'node:fs/promises';
import { GraphDBError } from '../base/index.ts';
import {
  ChunkBuffers,
  ChunkReader,
  type CsvDialect,
  CsvScanner,
  type FieldBlock,
  fieldText,
  openByteSource,
  READ_BYTES,
  unreadable,
} from '../formats/index.ts';

const HEADER_READ_BYTES = 64 * 1024;
const MOST_COLUMNS = 10_000;

/** The message for a quote that is never closed. */
export const OPEN_QUOTE = 'a quote is opened and not closed before the end of the file';

/** Returns the total bytes of files, as they are stored on disk. @throws ARGUMENT_ERROR for a file that does not exist */
export async function totalBytes(files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) {
    try {
      bytes += (await stat(file)).size;
    } catch (error) {
      throw unreadable(file, error);
    }
  }
  return bytes;
}

/** Reads the header of a file, and returns what `parse` makes of its fields. An ARGUMENT_ERROR of `parse` gets the place. */
export async function readHeader<T>(file: string, dialect: CsvDialect, parse: (fields: readonly string[]) => T | Promise<T>): Promise<T> {
  const reader = new ChunkReader(file, await openByteSource(file), new ChunkBuffers(HEADER_READ_BYTES));
  try {
    const fields = await headerFields(reader, dialect);
    return await parse(fields);
  } catch (error) {
    if (error instanceof GraphDBError && error.code === 'ARGUMENT_ERROR')
      throw new GraphDBError(error.code, `${file}:1: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await reader.close();
  }
}

async function headerFields(reader: ChunkReader, dialect: CsvDialect): Promise<readonly string[]> {
  const scanner = new CsvScanner(dialect, 'any', { mostRows: 1 });
  for (let consumed = 0; await reader.next(consumed); ) {
    consumed = scanner.scan(reader.bytes, reader.from, reader.to);
    if (scanner.rows === 0) continue;
    const [bad] = scanner.malformed;
    if (bad !== undefined) throw new GraphDBError('ARGUMENT_ERROR', `the header cannot be read: ${bad.reason}`);
    const columns = scanner.firsts![1]!;
    if (columns > MOST_COLUMNS) throw new GraphDBError('ARGUMENT_ERROR', `the header has more than ${MOST_COLUMNS} columns`);
    return Array.from({ length: columns }, (_, column) => fieldText(scanner, 0, column));
  }
  throw new GraphDBError('ARGUMENT_ERROR', 'there is no header line');
}

/** The options of reading rows. */
export interface ReadRowsOptions {
  readonly files: readonly string[];
  readonly dialect: CsvDialect;
  readonly columns: number;
  readonly integerColumns: readonly number[];
  /** Called for each block of rows, which the header line is not part of. */
  readonly onBlock: (block: FieldBlock, file: string) => void;
  /** Called and awaited after each piece of a file. @param bytes how many bytes of the file were read since the last call */
  readonly onPiece: (bytes: number) => Promise<void>;
  readonly onBadRow: (file: string, line: number, reason: string) => void;
}

/** Reads the rows of a group of files. */
export async function readRows(options: ReadRowsOptions): Promise<void> {
  const { files, dialect, columns, integerColumns } = options;
  const scanner = new CsvScanner(dialect, columns, { integerColumns });
  const buffers = new ChunkBuffers(READ_BYTES);
  for (const [index, file] of files.entries()) {
    const reader = new ChunkReader(file, await openByteSource(file), buffers);
    try {
      scanner.startFile({ hasHeader: index === 0 });
      await readFile(reader, { scanner, buffers }, file, options);
    } finally {
      await reader.close();
    }
  }
}

async function readFile(
  reader: ChunkReader,
  { scanner, buffers }: { readonly scanner: CsvScanner; readonly buffers: ChunkBuffers },
  file: string,
  { onBlock, onPiece, onBadRow }: ReadRowsOptions,
): Promise<void> {
  let position = 0;
  let consumed = 0;
  for (let before = reader.bytes; await reader.next(consumed); before = reader.bytes) {
    buffers.give(before);
    for (consumed = reader.from; consumed < reader.to; ) {
      const start = consumed;
      consumed = scanner.scan(reader.bytes, start, reader.to);
      if (consumed === start) break;
      onBlock(scanner, file);
    }
    await onPiece(reader.position - position);
    position = reader.position;
    if (!reader.atEnd) continue;
    if (consumed < reader.to) onBadRow(file, scanner.line, OPEN_QUOTE);
    return;
  }
}
