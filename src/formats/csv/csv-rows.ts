/** The rows of a CSV file, one after the other. A row is a list of text with as many fields as its line. */
import { isAscii, isUtf8 } from 'node:buffer';
import { GraphDBError } from '../../base/index.ts';
import { textStart } from '../source/byte-order-mark.ts';
import { LINE_FEED, LONGEST_ROW_BYTES, tooLongRow } from '../source/text-lines.ts';
import { CsvScanner } from './csv-scanner.ts';
import type { CsvDialect } from './dialect.ts';

/** A row; a field is null if it has no value. */
export type CsvRow = (string | null)[];

/** The options of rows of CSV. */
export interface CsvRowsOptions {
  /** The name of the file, for messages. */
  readonly name: string;
  readonly dialect: CsvDialect;
  /** The number of bytes that are read at a time; more where a row is longer. */
  readonly pieceBytes: number;
  /** Puts the next bytes of the file into `target`, and returns their number: 0 at the end, null if no bytes have arrived yet. */
  readonly read: (target: Uint8Array) => number | null;
  /** Counts steps of work on a long row, and tells whether `rows` should yield null so that others may run. */
  readonly worked: (steps: number) => boolean;
}

/** Bytes of a row whose scan counts as work of its own; shorter rows are part of the work of reading. */
const LONG_SCAN_BYTES = 2 ** 20;
/** Binary logarithm of the bytes scanned in the time of one step. */
const BYTES_PER_STEP = 3;
/** Fields of a row that are read in one go. */
const FIELDS_TOGETHER = 10_000;

/** Reads the rows of a CSV file. */
export class CsvRows {
  /** The line at which the last row begins, from 1. */
  line = 0;
  readonly #options: CsvRowsOptions;
  readonly #scanner: CsvScanner;
  /** `#bytes[#from] … #bytes[#to - 1]` are not scanned yet, and are followed by a line feed. */
  #bytes: Buffer = Buffer.alloc(1);
  #from = 0;
  #to = 0;
  /** The position before which all bytes are known to be UTF-8. */
  #checked = 0;
  #atEnd = false;

  constructor(options: CsvRowsOptions) {
    this.#options = options;
    this.#scanner = new CsvScanner(options.dialect, 'any');
  }

  /**
   * Yields the rows, and null whenever bytes have not arrived yet or `worked` asks for a rest.
   *
   * @throws ARGUMENT_ERROR at the first text that is not CSV in UTF-8
   */
  *rows(): Generator<CsvRow | null> {
    const scanner = this.#scanner;
    const { worked } = this.#options;
    scanner.startFile({ hasHeader: false });
    while (!this.#atEnd) {
      yield* this.#fill();
      while (this.#from < this.#to) {
        const next = scanner.scan(this.#bytes, this.#from, this.#to);
        const scanned = (next === this.#from ? this.#to : next) - this.#from;
        if (scanned > LONG_SCAN_BYTES && worked(scanned >> BYTES_PER_STEP)) yield null;
        if (next === this.#from) break;
        this.#from = next;
        const bad = scanner.malformed[0];
        const textOf = fieldReader(scanner);
        for (let row = 0; row < scanner.rows; row++) {
          this.line = scanner.lines[row]!;
          if (bad?.row === row) throw this.#fault(`${bad.reason} on line ${this.line}`);
          const fields: CsvRow = [];
          while (!addFields(fields, scanner, row, textOf)) if (worked(FIELDS_TOGETHER)) yield null;
          yield fields;
        }
      }
    }
    if (this.#from < this.#to) throw this.#fault(`a quote that is opened on line ${scanner.line} is not closed`);
  }

  /** Reads a piece behind the incomplete row, at least as long, so that a long row is scanned in time linear in its length. */
  *#fill(): Generator<null, void, void> {
    const { pieceBytes, name } = this.#options;
    const rest = this.#to - this.#from;
    if (rest > LONGEST_ROW_BYTES) throw tooLongRow(name);
    const isFirst = this.#bytes.length === 1;
    const previous = this.#bytes;
    const size = Math.max(pieceBytes, 2 * rest);
    // Room for the line feed at the end of the piece, and for one that the last line may lack.
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

/** Returns the position of the last character if it may continue after `to`, else `to`. */
function lastCharacterEnd(bytes: Buffer, from: number, to: number): number {
  for (let at = to - 1; at >= from && at >= to - 3; at--) {
    const byte = bytes[at]!;
    if (byte < 0x80) return to;
    if (byte >= 0xc0) return at;
  }
  return to;
}

/** Returns the text of the bytes between two places. Calls must come in the order of the places; one decoded text serves the block. */
type TextOf = (start: number, end: number) => string;

function fieldReader({ bytes, from, to }: CsvScanner): TextOf {
  if (!isAscii(bytes.subarray(from, to))) return unicodeReader(bytes, from, to);
  const text = bytes.toString('latin1', from, to);
  return (start, end) => text.slice(start - from, end - from);
}

function unicodeReader(bytes: Buffer, from: number, to: number): TextOf {
  const text = bytes.toString('utf8', from, to);
  let at = from;
  /** The number of UTF-16 units before `at`. */
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

/** Adds the next `FIELDS_TOGETHER` fields of a row at most, and returns whether the row is complete. */
function addFields(fields: CsvRow, { firsts, starts, ends }: CsvScanner, row: number, textOf: TextOf): boolean {
  const first = firsts![row]!;
  const count = firsts![row + 1]! - first;
  const until = Math.min(count, fields.length + FIELDS_TOGETHER);
  for (let i = fields.length; i < until; i++) {
    const start = starts[first + i]!;
    const end = ends[first + i]!;
    fields.push(start === end ? null : end < start ? '' : textOf(start, end));
  }
  return until === count;
}
