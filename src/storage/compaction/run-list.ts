/**
 * Runs of consecutive rows on their way from blocks into a batch. Kept as numbers: where files overlap a merge makes a
 * run for every few rows, and as objects, with views of the arrays behind them, these kept the garbage collector busier
 * than the merge.
 */
import type { SstColumn } from '../api.ts';

/** A block that is in memory. */
export interface RunBlock {
  /** The place of its file among those that are merged. */
  readonly input: number;
  /** Columns by name. */
  readonly columns: ReadonlyMap<string, SstColumn>;
  readonly ordinals: Uint32Array;
  /** Null: no row is a tombstone. */
  readonly deleted: Uint8Array | null;
  /** The position of its first row among all rows of the files that are merged, one file after the other. */
  readonly firstPosition: number;
}

const SMALLEST_CAPACITY = 1024;

/** Runs of rows on their way into a batch. */
export class RunList {
  /** Each once, though perhaps again where others came between. */
  readonly blocks: RunBlock[] = [];
  /** How many runs there are. */
  length = 0;
  rows = 0;
  /** For each run the place of its block, its first row there, and how many rows it has. */
  blockOf = new Int32Array(SMALLEST_CAPACITY);
  first = new Int32Array(SMALLEST_CAPACITY);
  count = new Int32Array(SMALLEST_CAPACITY);

  add(block: RunBlock, from: number, count: number): void {
    if (this.length === this.blockOf.length) this.#grow();
    this.blockOf[this.length] = this.#placeOf(block);
    this.first[this.length] = from;
    this.count[this.length++] = count;
    this.rows += count;
  }

  #placeOf(block: RunBlock): number {
    const known = this.blocks.lastIndexOf(block);
    return known >= 0 ? known : this.blocks.push(block) - 1;
  }

  #grow(): void {
    this.blockOf = doubled(this.blockOf);
    this.first = doubled(this.first);
    this.count = doubled(this.count);
  }

  clear(): void {
    this.blocks.length = 0;
    this.length = 0;
    this.rows = 0;
  }
}

function doubled(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
