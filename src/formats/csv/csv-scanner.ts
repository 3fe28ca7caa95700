/**
 * The scanner that all readers of CSV share: finds rows and fields in bytes by the rules of dialect.ts, and reads the
 * numbers of integer columns on the way, in about 1.5 ns a byte.
 *
 * - A row that is not complete is left for the next call with more bytes. The caller doubles the bytes each time, so
 *   that each byte of a long row is scanned a few times only. Doubled quotes become single in place, once the row is
 *   complete.
 * - Most rows have no quotes and as many fields as the row before: one loop reads all of these, other rows are read
 *   singly.
 */

import { holdsBytesAt } from '../../base/index.ts';
import type { MalformedRow } from '../malformed-row.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../source/text-lines.ts';
import type { CsvDialect } from './dialect.ts';
import type { FieldBlock } from './field-block.ts';

const BLOCK_FIELDS = 32_768;
const MOST_ROWS = 8_192;
const FEWEST_ROWS = 64;
const ZERO = 48;
const NINE = 57;
const MINUS = 45;
/** The most digits of an integer that a Float64 surely holds exactly. */
const SAFE_DIGITS = 15;
/** Multipliers and masks for four bytes at once. */
const EACH_BYTE = 0x0101_0101;
const TOP_BITS = 0x8080_8080;
/** The first character beyond line feed and carriage return; few other characters are below it. */
const FIRST_BEYOND_LINE_ENDS = 14;
const HIGH_HALVES = 0xf0f0_f0f0;

/**
 * The number of fields in a row.
 * - A number: the fields of a header, each with its meaning and type. A row with more or fewer is malformed, since in a
 *   typed file it is more likely cut or shifted than intended.
 * - `any`: rows are lists as long as their lines, as in Neo4j's LOAD CSV, and the first line is a row too. No row is
 *   malformed for its length.
 */
export type FieldsPerRow = number | 'any';

/** The options of a scanner. */
export interface ScannerOptions {
  readonly mostRows?: number;
  /** Columns of integers, whose values are read while scanning. */
  readonly integerColumns?: readonly number[];
}

/** Scans bytes of CSV for rows and fields. */
export class CsvScanner implements FieldBlock {
  bytes: Buffer = Buffer.alloc(0);
  from = 0;
  to = 0;
  /** The number of columns; 0 if rows may have any number of fields: field c of row r is then at `firsts[r] + c`. */
  readonly columns: number;
  /**
   * For each row, and for the end of the last row, the index of its first field in `starts` and `ends`. Null where all
   * rows have the same number of fields.
   */
  readonly firsts: Int32Array | null;
  firstRow = 0;
  rows = 0;
  starts: Int32Array;
  ends: Int32Array;
  readonly integers: Float64Array | null;
  readonly lines: Float64Array;
  malformed: MalformedRow[] = [];
  readonly #capacity: number;
  /** The number of fields in the block so far. */
  #fields = 0;
  /** The number of fields of a plain row. */
  #expected: number;
  /** True if the row before had this number, so that it is worthwhile to look for plain rows. */
  #isSteady = true;
  /** 1 for each column in which integers are expected; at least as long as a plain row. */
  #expectsInteger: Uint8Array;
  readonly #delimiter: Uint8Array;
  readonly #quote: number;
  /** The line at which the next row begins. */
  #line = 1;
  /** State of the row being scanned: the line ends within quotes, and the indexes in `starts` of fields with doubled quotes. */
  #innerLines = 0;
  #doubled: number[] = [];
  #textAfterQuote = false;
  #headerAhead = false;

