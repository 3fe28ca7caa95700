/**
 * LOAD CSV: yields the rows of a file, as lists of strings or, with headers, as maps. The file is read in pieces as
 * rows are requested, and closed when iteration ends.
 */
import { type CsvRow, CsvRows, dialectOf } from '../../formats/index.ts';
import type { Value, ValueMap } from '../../value/index.ts';
import { type CsvSources, openCsv } from './csv-sources.ts';

/** The URL and options of a LOAD CSV, and the account that is charged. */
export interface CsvSource {
  readonly sources: CsvSources;
  readonly url: string;
  readonly withHeaders: boolean;
  readonly terminator: string;
  readonly account: CsvAccount;
  readonly wait: CsvWait;
}

/** Waits for asynchronous work, as `Pauses.during` does. */
export type CsvWait = (work: (signal: AbortSignal | undefined) => Promise<void>) => Generator<null, void, void>;

/** The account on which the work of reading is counted, and long rows are held. */
export interface CsvAccount {
  readonly limits: { count(steps: number): void; worked(steps: number): boolean };
  readonly memory: { hold(bytes: number): void };
}

/** The position of the current row in its file, which `file()` and `linenumber()` return. */
export interface CsvPlace {
  readonly url: string;
  readonly line: number;
}

const PIECE_BYTES = 64 * 1024;
/** Binary logarithm of the bytes decoded and split in the time of one step. */
const BYTES_PER_STEP = 3;
/** Bytes for a field: its place, its entry in a map with headers, and a text that points into the piece. */
const BYTES_PER_FIELD = 96;
/** The most fields of a row that cost no extra steps and memory. */
const MANY_FIELDS = 64;

/**
 * Yields the rows of a file; null where other statements should run, and while bytes are arriving.
 *
 * @param onRow called with the position of each row before it is yielded
 */
export function* csvValues(source: CsvSource, onRow: (place: CsvPlace) => void): Generator<Value[] | ValueMap | null> {
  const { sources, url, withHeaders, terminator, account, wait } = source;
  const file = openCsv(url, sources);
  try {
    // A row may be as long as the file, so other statements may also run in the middle of a row, before the next piece.
    let isRestDue = false;
    const read = (target: Uint8Array): number | null => {
      const bytes = isRestDue ? null : file.read(target);
      if (bytes === null) return null;
      isRestDue = account.limits.worked(bytes >> BYTES_PER_STEP);
      account.memory.hold(bytes);
      return bytes;
    };
    const name = `cannot load ${JSON.stringify(url)}`;
    const worked = (steps: number): boolean => {
      isRestDue = account.limits.worked(steps);
      return isRestDue;
    };
    const rows = new CsvRows({ name, dialect: dialectOf(terminator), pieceBytes: PIECE_BYTES, read, worked });
    let headers: CsvRow | null = null;
    for (const row of rows.rows()) {
      if (row === null) {
        if (isRestDue) yield null;
        else yield* wait((signal) => file.more(signal));
        isRestDue = false;
        continue;
      }
      if (row.length > MANY_FIELDS) {
        account.limits.count(row.length);
        account.memory.hold(BYTES_PER_FIELD * row.length);
      }
      if (withHeaders && headers === null) headers = row;
      else {
        onRow({ url, line: rows.line });
        yield headers === null ? row : byHeader(headers, row);
      }
    }
  } finally {
    file.close();
  }
}

/** Makes a map of a row: missing fields are null; fields beyond the headers, or below an empty header, are left out. */
function byHeader(headers: CsvRow, row: CsvRow): ValueMap {
  const map = new Map<string, Value>();
  headers.forEach((header, i) => {
    if (header !== null) map.set(header, row[i] ?? null);
  });
  return map;
}
