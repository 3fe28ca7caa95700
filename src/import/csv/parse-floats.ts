/**
 * Parses Floats from the bytes of a column of a block. Up to 15 digits and a decimal exponent within ±22 are exact with
 * one division or multiplication (Clinger, "How to read floating point numbers accurately"); other text goes through
 * `Number`.
 */
import { type FieldBlock, fieldText, type Selection } from '../../formats/index.ts';
import { DECIMAL_NUMBER } from '../../value/index.ts';
import type { BadRows } from './bad-rows.ts';
import type { NumberVector } from './number-vector.ts';

const ZERO = 48;
const MINUS = 45;
const POINT = 46;
const EXACT_DIGITS = 15;
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const FLOAT = new RegExp(`^[ \\t]*(?:${DECIMAL_NUMBER}|[+-]?(?:Infinity|NaN))[ \\t]*$`);

/** Parses Floats of a column. */
export function parseFloats(block: FieldBlock, column: number, rows: Selection, vector: NumberVector, bad: BadRows): void {
  const { bytes, columns, starts, ends } = block;
  vector.start(rows.length);
  const { numbers, present } = vector;
  for (let i = 0; i < rows.length; i++) {
    const at = rows[i]! * columns + column;
    let from = starts[at]!;
    const to = ends[at]!;
    if (from >= to) {
      present[i] = 0;
      numbers[i] = 0;
      continue;
    }
    present[i] = 1;
    vector.presentCount++;
    const negative = bytes[from] === MINUS;
    if (negative) from++;
    const value = to - from <= EXACT_DIGITS + 1 ? decimal(bytes, from, to) : -1;
    if (value >= 0) numbers[i] = negative ? -value : value;
    else numbers[i] = oddFloat(block, column, rows[i]!, bad);
  }
}

/** Reads digits with at most one point between, before or after them; -1: the text has another form. */
function decimal(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  let count = 0;
  let point = -1;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      count++;
    } else if (bytes[at] === POINT && point < 0) point = count;
    else return -1;
  }
  if (count === 0 || count > EXACT_DIGITS) return -1;
  return point < 0 ? value : value / POWERS_OF_TEN[count - point]!;
}

function oddFloat(block: FieldBlock, column: number, row: number, bad: BadRows): number {
  const text = fieldText(block, row, column);
  const value = floatOf(text);
  if (value !== null) return value;
  bad.add(row, `${JSON.stringify(text)} is not a Float`);
  return 0;
}

/** Reads a Float; null: the text is none. */
export function floatOf(text: string): number | null {
  return FLOAT.test(text) ? Number(text) : null;
}
