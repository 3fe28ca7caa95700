/** Dates from the bytes of a column of a block, as days since 1970-01-01: `2024-02-29` without a string, any other ISO 8601 form through the value layer. */
import { type CypherDate, epochDayOf, parseTemporal } from '../../value/index.ts';
import type { BadRows } from './bad-rows.ts';
import { type FieldBlock, fieldText, type Selection } from './field-block.ts';
import type { NumberVector } from './number-vector.ts';
import { reasonOf } from './parse-values.ts';

const ZERO = 48;
const HYPHEN = 45;
const USUAL_LENGTH = 10;
/** In every month. */
const DAYS_IN_ANY_MONTH = 28;
/** 2^31 days. */
const FARTHEST_YEAR = '5.8 million';

export function parseDates(block: FieldBlock, column: number, rows: Selection, vector: NumberVector, bad: BadRows): void {
  const { bytes, columns, starts, ends } = block;
  vector.start(rows.length);
  const { numbers, present } = vector;
  for (let i = 0; i < rows.length; i++) {
    const at = rows[i]! * columns + column;
    const from = starts[at]!;
    const to = ends[at]!;
    if (from >= to) {
      present[i] = 0;
      numbers[i] = 0;
      continue;
    }
    present[i] = 1;
    vector.presentCount++;
    const usual = to - from === USUAL_LENGTH ? usualDate(bytes, from) : Number.NaN;
    const day = usual === usual ? usual : oddDate(block, column, rows[i]!, bad);
    numbers[i] = day;
    if (day < vector.minimum) vector.minimum = day;
    if (day > vector.maximum) vector.maximum = day;
  }
}

/** `YYYY-MM-DD` up to the 28th; NaN for what needs a closer look. */
function usualDate(bytes: Uint8Array, at: number): number {
  if (bytes[at + 4] !== HYPHEN || bytes[at + 7] !== HYPHEN) return Number.NaN;
  const year = 100 * twoDigits(bytes, at) + twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 5);
  const day = twoDigits(bytes, at + 8);
  const valid = month >= 1 && month <= 12 && day >= 1 && day <= DAYS_IN_ANY_MONTH;
  return valid ? epochDayOf(year, month, day) : Number.NaN;
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

function oddDate(block: FieldBlock, column: number, row: number, bad: BadRows): number {
  const text = fieldText(block, row, column).trim();
  try {
    const { epochDay } = parseTemporal('date', text) as CypherDate;
    if (epochDay === (epochDay | 0)) return epochDay;
    bad.add(row, `${text} lies further away than the ${FARTHEST_YEAR} years that a column of dates reaches`);
    return 0;
  } catch (error) {
    bad.add(row, reasonOf(error));
    return 0;
  }
}
