/** Parses `true` and `false`, in upper or lower case, from the bytes of a column of a block, as 1 and 0. */
import { holdsBytesAt } from '../../base/index.ts';
import { type FieldBlock, fieldText, type Selection } from '../../formats/index.ts';
import type { BadRows } from './bad-rows.ts';
import type { NumberVector } from './number-vector.ts';

/** The small first letters of both words, and the lengths of the words. */
const SMALL_T = 116;
const SMALL_F = 102;
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** Parses Booleans of a column. */
export function parseBooleans(block: FieldBlock, column: number, rows: Selection, vector: NumberVector, bad: BadRows): void {
  const { columns, starts, ends } = block;
  vector.start(rows.length);
  const { numbers, present } = vector;
  for (let i = 0; i < rows.length; i++) {
    const at = rows[i]! * columns + column;
    const empty = starts[at]! >= ends[at]!;
    present[i] = empty ? 0 : 1;
    numbers[i] = 0;
    if (empty) continue;
    vector.presentCount++;
    const value = usualBoolean(block.bytes, starts[at]!, ends[at]!) ?? booleanOf(fieldText(block, rows[i]!, column));
    if (value === null) bad.add(rows[i]!, `${JSON.stringify(fieldText(block, rows[i]!, column))} is neither true nor false`);
    else numbers[i] = value ? 1 : 0;
  }
}

/** Reads a Boolean in small letters; null: the text needs a closer look. */
function usualBoolean(bytes: Uint8Array, from: number, to: number): boolean | null {
  if (to - from === TRUE.length && bytes[from] === SMALL_T) return holdsBytesAt(bytes, from, TRUE) ? true : null;
  if (to - from === FALSE.length && bytes[from] === SMALL_F) return holdsBytesAt(bytes, from, FALSE) ? false : null;
  return null;
}

/** Reads a Boolean; null: the text is none. */
export function booleanOf(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}
