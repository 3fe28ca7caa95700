/**
 * Parses Integers of a column of a block: those that the scanner has read already, or from the bytes, without a string
 * per field, in about 10 ns each. Blanks around a number and a plus sign before it are allowed; empty fields, quoted or
 * not, have no value.
 */
import { type FieldBlock, fieldText, type Selection } from '../../formats/index.ts';
import { integerOfDigits } from '../../value/index.ts';
import type { BadRows } from './bad-rows.ts';
import type { NumberVector } from './number-vector.ts';

const ZERO = 48;
const MINUS = 45;
/** A number of at most this many digits is always a safe integer. */
const SAFE_DIGITS = 15;
const INTEGER = /^[ \t]*([+-]?\d+)[ \t]*$/;

/** Parses Integers of a column. */
export function parseIntegers(block: FieldBlock, column: number, rows: Selection, vector: NumberVector, bad: BadRows): void {
  const { bytes, columns, starts, ends, integers = null } = block;
  vector.start(rows.length);
  const { numbers, present } = vector;
  let { minimum, maximum } = vector;
  let i = 0;
  for (; integers !== null && i < rows.length; i++) {
    const read = integers[rows[i]! * columns + column]!;
    if (read !== read) break;
    numbers[i] = read;
    if (read < minimum) minimum = read;
    if (read > maximum) maximum = read;
  }
  present.fill(1, 0, i);
  let presentCount = i;
  for (; i < rows.length; i++) {
    const at = rows[i]! * columns + column;
    let from = starts[at]!;
    const to = ends[at]!;
    if (from >= to) {
      present[i] = 0;
      numbers[i] = 0;
      continue;
    }
    present[i] = 1;
    presentCount++;
    const negative = bytes[from] === MINUS;
    if (negative) from++;
    const value = digits(bytes, from, to);
    if (value < 0) {
      parseOddInteger(block, column, rows[i]!, i, vector, bad);
      if (numbers[i]! < minimum) minimum = numbers[i]!;
      if (numbers[i]! > maximum) maximum = numbers[i]!;
      continue;
    }
    const number = negative ? 0 - value : value;
    numbers[i] = number;
    if (number < minimum) minimum = number;
    if (number > maximum) maximum = number;
  }
  vector.presentCount = presentCount;
  vector.minimum = minimum;
  vector.maximum = maximum;
}

/** Reads a number of 1 to 15 digits; -1: the text has another form. */
function digits(bytes: Uint8Array, from: number, to: number): number {
  if (from >= to || to - from > SAFE_DIGITS) return -1;
  let value = 0;
  for (; from < to; from++) {
    const digit = bytes[from]! - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Reads long numbers and those with blanks or a plus sign, and reports other text as bad. */
function parseOddInteger(block: FieldBlock, column: number, row: number, index: number, vector: NumberVector, bad: BadRows): void {
  const text = fieldText(block, row, column);
  const value = integerOf(text);
  if (value === null) {
    vector.numbers[index] = 0;
    bad.add(row, `${JSON.stringify(text)} is not an Integer of 64 bits`);
  } else if (typeof value === 'bigint') vector.setWide(index, value);
  else vector.numbers[index] = value;
}

/** Reads an Integer: a number if it is safe, else a bigint; null: the text is none. */
export function integerOf(text: string): number | bigint | null {
  const match = INTEGER.exec(text);
  if (match === null) return null;
  const number = Number(match[1]);
  if (Number.isSafeInteger(number)) return number + 0;
  return integerOfDigits(match[1]!);
}
