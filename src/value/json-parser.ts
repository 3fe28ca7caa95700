/**
 * An exact JSON reader for request bodies and parameters. Unlike JSON.parse it keeps 64-bit integers exact: a number without fraction and
 * exponent is an Integer (ARGUMENT_ERROR beyond 64 bits), any other a Float (ARGUMENT_ERROR beyond a double). Arrays become lists, objects
 * Maps in the order of their members, of a name given twice the last counts. Text must be well formed Unicode. BAD_REQUEST names the place.
 *
 * It keeps its own stack, so that it can stop after so many characters, in the middle of a text or between two blanks,
 * and go on later: a large body is read in slices of the thread (`JsonReader.read`), a short text at once, by the same
 * code.
 */
import { GraphDBError } from '../base/index.ts';
import { argumentFault, quoted } from './faults.ts';
import { CHARGED_BYTES } from './large-values.ts';
import { integerOfDigits } from './number-text.ts';
import { makeFloat, makeInteger } from './numbers.ts';
import { assertWellFormed } from './strings.ts';
import type { Value, ValueMap } from './values.ts';

const MAX_DEPTH = 500;

/** Parses a text that is one JSON value. @throws as `JsonReader` */
export function parseJson(text: string): Value {
  const reader = new JsonReader(text);
  reader.read(Number.POSITIVE_INFINITY);
  return reader.value;
}

