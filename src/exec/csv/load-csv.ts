/** LOAD CSV: the rows of a file, lists of strings or, with headers, maps. The file is read in pieces as its rows are asked for, and closed when they are left. */
import { closeSync, readSync } from 'node:fs';
import { type CsvRow, CsvRows, dialectOf } from '../../formats/index.ts';
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

export function* csvValues({ directory, url, withHeaders, terminator }: CsvSource, onRow: (place: CsvPlace) => void): Generator<Value> {
  const file = openInDirectory(directory, url);
  try {
    const read = (target: Uint8Array): number => readSync(file, target);
    const name = `cannot load ${JSON.stringify(url)}`;
    const rows = new CsvRows({ name, dialect: dialectOf(terminator), pieceBytes: PIECE_BYTES, read });
    let headers: CsvRow | null = null;
    for (const row of rows.rows()) {
      if (withHeaders && headers === null) headers = row;
      else {
        onRow({ url, line: rows.line });
        yield headers === null ? row : byHeader(headers, row);
      }
    }
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