  constructor({ delimiter, quote }: CsvDialect, fields: FieldsPerRow, { mostRows = MOST_ROWS, integerColumns = [] }: ScannerOptions = {}) {
    const columns = fields === 'any' ? 0 : fields;
    this.columns = columns;
    this.#expected = Math.max(1, columns);
    this.#expectsInteger = new Uint8Array(this.#expected);
    if (![...delimiter, quote].some(isPartOfInteger)) for (const column of integerColumns) this.#expectsInteger[column] = 1;
    this.#delimiter = delimiter;
    this.#quote = quote;
    this.#capacity = columns === 0 ? mostRows : Math.min(mostRows, Math.max(FEWEST_ROWS, Math.floor(BLOCK_FIELDS / columns)));
    this.firsts = columns === 0 ? new Int32Array(this.#capacity + 1) : null;
    const capacity = columns === 0 ? BLOCK_FIELDS : this.#capacity * columns;
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    // Fields of all other columns stay NaN.
    this.integers = this.#expectsInteger.includes(1) ? new Float64Array(capacity).fill(Number.NaN) : null;
    this.lines = new Float64Array(this.#capacity);
  }

  get line(): number {
    return this.#line;
  }

  /** Resets the line count; to be called before the first row of each file. */
  startFile({ hasHeader }: { readonly hasHeader: boolean }): void {
    this.#line = 1;
    this.#headerAhead = hasHeader;
  }

  /**
   * Scans rows from `from` until the block is full or the next row is not complete. `bytes[to]` must be a line feed
   * that is not part of the text.
   * @returns where the next row begins
   */
  scan(bytes: Buffer, from: number, to: number): number {
    this.bytes = bytes;
    this.from = from;
    this.rows = 0;
    this.#fields = 0;
    this.malformed = [];
    let at = from;
    while (this.rows < this.#capacity && at < to) {
      if (this.#isSteady && bytes[at] !== this.#quote && this.#delimiter.length === 1) at = this.#scanPlainRows(at, to);
      if (this.rows === this.#capacity || at === to) break;
      this.integers?.fill(Number.NaN, this.#fields, this.#fields + this.columns);
      const next = this.#scanRow(at, to);
      if (next < 0) break;
      at = next;
    }
    this.to = at;
    if (this.firsts !== null) this.firsts[this.rows] = this.#fields;
    this.firstRow = this.#headerAhead && this.rows > 0 ? 1 : 0;
    if (this.rows > 0) this.#headerAhead = false;
    return at;
  }

  /**
   * Scans rows without quotes that have the expected number of fields.
   * @returns where the first row begins that is not like that, or may not be complete
   */
  #scanPlainRows(from: number, to: number): number {
    const { bytes, firsts, starts, ends, integers, lines } = this;
    const columns = this.#expected;
    const expectsInteger = this.#expectsInteger;
    const delimiter = this.#delimiter[0]!;
    const quote = this.#quote;
    const capacity = Math.min(this.#capacity, this.rows + Math.floor((starts.length - this.#fields) / columns));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const zeros = ZERO * EACH_BYTE;
    const delimiters = delimiter * EACH_BYTE;
    const beyondLineEnds = FIRST_BEYOND_LINE_ENDS * EACH_BYTE;
    /** The last position at which four bytes can be read at once. */
    const fourTo = to - 4;
    const last = columns - 1;
    let row = this.rows;
    let line = this.#line;
    let rowStart = from;
    let first = this.#fields;
    rows: for (; row < capacity && rowStart < to; row++) {
      let at = rowStart;
      let field = first;
      for (let column = 0; column < columns; column++, field++) {
        const separator = column === last ? LINE_FEED : delimiter;
        const start = at;
        let byte = bytes[at]!;
        if (expectsInteger[column] === 1) {
          const isNegative = byte === MINUS;
          if (isNegative) byte = bytes[++at]!;
          const firstDigit = at;
          let value = 0;
          for (let fours = 0; fours < 3 && at <= fourTo; fours++, at += 4) {
            const digits = view.getInt32(at, true) ^ zeros;
            if (((digits | (digits + 6 * EACH_BYTE)) & HIGH_HALVES) !== 0) break;
            const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff_00ff;
            value = 10_000 * value + 100 * (pairs & 0xff) + (pairs >>> 16);
          }
          byte = bytes[at]!;
          for (const end = firstDigit + SAFE_DIGITS; byte >= ZERO && byte <= NINE && at < end; byte = bytes[++at]!)
            value = 10 * value + (byte - ZERO);
          const isWhole = at > firstDigit && (byte === separator || (byte === CARRIAGE_RETURN && column === last));
          integers![field] = isWhole ? (isNegative ? 0 - value : value) : Number.NaN;
        }
        if (at === start && byte === quote) break rows;
        if (byte !== separator) {
          for (; at <= fourTo; at += 4) {
            const four = view.getInt32(at, true);
            const toDelimiter = four ^ delimiters;
            // Some byte is the delimiter, or may be a line end.
            if ((((toDelimiter - EACH_BYTE) & ~toDelimiter) | ((four - beyondLineEnds) & ~four)) & TOP_BITS) break;
          }
          byte = bytes[at]!;
          while (byte !== delimiter && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) byte = bytes[++at]!;
        }
        starts[field] = start;
        ends[field] = at;
        if (byte === CARRIAGE_RETURN && column === last) {
          byte = LINE_FEED;
          if (bytes[at + 1] === LINE_FEED) at++;
        }
        if (byte !== separator || at === to) break rows;
        at++;
      }
      // An empty line is no row.
      if (columns === 1 && starts[first] === ends[first]) break;
      lines[row] = line++;
      if (firsts !== null) firsts[row] = first;
      first = field;
      rowStart = at;
    }
    this.rows = row;
    this.#fields = first;
    this.#line = line;
    return rowStart;
  }

  /** Scans one row. @returns where the next row begins, -1 when this row is not complete or has no room in the block */
  #scanRow(rowStart: number, to: number): number {
    const { bytes, columns } = this;
    const quote = this.#quote;
    const width = this.#delimiter.length;
    const first = this.#fields;
    const limit = columns === 0 ? Number.POSITIVE_INFINITY : first + columns;
    let field = first;
    let at = rowStart;
    for (;;) {
      let start = at;
      let end: number;
      if (bytes[at] === quote && at < to) {
        at = this.#scanQuoted(at, to, field < limit ? field : -1);
        if (at < 0) return this.#leaveRow();
        start++;
        end = at - 1;
        if (end === start) end--;
        const afterQuote = at;
        at = this.#fieldEnd(at);
        if (at > afterQuote) this.#textAfterQuote = true;
      } else {
        at = this.#fieldEnd(at);
        end = at;
      }
      if (at === to) return this.#leaveRow();
      if (field < limit) {
        if (field === this.starts.length) {
          if (first > 0) return this.#leaveRow();
          this.#growFields();
        }
        this.starts[field] = start;
        this.ends[field] = end;
      }
      field++;
      const byte = bytes[at];
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) break;
      at += width;
    }
    if (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED && ++at === to) return this.#leaveRow();
    this.#finishRow(field - first, field === first + 1 && this.ends[first] === this.starts[first]);
    return at + 1;
  }

  /** Returns the position of the delimiter or line end that ends the field which continues at `from`. */
  #fieldEnd(from: number): number {
    const { bytes } = this;
    const delimiter = this.#delimiter[0];
    const isWide = this.#delimiter.length > 1;
    for (let at = from; ; at++) {
      const byte = bytes[at];
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return at;
      if (byte === delimiter && (!isWide || holdsBytesAt(bytes, at, this.#delimiter))) return at;
    }
  }

  #growFields(): void {
    const { starts, ends } = this;
    this.starts = new Int32Array(2 * starts.length);
    this.ends = new Int32Array(2 * ends.length);
    this.starts.set(starts);
    this.ends.set(ends);
  }

  /**
   * Scans a quoted field. @param field in which doubled quotes are to be made single; -1 for none
   * @returns the position after the closing quote, -1 when the quote is not closed
   */
  #scanQuoted(open: number, to: number, field: number): number {
    const { bytes } = this;
    const quote = this.#quote;
    let doubled = false;
    let at = open + 1;
    for (; at < to; at++) {
      const byte = bytes[at];
      if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED)) this.#innerLines++;
      if (byte !== quote) continue;
      if (bytes[at + 1] !== quote) break;
      doubled = true;
      at++;
    }
    if (at >= to) return -1;
    if (doubled && field >= 0) this.#doubled.push(field);
    return at + 1;
  }

  #leaveRow(): number {
    this.#innerLines = 0;
    if (this.#doubled.length > 0) this.#doubled = [];
    this.#textAfterQuote = false;
    return -1;
  }

  #finishRow(fields: number, empty: boolean): void {
    const { columns, rows, firsts } = this;
    const first = this.#fields;
    this.lines[rows] = this.#line;
    this.#line += 1 + this.#innerLines;
    if (!empty) {
      for (const field of this.#doubled) this.#unescapeQuotes(field);
      if (this.#textAfterQuote) this.malformed.push({ row: rows, reason: 'there is text after a closing quote' });
      else if (columns > 0 && fields !== columns) {
        this.malformed.push({ row: rows, reason: `${fields} fields where the header has ${columns}` });
      }
      this.#isSteady = fields === this.#expected;
      if (firsts !== null) {
        firsts[rows] = first;
        this.#expected = fields;
        if (fields > this.#expectsInteger.length) this.#expectsInteger = new Uint8Array(2 * fields);
      }
      this.#fields = first + this.#expected;
      this.rows++;
    }
    this.#leaveRow();
  }

  #unescapeQuotes(field: number): void {
    const { bytes } = this;
    const end = this.ends[field]!;
    let to = this.starts[field]!;
    for (let from = to; from < end; from++) {
      const byte = bytes[from]!;
      bytes[to++] = byte;
      if (byte === this.#quote) from++;
    }
    this.ends[field] = to;
    // The rest is filled with whole characters, so that the bytes of a block stay UTF-8.
    bytes.fill(this.#quote, to, end);
  }
}

function isPartOfInteger(byte: number): boolean {
  return byte === MINUS || (byte >= ZERO && byte <= NINE);
}
