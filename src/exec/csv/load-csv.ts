/**
 * LOAD CSV: the rows of a file, lists of strings or, with headers, maps. The file is read in pieces as its rows are
 * asked for, and closed when they are left.
 */
import { type CsvRow, CsvRows, dialectOf } from '../../formats/index.ts';
import type { Value, ValueMap } from '../../value/index.ts';
import { type CsvSources, openCsv } from './csv-sources.ts';

/** The source of a LOAD CSV, and the account that it is charged to. */
export interface CsvSource {
  readonly sources: CsvSources;
  readonly url: string;
  readonly withHeaders: boolean;
  readonly terminator: string;
  readonly account: CsvAccount;
  readonly wait: CsvWait;
}

/** Waits for what comes from elsewhere, as `Pauses.during` does. */
export type CsvWait = (work: (signal: AbortSignal | undefined) => Promise<void>) => Generator<null, void, void>;

/** Where the work of reading is counted, and rows that are long are held. */
export interface CsvAccount {
  readonly limits: { count(steps: number): void; worked(steps: number): boolean };
  readonly memory: { hold(bytes: number): void };
}

/** Where the row that is worked on comes from: what `file()` and `linenumber()` answer. */
export interface CsvPlace {
  readonly url: string;
  readonly line: number;
}

const PIECE_BYTES = 64 * 1024;
/** Bytes that are decoded and parted in the time of a step: a shift. */
const BYTES_PER_STEP = 3;
/** A field: its place, its entry in a map with headers, and a text that points into the piece. */
const BYTES_PER_FIELD = 96;
/** Shorter rows are in the price of the row. */
const MANY_FIELDS = 64;

/** Rows; null wherever others may run, while bytes are on their way. */
export function* csvValues(source: CsvSource, onRow: (place: CsvPlace) => void): Generator<Value[] | ValueMap | null> {
  const { sources, url, withHeaders, terminator, account, wait } = source;
  const file = openCsv(url, sources);
  try {
    // A row may be as long as the file: in the middle of one others have their turn before the next piece is read.
    let isRestDue = false;
    const read = (target: Uint8Array): number | null => {
      const bytes = isRestDue ? null : file.read(target);
      if (bytes === null) return null;
      isRestDue = account.limits.worked(bytes >> BYTES_PER_STEP);
      account.memory.hold(bytes);
      return bytes;
    };
    const name = `cannot load ${JSON.stringify(url)}`;
    const rows = new CsvRows({ name, dialect: dialectOf(terminator), pieceBytes: PIECE_BYTES, read });
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

/** Fields that are not there are null; fields and columns beyond the headers are left out. */
function byHeader(headers: CsvRow, row: CsvRow): ValueMap {
  const map = new Map<string, Value>();
  headers.forEach((header, i) => {
    if (header !== null) map.set(header, row[i] ?? null);
  });
  return map;
}
