import type { Selection } from '../../formats/index.ts';

/** Copies rows of one array into another, in one piece where they are consecutive. */

type Numbers = Int32Array | Uint32Array | Float64Array | Uint8Array;

/** Tells whether ascending rows are consecutive. */
export function areConsecutive(rows: Selection): boolean {
  return rows.length > 0 && rows.at(-1)! - rows[0]! === rows.length - 1;
}

/** Copies the selected rows of a block to the end of a column. */
export function copyRows(target: Numbers, start: number, values: Numbers, rows: Selection): void {
  if (areConsecutive(rows)) target.set(values.subarray(rows[0]!, rows[0]! + rows.length), start);
  else for (let i = 0; i < rows.length; i++) target[start + i] = values[rows[i]!]!;
}
