/** Decimal numbers in text. */
import { INT64_MAX, INT64_MIN } from './numbers.ts';

const MOST_DIGITS = 19;

/**
 * The source of a regular expression for decimal numbers such as `12`, `-1.`, `.5` and `1e-3`. Each digit can be
 * matched in one way only, so text that is no number is refused in linear time.
 */
export const DECIMAL_NUMBER = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?';

/**
 * Returns the exact value of decimal digits with an optional sign; null beyond 64 bits. Long texts are refused by their
 * length, since reading millions of digits would block the thread for seconds.
 */
export function integerOfDigits(text: string): bigint | null {
  const isSigned = text.startsWith('-') || text.startsWith('+');
  const digits = text.slice(isSigned ? 1 : 0).replace(/^0+(?=\d)/, '');
  if (digits.length > MOST_DIGITS) return null;
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return value > INT64_MAX || value < INT64_MIN ? null : value;
}
