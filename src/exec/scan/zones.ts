/**
 * The least and the greatest number of each block of a column, computed when the block is first tested. A scan skips
 * blocks with no value between its bounds, and takes blocks with only such values as a whole. Only for rows of
 * snapshots, which never change (M1).
 */
import type { ColumnView } from '../../graph/index.ts';
import { MORSEL_ROWS } from './morsel.ts';

/** The least and the greatest number of each block of a column. */
export class Zones {
  private readonly values: Int32Array | Float64Array;
  private readonly valid: Uint8Array | null;
  /** The least number by block; NaN if not computed yet, Infinity (above the greatest) if the block has no number. */
  private readonly lows: Float64Array;
  private readonly highs: Float64Array;
  /** The flag of each block: 1 if every row has a number other than NaN. */
  private readonly full: Uint8Array;

  constructor({ values, valid }: ColumnView) {
    this.values = values as Int32Array | Float64Array;
    this.valid = valid;
    const blocks = Math.ceil(values.length / MORSEL_ROWS);
    this.lows = new Float64Array(blocks).fill(Number.NaN);
    this.highs = new Float64Array(blocks);
    this.full = new Uint8Array(blocks);
  }

  /** Tells whether none or all rows of [first, end) lie between the bounds; `some` also if that is not known. */
  rowsWithin(low: number, high: number, first: number, end: number): 'none' | 'all' | 'some' {
    if (end - first !== MORSEL_ROWS || first % MORSEL_ROWS !== 0) return 'some';
    const block = first / MORSEL_ROWS;
    if (Number.isNaN(this.lows[block])) this.look(block);
    const [least, greatest] = [this.lows[block]!, this.highs[block]!];
    if (!(least <= high && greatest >= low)) return 'none';
    return this.full[block] === 1 && least >= low && greatest <= high ? 'all' : 'some';
  }

  private look(block: number): void {
    const { values, valid } = this;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let count = 0;
    for (let row = block * MORSEL_ROWS, end = row + MORSEL_ROWS; row < end; row++) {
      const value = values[row]!;
      if ((valid !== null && ((valid[row >> 3]! >> (row & 7)) & 1) === 0) || value !== value) continue;
      count++;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    this.lows[block] = low;
    this.highs[block] = high;
    this.full[block] = +(count === MORSEL_ROWS);
  }
}

const known = new WeakMap<ColumnView, Zones>();

/** Returns the zones of a column of numbers, days or codes, made once for each column view. */
export function zonesOf(column: ColumnView): Zones {
  let zones = known.get(column);
  if (zones === undefined) known.set(column, (zones = new Zones(column)));
  return zones;
}
