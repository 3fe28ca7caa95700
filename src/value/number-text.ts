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

const PARTS = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Returns the exact whole part of a text that is a `DECIMAL_NUMBER`, without its fraction; null beyond 64 bits. */
export function wholePartOf(text: string): bigint | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? [];
  const digits = whole + fraction;
  const first = digits.search(/[1-9]/);
  /** How many of the digits, and of zeros behind them, stand before the point. */
  const places = whole.length + Number(exponent);
  if (first < 0 || places <= first) return 0n;
  if (places - first > MOST_DIGITS) return null;
  return integerOfDigits(sign + digits.slice(first, places).padEnd(places - first, '0'));
}
