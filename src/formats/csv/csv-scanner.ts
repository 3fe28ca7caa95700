/**
 * Finds rows and fields in bytes (RFC 4180, with any ASCII delimiter and quote), and reads the numbers of columns of integers on the way: about 1.5 ns a byte.
 *
 * - A field that begins with the quote ends with the next single one; it may hold delimiters, line ends and doubled quotes. A quote elsewhere is text.
 * - Lines end with LF or CRLF. Empty lines are skipped.
 * - A row that is not complete is left for the next call, which then has more bytes. Doubled quotes are made single in the bytes themselves, once the row
 *   is complete.
 * - Most rows have no quotes, and as many fields as the header: one loop reads these, one after the other. What is not like that is read by itself.
 */

import type { MalformedRow } from '../malformed-row.ts';
import { CARRIAGE_RETURN, type CsvDialect, LINE_FEED } from './dialect.ts';
import type { FieldBlock } from './field-block.ts';

const BLOCK_FIELDS = 32_768;
const MOST_ROWS = 8_192;
const FEWEST_ROWS = 64;
const ZERO = 48;
const NINE = 57;
const MINUS = 45;
/** As a Float64 holds them. */
const SAFE_DIGITS = 15;
/** For four bytes at once. */
const EACH_BYTE = 0x0101_0101;
const TOP_BITS = 0x8080_8080;
const HIGH_HALVES = 0xf0f0_f0f0;

export interface ScannerOptions {
  readonly mostRows?: number;
  /** What these hold is read on the way. */
  readonly integerColumns?: readonly number[];
}

export class CsvScanner implements FieldBlock {
  bytes: Buffer = Buffer.alloc(0);
  from = 0;
  to = 0;
  readonly columns: number;
  firstRow = 0;
  rows = 0;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly integers: Float64Array | null;
  readonly lines: Float64Array;
  malformed: MalformedRow[] = [];
  /** Of the row scanned last. */
  fieldCount = 0;
  readonly #capacity: number;
  /** By column: 1 where integers are expected. */
  readonly #expectsInteger: Uint8Array;
  readonly #delimiter: number;
  readonly #quote: number;
  /** The line at which the next row begins. */
  #line = 1;
  /** Of the row being scanned: line ends within quotes; positions in `starts` of fields with doubled quotes. */
  #innerLines = 0;
  #doubled: number[] = [];
  #textAfterQuote = false;
  #headerAhead = false;

