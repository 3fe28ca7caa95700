/** Numbers as decimal text. */
import { INT64_MAX, INT64_MIN } from './numbers.ts';

const MOST_DIGITS = 19;

/**
 * The source of a pattern for decimal numbers such as `12`, `-1.`, `.5` and `1e-3`. A digit can be matched in one way
 * only, so text that is no number is told from one in a time that grows with its length.
 */
export const DECIMAL_NUMBER = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?';

/**
 * The exact value of decimal digits with a sign or none; null beyond 64 bits. Digits are counted before they are read:
 * to read millions of them takes seconds, in which nobody else would be served.
 */
export function integerOfDigits(text: string): bigint | null {
  const isSigned = text.startsWith('-') || text.startsWith('+');
  const digits = text.slice(isSigned ? 1 : 0).replace(/^0+(?=\d)/, '');
  if (digits.length > MOST_DIGITS) return null;
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return value > INT64_MAX || value < INT64_MIN ? null : value;
}
