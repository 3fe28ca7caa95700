/** LOAD CSV: the rows of a file, lists of strings or, with headers, maps. The file is read in pieces as its rows are asked for, and closed when they are left. */
import { closeSync, readSync } from 'node:fs';
import { GraphDBError } from '../../base/index.ts';
import { type CsvRow, CsvRows } from '../../formats/index.ts';
import type { Value } from '../../value/index.ts';
import { openInDirectory } from './csv-directory.ts';

export interface CsvSource {
  /** null: LOAD CSV is not allowed. */
  readonly directory: string | null;
  readonly url: string;
  readonly withHeaders: boolean;
  readonly terminator: string;
}

/** Where the row that is worked on comes from: what `file()` and `linenumber()` answer. */
export interface CsvPlace {
  readonly url: string;
  readonly line: number;
}

const PIECE_BYTES = 256 * 1024;

export function* csvValues(source: CsvSource, onRow: (place: CsvPlace) => void): Generator<Value> {
  const rows = new CsvRows(source.terminator);
  let headers: CsvRow | null = null;
  for (const row of rowsOf(source, rows)) {
    if (source.withHeaders && headers === null) headers = row;
    else {
      onRow({ url: source.url, line: rows.line });
      yield headers === null ? [...row] : byHeader(headers, row);
    }
  }
}

function* rowsOf({ directory, url }: CsvSource, rows: CsvRows): Generator<CsvRow> {
  const file = openInDirectory(directory, url);
  try {
    const piece = new Uint8Array(PIECE_BYTES);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const decode = (bytes?: Uint8Array): string => {
      try {
        return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
      } catch (error) {
        throw new GraphDBError('ARGUMENT_ERROR', `cannot load ${JSON.stringify(url)}: it is not text in UTF-8`, { cause: error });
      }
    };
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) yield* rows.add(decode(piece.subarray(0, read)));
    yield* rows.add(decode());
    yield* rows.end();
  } finally {
    closeSync(file);
  }
}

/** Fields that are not there are null; fields and columns beyond the headers are left out. */
function byHeader(headers: CsvRow, row: CsvRow): Value {
  const map = new Map<string, Value>();
  headers.forEach((header, i) => {
    if (header !== null) map.set(header, row[i] ?? null);
  });
  return map;
}