  constructor({ delimiter, quote }: CsvDialect, columns: number, { mostRows = MOST_ROWS, integerColumns = [] }: ScannerOptions = {}) {
    this.columns = columns;
    this.#expectsInteger = new Uint8Array(columns);
    if (![delimiter, quote].some(isPartOfInteger)) for (const column of integerColumns) this.#expectsInteger[column] = 1;
    this.#delimiter = delimiter;
    this.#quote = quote;
    this.#capacity = Math.min(mostRows, Math.max(FEWEST_ROWS, Math.floor(BLOCK_FIELDS / columns)));
    this.starts = new Int32Array(this.#capacity * columns);
    this.ends = new Int32Array(this.#capacity * columns);
    // What no column expects stays NaN.
    this.integers = this.#expectsInteger.includes(1) ? new Float64Array(this.#capacity * columns).fill(Number.NaN) : null;
    this.lines = new Float64Array(this.#capacity);
  }

  get line(): number {
    return this.#line;
  }

  /** Before the first row of another file. */
  startFile({ hasHeader }: { readonly hasHeader: boolean }): void {
    this.#line = 1;
    this.#headerAhead = hasHeader;
  }

  /**
   * Scans rows from `from` until the block is full or the row that begins there is not complete.
   * `bytes[to]` must be a line feed that is not part of the text.
   * @returns where the next row begins
   */
  scan(bytes: Buffer, from: number, to: number): number {
    this.bytes = bytes;
    this.from = from;
    this.rows = 0;
    this.malformed = [];
    let at = from;
    while (this.rows < this.#capacity && at < to) {
      at = this.#scanPlainRows(at, to);
      if (this.rows === this.#capacity || at === to) break;
      this.integers?.fill(Number.NaN, this.rows * this.columns, (this.rows + 1) * this.columns);
      const next = this.#scanRow(at, to);
      if (next < 0) break;
      at = next;
    }
    this.to = at;
    this.firstRow = this.#headerAhead && this.rows > 0 ? 1 : 0;
    if (this.rows > 0) this.#headerAhead = false;
    return at;
  }

  /**
   * Rows without quotes that have all their fields.
   * @returns where the first row begins that is not like that, or may not be complete
   */
  #scanPlainRows(from: number, to: number): number {
    const { bytes, columns, starts, ends, integers, lines } = this;
    const expectsInteger = this.#expectsInteger;
    const delimiter = this.#delimiter;
    const quote = this.#quote;
    const capacity = this.#capacity;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const zeros = ZERO * EACH_BYTE;
    const delimiters = delimiter * EACH_BYTE;
    const lineFeeds = LINE_FEED * EACH_BYTE;
    /** Up to there four bytes can be read at once. */
    const fourTo = to - 4;
    const last = columns - 1;
    let row = this.rows;
    let line = this.#line;
    let rowStart = from;
    rows: for (; row < capacity && rowStart < to; row++) {
      let at = rowStart;
      let field = row * columns;
      for (let column = 0; column < columns; column++, field++) {
        const separator = column === last ? LINE_FEED : delimiter;
        const start = at;
        let byte = bytes[at]!;
        if (expectsInteger[column] === 1) {
          const isNegative = byte === MINUS;
          if (isNegative) byte = bytes[++at]!;
          const first = at;
          let value = 0;
          for (let fours = 0; fours < 3 && at <= fourTo; fours++, at += 4) {
            const digits = view.getInt32(at, true) ^ zeros;
            if (((digits | (digits + 6 * EACH_BYTE)) & HIGH_HALVES) !== 0) break;
            const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff_00ff;
            value = 10_000 * value + 100 * (pairs & 0xff) + (pairs >>> 16);
          }
          byte = bytes[at]!;
          for (const end = first + SAFE_DIGITS; byte >= ZERO && byte <= NINE && at < end; byte = bytes[++at]!)
            value = 10 * value + (byte - ZERO);
          const hasDigits = at > first;
          if (byte === CARRIAGE_RETURN && separator === LINE_FEED) byte = bytes[++at]!;
          integers![field] = hasDigits && byte === separator ? (isNegative ? 0 - value : value) : Number.NaN;
        }
        if (at === start && byte === quote) break rows;
        if (byte !== separator) {
          for (; at <= fourTo; at += 4) {
            const four = view.getInt32(at, true);
            const toDelimiter = four ^ delimiters;
            const toLineFeed = four ^ lineFeeds;
            // Some byte of them is 0.
            if ((((toDelimiter - EACH_BYTE) & ~toDelimiter) | ((toLineFeed - EACH_BYTE) & ~toLineFeed)) & TOP_BITS) break;
          }
          byte = bytes[at]!;
          while (byte !== delimiter && byte !== LINE_FEED) byte = bytes[++at]!;
        }
        if (byte !== separator || at === to) break rows;
        starts[field] = start;
        ends[field] = column === last && at > start && bytes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
        at++;
      }
      // An empty line is no row.
      if (columns === 1 && starts[row] === ends[row]) break;
      lines[row] = line++;
      rowStart = at;
    }
    if (row > this.rows) this.fieldCount = columns;
    this.rows = row;
    this.#line = line;
    return rowStart;
  }

  /** @returns where the next row begins, -1 when this one is not complete */
  #scanRow(rowStart: number, to: number): number {
    const { bytes, columns, starts, ends } = this;
    const delimiter = this.#delimiter;
    const quote = this.#quote;
    const first = this.rows * columns;
    const limit = first + columns;
    let field = first;
    let at = rowStart;
    let end: number;
    for (;;) {
      let start = at;
      let byte = bytes[at]!;
      if (byte === quote && at < to) {
        at = this.#scanQuoted(at, to, field);
        if (at < 0) return this.#leaveRow();
        start++;
        end = at - 1;
        if (end === start) end--;
        byte = bytes[at]!;
        if (byte === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED && at + 1 < to) byte = bytes[++at]!;
        if (byte !== delimiter && byte !== LINE_FEED) {
          this.#textAfterQuote = true;
          while ((byte = bytes[at]!) !== delimiter && byte !== LINE_FEED) at++;
        }
      } else {
        while (byte !== delimiter && byte !== LINE_FEED) byte = bytes[++at]!;
        end = byte === LINE_FEED && at > start && bytes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
      }
      if (at === to) return this.#leaveRow();
      if (field < limit) {
        starts[field] = start;
        ends[field] = end;
      }
      field++;
      at++;
      if (byte === LINE_FEED) break;
    }
    this.#finishRow(field - first, field === first + 1 && ends[first] === starts[first]);
    return at;
  }

  /** @returns the position after the closing quote, -1 when it is not there */
  #scanQuoted(open: number, to: number, field: number): number {
    const { bytes } = this;
    const quote = this.#quote;
    let doubled = false;
    let at = open + 1;
    for (; at < to; at++) {
      const byte = bytes[at];
      if (byte === LINE_FEED) this.#innerLines++;
      if (byte !== quote) continue;
      if (bytes[at + 1] !== quote) break;
      doubled = true;
      at++;
    }
    if (at >= to) return -1;
    if (doubled && field < (this.rows + 1) * this.columns) this.#doubled.push(field);
    return at + 1;
  }

  #leaveRow(): number {
    this.#innerLines = 0;
    this.#doubled = [];
    this.#textAfterQuote = false;
    return -1;
  }

  #finishRow(fields: number, empty: boolean): void {
    const row = this.rows;
    this.fieldCount = fields;
    this.lines[row] = this.#line++;
    if (fields === this.columns && this.#innerLines === 0 && !this.#textAfterQuote && this.#doubled.length === 0 && !empty) {
      this.rows++;
      return;
    }
    this.#line += this.#innerLines;
    if (!empty) {
      for (const field of this.#doubled) this.#undouble(field);
      if (this.#textAfterQuote) this.malformed.push({ row, reason: 'there is text after a closing quote' });
      else if (fields !== this.columns) this.malformed.push({ row, reason: `${fields} fields where the header has ${this.columns}` });
      this.rows++;
    }
    this.#leaveRow();
  }

  #undouble(field: number): void {
    const { bytes } = this;
    const end = this.ends[field]!;
    let to = this.starts[field]!;
    for (let from = to; from < end; from++) {
      const byte = bytes[from]!;
      bytes[to++] = byte;
      if (byte === this.#quote) from++;
    }
    this.ends[field] = to;
  }
}

function isPartOfInteger(byte: number): boolean {
  return byte === MINUS || (byte >= ZERO && byte <= NINE);
}