/** Parses the parameters of a statement: a JSON object, or `null` for none. @throws BAD_REQUEST for any other value */
export function parseJsonParameters(text: string): ValueMap {
  const value = parseJson(text);
  if (value === null) return new Map();
  if (!(value instanceof Map)) throw new GraphDBError('BAD_REQUEST', 'parameters must be a JSON object');
  return value;
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const DOT = 0x2e;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Integers of at most this many digits are exact as JavaScript numbers. */
const EXACT_DIGITS = 15;
/** The number of pieces at which those of a text with escapes are joined. */
const MOST_PIECES = 2_048;

/** The items of a piece of a long list. Lists are joined from pieces, since an array that grows leaves garbage of twice its length. */
const PIECE_ITEMS = 131_072;

/** The token that must come next. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** The options of reading JSON. */
export interface JsonReaderOptions {
  /** The members of the outermost object that are kept. Others are only checked, and their numbers may be out of range. Absent: all. */
  readonly names?: ReadonlySet<string>;
  /** The most bytes that the value may be charged, beyond which `read` throws MEMORY_LIMIT. Absent: no limit. */
  readonly maxBytes?: number;
}

/** Reads JSON exactly. */
export class JsonReader {
  /** The value of the text, once `read` has returned true. */
  value: Value = null;
  readonly #text: string;
  readonly #names: ReadonlySet<string> | null;
  readonly #maxBytes: number;
  /** Bytes that the value has been charged so far. */
  #bytes = 0;
  #at = 0;
  /** The offset at which the present call of `read` stops. */
  #stop = 0;
  #expected: Expected = 'value';
  /** The open containers, from the outermost to the innermost. */
  readonly #open: (Value[] | ValueMap)[] = [];
  /** For each open list in `#open`, its items before those in `#open`, in pieces; null if there are none. */
  readonly #pieces: (Value[][] | null)[] = [];
  readonly #keys: string[] = [];
  #key = '';
  /** True inside a member that is not kept, which must be JSON but makes no value. */
  #skips = false;
  /** The offset up to which the string that begins at `#at` has been scanned; 0 when no string has been begun. */
  #scanned = 0;
  /** The offset from which scanned characters of the string are in no piece yet. */
  #pieceStart = 0;
  /** The string before the last escape, in long and in short pieces. */
  #long: string[] = [];
  #short: string[] = [];

  /** Begins to read a text. @throws ARGUMENT_ERROR for text that is not well-formed Unicode */
  constructor(text: string, { names, maxBytes }: JsonReaderOptions = {}) {
    assertWellFormed(text, 'the JSON text');
    this.#text = text;
    this.#names = names ?? null;
    this.#maxBytes = maxBytes ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Reads about as many characters more. Returns true when the text is read to its end, and `value` is set.
   *
   * @throws BAD_REQUEST for text that is no JSON, ARGUMENT_ERROR for a number out of range, MEMORY_LIMIT
   */
  read(characters: number): boolean {
    // Bounded by the length of the text, so that the stop stays a small integer and comparisons with it are cheap.
    this.#stop = Math.min(this.#text.length + 1, Math.max(this.#at, this.#scanned) + characters);
    while (this.#skipSpace()) {
      switch (this.#expected) {
        case 'value':
          if (!this.#readValue()) return false;
          break;
        case 'value or end':
          if (this.#unit() === CLOSE_LIST) this.#close();
          else this.#expected = 'value';
          break;
        case 'key':
          if (!this.#readKey()) return false;
          break;
        case 'key or end':
          if (this.#unit() === CLOSE_MAP) this.#close();
          else this.#expected = 'key';
          break;
        case 'colon':
          if (this.#unit() !== COLON) throw this.#unexpected();
          this.#at++;
          if (this.#open.length === 1 && this.#names?.has(this.#key) === false) this.#skips = true;
          this.#expected = 'value';
          break;
        case 'comma or end':
          this.#readCommaOrEnd();
          break;
        case 'nothing':
          if (this.#at < this.#text.length) throw this.#unexpected();
          return true;
      }
      if (this.#bytes > this.#maxBytes) throw new GraphDBError('MEMORY_LIMIT', 'the parameters take more memory than a statement may use');
    }
    return false;
  }

  #unit(): number {
    return this.#text.charCodeAt(this.#at);
  }

  /** Skips blanks. Returns false if the stop came first, and true before another character or the end of the text. */
  #skipSpace(): boolean {
    const text = this.#text;
    const stop = this.#stop;
    let at = this.#at;
    for (; at < stop; at++) {
      const unit = text.charCodeAt(at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break;
    }
    this.#at = at;
    return at < stop;
  }

  /** Reads a scalar, or begins a container. Returns false if the stop came in the middle of a string. */
  #readValue(): boolean {
    switch (this.#unit()) {
      case OPEN_MAP:
        this.#begin(new Map(), 'key or end');
        return true;
      case OPEN_LIST:
        this.#begin([], 'value or end');
        return true;
      case QUOTE: {
        const text = this.#string();
        if (text === null) return false;
        this.#bytes += CHARGED_BYTES.text + text.length;
        this.#put(text);
        return true;
      }
      case 0x74:
        this.#put(this.#word('true', true));
        return true;
      case 0x66:
        this.#put(this.#word('false', false));
        return true;
      case 0x6e:
        this.#put(this.#word('null', null));
        return true;
      default:
        this.#put(this.#number());
        return true;
    }
  }

  #begin(container: Value[] | ValueMap, expected: Expected): void {
    if (this.#open.length === MAX_DEPTH) throw new GraphDBError('BAD_REQUEST', `the JSON text is nested more than ${MAX_DEPTH} deep`);
    this.#at++;
    this.#bytes += CHARGED_BYTES.container;
    this.#open.push(container);
    this.#pieces.push(null);
    this.#keys.push(this.#key);
    this.#expected = expected;
  }

  #close(): void {
    this.#at++;
    const container = this.#open.pop()!;
    const pieces = this.#pieces.pop()!;
    this.#key = this.#keys.pop()!;
    this.#put(pieces === null ? container : ([] as Value[]).concat(...pieces, container as Value[])); // as: only lists have pieces
  }

  /** Adds a value to the innermost container, or makes it the value of the text. */
  #put(value: Value): void {
    const { length } = this.#open;
    this.#expected = 'comma or end';
    if (length === 0) {
      this.value = value;
      this.#expected = 'nothing';
    } else if (!this.#skips) {
      const container = this.#open[length - 1]!;
      if (Array.isArray(container)) {
        this.#bytes += CHARGED_BYTES.item;
        container.push(value);
        if (container.length === PIECE_ITEMS) {
          this.#pieces[length - 1] = [...(this.#pieces[length - 1] ?? []), container];
          this.#open[length - 1] = [];
        }
      } else {
        this.#bytes += CHARGED_BYTES.entry;
        container.set(this.#key, value);
      }
    } else if (length === 1) this.#skips = false;
  }

  #readKey(): boolean {
    if (this.#unit() !== QUOTE) throw this.#unexpected();
    const key = this.#string();
    if (key === null) return false;
    this.#bytes += key.length;
    this.#key = key;
    this.#expected = 'colon';
    return true;
  }

  #readCommaOrEnd(): void {
    const isList = Array.isArray(this.#open[this.#open.length - 1]);
    const unit = this.#unit();
    if (unit === COMMA) {
      this.#at++;
      this.#expected = isList ? 'value' : 'key';
    } else if (unit === (isList ? CLOSE_LIST : CLOSE_MAP)) this.#close();
    else throw this.#unexpected();
  }

  /** Reads the string whose quote is at `#at`, from where scanning stopped the last time. Returns null if it has stopped again. */
  #string(): string | null {
    const text = this.#text;
    if (this.#scanned === 0) {
      this.#scanned = this.#at + 1;
      this.#pieceStart = this.#scanned;
    }
    let i = this.#scanned;
    while (i < this.#stop) {
      const unit = text.charCodeAt(i);
      if (unit === QUOTE) return this.#endString(i);
      if (unit === BACKSLASH) i = this.#escape(i);
      else if (unit >= 0x20) i++;
      else throw this.#fault('a string is not closed or holds a control character', this.#at);
    }
    this.#scanned = i;
    return null;
  }

  #endString(end: number): string {
    const piece = this.#text.slice(this.#pieceStart, end);
    this.#at = end + 1;
    this.#scanned = 0;
    if (this.#short.length === 0 && this.#long.length === 0) return piece;
    this.#short.push(piece);
    this.#long.push(this.#short.join(''));
    const string = this.#long.join('');
    this.#short = [];
    this.#long = [];
    if (!this.#skips) assertWellFormed(string, 'a string in the JSON text');
    return string;
  }

  /** Adds the characters before an escape and the one that it stands for as pieces. Returns the offset after the escape. */
  #escape(at: number): number {
    const text = this.#text;
    if (at > this.#pieceStart) this.#short.push(text.slice(this.#pieceStart, at));
    const letter = text[at + 1] ?? '';
    let end = at + 2;
    if (letter === 'u') {
      const digits = text.slice(end, end + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#fault('a \\u escape needs four hexadecimal digits', at);
      this.#short.push(String.fromCharCode(Number.parseInt(digits, 16)));
      end += 4;
    } else {
      const character = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
      if (character === undefined) throw this.#fault('unknown escape in a string', at);
      this.#short.push(character);
    }
    if (this.#short.length > MOST_PIECES) {
      this.#long.push(this.#short.join(''));
      this.#short = [];
    }
    this.#pieceStart = end;
    return end;
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected();
    this.#at += word.length;
    return value;
  }

  #number(): Value {
    const text = this.#text;
    const start = this.#at;
    const isNegative = text.charCodeAt(start) === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let number = 0;
    if (text.charCodeAt(at) === 0x30) at++;
    else {
      for (let digit = text.charCodeAt(at) - 0x30; digit >= 0 && digit <= 9; digit = text.charCodeAt(++at) - 0x30)
        number = number * 10 + digit;
    }
    if (at === first) throw this.#unexpected();
    const isFloat = this.#numberEnd(at);
    if (this.#skips) return null;
    this.#bytes += CHARGED_BYTES.number;
    if (isFloat) return floatOf(text.slice(start, this.#at));
    if (at - first <= EXACT_DIGITS) return isNegative ? 0 - number : number;
    return integerOf(text.slice(start, at));
  }

  /** Steps over the fraction and the exponent after the digits that end at `at`. Returns false if there is neither. */
  #numberEnd(at: number): boolean {
    let end = at;
    if (this.#text.charCodeAt(end) === DOT) end = this.#digitsEnd(end + 1) ?? end;
    if ((this.#text.charCodeAt(end) | 0x20) === 0x65) {
      const sign = this.#text[end + 1];
      end = this.#digitsEnd(end + (sign === '+' || sign === '-' ? 2 : 1)) ?? end;
    }
    this.#at = end;
    return end > at;
  }

  /** Returns the offset after the digits that begin at `start`; null if there are none. */
  #digitsEnd(start: number): number | null {
    let at = start;
    for (let unit = this.#text.charCodeAt(at); unit >= 0x30 && unit <= 0x39; unit = this.#text.charCodeAt(++at));
    return at === start ? null : at;
  }

  #unexpected(): GraphDBError {
    const found = this.#text[this.#at];
    return this.#fault(found === undefined ? 'it ends too early' : `unexpected ${JSON.stringify(found)}`);
  }

  #fault(problem: string, at: number = this.#at): GraphDBError {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    return new GraphDBError('BAD_REQUEST', `not JSON: ${problem} (line ${line}, column ${column})`);
  }
}

function integerOf(digits: string): Value {
  const value = integerOfDigits(digits);
  if (value === null) throw argumentFault(`the number ${quoted(digits)} does not fit into a 64-bit integer`, 'NumberOutOfRange');
  return makeInteger(value);
}

function floatOf(digits: string): Value {
  const value = Number(digits);
  if (!Number.isFinite(value)) throw argumentFault(`the number ${quoted(digits)} does not fit into a Float`, 'NumberOutOfRange');
  return makeFloat(value);
}
