/**
 * Number literals: decimal, hexadecimal (0x1F), octal (0o17), floats (1.5, .5, 1e3, 1.5E-3), with single underscores
 * between digits. Identifier characters directly after a number belong to it and make it invalid.
 */
import { type CypherFloat, makeFloat, makeInteger } from '../../value/index.ts';
import { syntaxFault } from '../faults.ts';
import { identifierEnd, isDigit } from './characters.ts';

/** A number literal and the offset after it. */
export interface ScannedNumber {
  readonly end: number;
  readonly kind: 'integer' | 'float';
  readonly value: number | bigint | CypherFloat;
}

const LARGEST_MAGNITUDE = 2n ** 63n;

/** Scans a number. `start` must be at a digit, or at a dot before one. */
export function scanNumber(text: string, start: number): ScannedNumber {
  if (text[start] === '0') {
    const marker = text.charCodeAt(start + 1) | 32;
    if (marker === 120) return scanRadix(text, start, { digits: /^[0-9a-f]+$/i, name: 'hexadecimal', maxDigits: 16 });
    if (marker === 111) return scanRadix(text, start, { digits: /^[0-7]+$/, name: 'octal', maxDigits: 22 });
  }
  let end = skipDigits(text, start);
  let float = false;
  if (text[end] === '.' && isDigit(text.charCodeAt(end + 1))) {
    float = true;
    end = skipDigits(text, end + 1);
  }
  const exponent = exponentEnd(text, end);
  if (exponent > end) {
    float = true;
    end = exponent;
  }
  if (identifierEnd(text, end) > end) throw invalid(text, start, identifierEnd(text, end));
  const digits = withoutUnderscores(text, start, end);
  return float ? floatOf(text, start, end, digits) : integerOf(text, start, end, digits);
}

function skipDigits(text: string, from: number): number {
  let i = from;
  while (isDigit(text.charCodeAt(i)) || text[i] === '_') i++;
  return i;
}

/** Returns the offset after the exponent at `end`; `end` itself if there is no complete exponent. */
function exponentEnd(text: string, end: number): number {
  if (text[end] !== 'e' && text[end] !== 'E') return end;
  const sign = text[end + 1];
  const digits = sign === '+' || sign === '-' ? end + 2 : end + 1;
  return isDigit(text.charCodeAt(digits)) ? skipDigits(text, digits) : end;
}

function floatOf(text: string, start: number, end: number, digits: string): ScannedNumber {
  const value = Number(digits);
  if (!Number.isFinite(value)) {
    throw syntaxFault(text, start, 'FloatingPointOverflow', `the number ${shorten(digits)} is too large for a Float`);
  }
  return { end, kind: 'float', value: makeFloat(value) };
}

function integerOf(text: string, start: number, end: number, digits: string): ScannedNumber {
  if (digits.length > 1 && digits[0] === '0') {
    throw syntaxFault(
      text,
      start,
      'InvalidNumberLiteral',
      `an integer must not start with 0: \`${shorten(digits)}\` (octal numbers are written 0o17)`,
    );
  }
  if (digits.length > 19) throw overflow(text, start, digits);
  return { end, kind: 'integer', value: magnitude(text, start, digits) };
}

interface Radix {
  readonly digits: RegExp;
  readonly name: string;
  readonly maxDigits: number;
}

function scanRadix(text: string, start: number, radix: Radix): ScannedNumber {
  const end = identifierEnd(text, start);
  const literal = withoutUnderscores(text, start, end);
  const digits = literal.slice(2);
  if (!radix.digits.test(digits)) {
    throw syntaxFault(text, start, 'InvalidNumberLiteral', `\`${shorten(literal)}\` is no ${radix.name} number`);
  }
  const significant = digits.replace(/^0+/, '');
  if (significant.length > radix.maxDigits) throw overflow(text, start, literal);
  return { end, kind: 'integer', value: magnitude(text, start, `0${literal[1]!.toLowerCase()}${significant || '0'}`) };
}

function magnitude(text: string, start: number, literal: string): number | bigint {
  const value = BigInt(literal);
  if (value > LARGEST_MAGNITUDE) throw overflow(text, start, literal);
  return makeInteger(value);
}

/** Returns the characters of a literal without underscores, each of which must be between two digits. */
function withoutUnderscores(text: string, start: number, end: number): string {
  const literal = text.slice(start, end);
  if (!literal.includes('_')) return literal;
  if (/[^0-9a-f]_|_[^0-9a-f]|_$/i.test(literal.replace(/^0[xo]_?/i, '0'))) throw invalid(text, start, end);
  return literal.replaceAll('_', '');
}

function invalid(text: string, start: number, end: number) {
  return syntaxFault(text, start, 'InvalidNumberLiteral', `\`${shorten(text.slice(start, end))}\` is no number`);
}

/** Makes the error of an integer beyond 64 bits. */
export function overflow(text: string, start: number, literal: string) {
  return syntaxFault(text, start, 'IntegerOverflow', `the integer ${shorten(literal)} is too large: integers have 64 bits`);
}

function shorten(literal: string): string {
  return literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
}
