/**
 * Parses dates from the bytes of a column of a block, as days since 1970-01-01: `2024-02-29` without a string, any
 * other ISO 8601 form by the value layer.
 */
import { type FieldBlock, fieldText, reasonOf, type Selection } from '../../formats/index.ts';
import { type CypherDate, parseTemporal } from '../../value/index.ts';
import type { BadRows } from './bad-rows.ts';
import type { NumberVector } from './number-vector.ts';
import { usualDate } from './parse-timestamps.ts';

const USUAL_LENGTH = 10;
/** The farthest year from 1970 for messages: days are stored in 32 bits. */
const FARTHEST_YEAR = '5.8 million';

/** Parses dates of a column. */
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
