/** The rows of a file of CSV, one after the other: lists of text with as many fields as the line has. */
import { isAscii, isUtf8 } from 'node:buffer';
import { GraphDBError } from '../../base/index.ts';
import { textStart } from '../source/byte-order-mark.ts';
import { LINE_FEED, LONGEST_ROW_BYTES, tooLongRow } from '../source/text-lines.ts';
import { CsvScanner } from './csv-scanner.ts';
import type { CsvDialect } from './dialect.ts';

/** Null: no value. */
export type CsvRow = (string | null)[];

/** The options of rows of CSV. */
export interface CsvRowsOptions {
  /** Name of the file, for messages. */
  readonly name: string;
  readonly dialect: CsvDialect;
  /** So much is read at a time, and more where a row is longer. */
  readonly pieceBytes: number;
  /** Puts the next bytes of the file into `target`, and returns how many; 0: there are no more; null: they have not come yet. */
  readonly read: (target: Uint8Array) => number | null;
}

/** Reads the rows of a CSV file. */
export class CsvRows {
  /** At which the row given last begins, from 1. */
  line = 0;
  readonly #options: CsvRowsOptions;
  readonly #scanner: CsvScanner;
  /** `#bytes[#from] … #bytes[#to - 1]` are not scanned yet, and a line feed stands behind them. */
  #bytes: Buffer = Buffer.alloc(1);
  #from = 0;
  #to = 0;
  /** All before this place is known to be UTF-8. */
  #checked = 0;
  #atEnd = false;

  constructor(options: CsvRowsOptions) {
    this.#options = options;
    this.#scanner = new CsvScanner(options.dialect, 'any');
  }

  /** Null wherever bytes have not come yet. ARGUMENT_ERROR where the text is not CSV in UTF-8, after the rows before that place. */
  *rows(): Generator<CsvRow | null> {
    const scanner = this.#scanner;
    scanner.startFile({ hasHeader: false });
    while (!this.#atEnd) {
      yield* this.#fill();
      while (this.#from < this.#to) {
        const next = scanner.scan(this.#bytes, this.#from, this.#to);
        if (next === this.#from) break;
        this.#from = next;
        const bad = scanner.malformed[0];
        const textOf = fieldReader(scanner);
        for (let row = 0; row < scanner.rows; row++) {
          this.line = scanner.lines[row]!;
          if (bad?.row === row) throw this.#fault(`${bad.reason} on line ${this.line}`);
          yield fieldsOf(scanner, row, textOf);
        }
      }
    }
    if (this.#from < this.#to) throw this.#fault(`a quote that is opened on line ${scanner.line} is not closed`);
  }

  /** Reads a piece behind what is left: at least as many bytes, so that all looks at a long row are twice its bytes. */
  *#fill(): Generator<null, void, void> {
    const { pieceBytes, name } = this.#options;
    const rest = this.#to - this.#from;
    if (rest > LONGEST_ROW_BYTES) throw tooLongRow(name);
    const isFirst = this.#bytes.length === 1;
    const previous = this.#bytes;
    const size = Math.max(pieceBytes, 2 * rest);
    // A line feed for the end of the piece, and one that the last line may lack.
    if (previous.length !== size + 2) this.#bytes = Buffer.allocUnsafeSlow(size + 2);
    previous.copy(this.#bytes, 0, this.#from, this.#to);
    this.#checked -= this.#from;
    this.#from = 0;
    this.#to = rest;
    while (this.#to < size && !this.#atEnd) {
      const read = this.#options.read(this.#bytes.subarray(this.#to, size));
      if (read === null) yield null;
      this.#to += read ?? 0;
      this.#atEnd = read === 0;
    }
    if (isFirst) this.#from = textStart(name, this.#bytes, 0, this.#to);
    this.#check();
    if (this.#atEnd && this.#to > this.#from && this.#bytes[this.#to - 1] !== LINE_FEED) this.#bytes[this.#to++] = LINE_FEED;
    this.#bytes[this.#to] = LINE_FEED;
  }

  #check(): void {
    const to = this.#atEnd ? this.#to : lastCharacterEnd(this.#bytes, this.#checked, this.#to);
    if (!isUtf8(this.#bytes.subarray(this.#checked, to))) throw this.#fault('it is not text in UTF-8');
    this.#checked = to;
  }

  #fault(reason: string): GraphDBError {
    return new GraphDBError('ARGUMENT_ERROR', `${this.#options.name}: ${reason}`);
  }
}

/** Where the last character begins that may go on behind `to`; `to`: there is none. */
function lastCharacterEnd(bytes: Buffer, from: number, to: number): number {
  for (let at = to - 1; at >= from && at >= to - 3; at--) {
    const byte = bytes[at]!;
    if (byte < 0x80) return to;
    if (byte >= 0xc0) return at;
  }
  return to;
}

/** Text of the bytes between two places, each behind those before it. It is cut out of one text for the whole block. */
type TextOf = (start: number, end: number) => string;

function fieldReader({ bytes, from, to }: CsvScanner): TextOf {
  if (!isAscii(bytes.subarray(from, to))) return unicodeReader(bytes, from, to);
  const text = bytes.toString('latin1', from, to);
  return (start, end) => text.slice(start - from, end - from);
}

function unicodeReader(bytes: Buffer, from: number, to: number): TextOf {
  const text = bytes.toString('utf8', from, to);
  let at = from;
  /** Before `at`, as JavaScript counts them. */
  let characters = 0;
  const charactersBefore = (place: number): number => {
    for (; at < place; at++) {
      const byte = bytes[at]!;
      if (byte < 0x80) characters++;
      else if (byte >= 0xc0) characters += byte >= 0xf0 ? 2 : 1;
    }
    return characters;
  };
  return (start, end) => text.slice(charactersBefore(start), charactersBefore(end));
}

function fieldsOf({ firsts, starts, ends }: CsvScanner, row: number, textOf: TextOf): CsvRow {
  const first = firsts![row]!;
  const count = firsts![row + 1]! - first;
  const fields: CsvRow = [];
  for (let i = 0; i < count; i++) {
    const start = starts[first + i]!;
    const end = ends[first + i]!;
    fields.push(start === end ? null : end < start ? '' : textOf(start, end));
  }
  return fields;
}
