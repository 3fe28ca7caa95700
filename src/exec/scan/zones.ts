/**
 * The least and the greatest number of each block of a column, found out when a block is first asked for: a scan passes
 * over blocks that have nothing between its bounds, and takes whole ones that have nothing else. Only for rows of
 * snapshots, which stay as they are (M1).
 */
import type { ColumnView } from '../../graph/index.ts';
import { MORSEL_ROWS } from './morsel.ts';

/** The least and the greatest number of each block of a column. */
export class Zones {
  private readonly values: Int32Array | Float64Array;
  private readonly valid: Uint8Array | null;
  /** NaN: not known yet. Without any value the least is above the greatest. */
  private readonly lows: Float64Array;
  private readonly highs: Float64Array;
  /** Each row has a number, and not NaN. */
  private readonly full: Uint8Array;

  constructor({ values, valid }: ColumnView) {
    this.values = values as Int32Array | Float64Array;
    this.valid = valid;
    const blocks = Math.ceil(values.length / MORSEL_ROWS);
    this.lows = new Float64Array(blocks).fill(Number.NaN);
    this.highs = new Float64Array(blocks);
    this.full = new Uint8Array(blocks);
  }

  /** Tells of the rows [first, end) that none lies between the bounds, that all do, or that it is not known. */
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

/** Makes the zones of a column of numbers, days or codes. */
export function zonesOf(column: ColumnView): Zones {
  let zones = known.get(column);
  if (zones === undefined) known.set(column, (zones = new Zones(column)));
  return zones;
}
