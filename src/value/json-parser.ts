/**
 * An exact JSON parser for request bodies and parameters. Unlike JSON.parse it keeps 64-bit integers exact: a number without fraction and
 * exponent is an Integer (ARGUMENT_ERROR beyond 64 bits), any other a Float (ARGUMENT_ERROR beyond a double). Arrays become lists, objects
 * Maps in the order of their members, of a name given twice the last counts. Text must be well formed Unicode. BAD_REQUEST names the place.
 */
import { GraphDBError } from '../base/index.ts';
import { argumentFault, quoted } from './faults.ts';
import { integerOfDigits } from './number-text.ts';
import { makeFloat, makeInteger } from './numbers.ts';
import { assertWellFormed } from './strings.ts';
import type { Value, ValueMap } from './values.ts';

const MAX_DEPTH = 500;

/** The one value of a JSON text. */
export function parseJson(text: string): Value {
  assertWellFormed(text, 'the JSON text');
  return new JsonParser(text).parse();
}

/** The members of the JSON object that have these names; null: the text is something else than an object. Others are read over, and may hold numbers beyond every range. */
export function parseJsonMembers(text: string, names: ReadonlySet<string>): ValueMap | null {
  assertWellFormed(text, 'the JSON text');
  const value = new JsonParser(text, names).parse();
  return value instanceof Map ? value : null;
}

/** The parameters of a statement: a JSON object, or nothing for `null`. */
export function parseJsonParameters(text: string): ValueMap {
  const value = parseJson(text);
  if (value === null) return new Map();
  if (!(value instanceof Map)) throw new GraphDBError('BAD_REQUEST', 'parameters must be a JSON object');
  return value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

class JsonParser {
  readonly #text: string;
  /** Of the outermost object; null: all. */
  readonly #names: ReadonlySet<string> | null;
  /** What is read is not kept: it must be JSON, not a value. */
  #skips = false;
  #at = 0;

  constructor(text: string, names: ReadonlySet<string> | null = null) {
    this.#text = text;
    this.#names = names;
  }

  parse(): Value {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  #value(depth: number): Value {
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth + 1);
      case '[':
        return this.#array(depth + 1);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): ValueMap {
    const map: ValueMap = new Map();
    if (!this.#open(depth, '}')) return map;
    for (;;) {
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== QUOTE) throw this.#unexpected();
      const key = this.#string();
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== COLON) throw this.#unexpected();
      this.#at++;
      if (depth === 1 && this.#names?.has(key) === false) this.#skip(depth);
      else map.set(key, this.#value(depth));
      if (!this.#goesOn('}')) return map;
    }
  }

  #skip(depth: number): void {
    this.#skips = true;
    this.#value(depth);
    this.#skips = false;
  }

  #array(depth: number): Value[] {
    const list: Value[] = [];
    if (!this.#open(depth, ']')) return list;
    for (;;) {
      list.push(this.#value(depth));
      if (!this.#goesOn(']')) return list;
    }
  }

  /** Steps over the opening bracket; false when the closing one follows at once. */
  #open(depth: number, close: string): boolean {
    if (depth > MAX_DEPTH) throw new GraphDBError('BAD_REQUEST', `the JSON text is nested more than ${MAX_DEPTH} deep`);
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] !== close) return true;
    this.#at++;
    return false;
  }

  /** Steps over a comma (true) or the closing bracket (false). */
  #goesOn(close: string): boolean {
    this.#skipSpace();
    const comma = this.#text.charCodeAt(this.#at) === COMMA;
    if (!comma && this.#text[this.#at] !== close) throw this.#unexpected();
    this.#at++;
    return comma;
  }

  #string(): string {
    const text = this.#text;
    const start = ++this.#at;
    for (let i = start; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === QUOTE) {
        this.#at = i + 1;
        return text.slice(start, i);
      }
      if (unit === BACKSLASH) return this.#escapedString(start, i);
      if (unit < 0x20) break;
    }
    throw this.#fault('a string is not closed or holds a control character', start - 1);
  }

  #escapedString(start: number, firstEscape: number): string {
    let result = this.#text.slice(start, firstEscape);
    this.#at = firstEscape;
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) {
        result += this.#escape();
      } else {
        if (!(unit >= 0x20)) throw this.#fault('a string is not closed or holds a control character', start - 1);
        result += this.#text[this.#at++];
      }
    }
    this.#at++;
    if (!this.#skips) assertWellFormed(result, 'a string in the JSON text');
    return result;
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? '';
    if (letter === 'u') {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#fault('a \\u escape needs four hexadecimal digits');
      this.#at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (character === undefined) throw this.#fault('unknown escape in a string');
    this.#at += 2;
    return character;
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected();
    this.#at += word.length;
    return value;
  }

  #number(): Value {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) throw this.#unexpected();
    this.#at += match[0].length;
    if (this.#skips) return null;
    return match[1] === undefined && match[2] === undefined ? integerOf(match[0]) : floatOf(match[0]);
  }

  #skipSpace(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at++;
    }
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
  if (digits.length < 16) return Number(digits) + 0;
  const value = integerOfDigits(digits);
  if (value === null) throw argumentFault(`the number ${quoted(digits)} does not fit into a 64-bit integer`, 'NumberOutOfRange');
  return makeInteger(value);
}

function floatOf(digits: string): Value {
  const value = Number(digits);
  if (!Number.isFinite(value)) throw argumentFault(`the number ${quoted(digits)} does not fit into a Float`, 'NumberOutOfRange');
  return makeFloat(value);
}
