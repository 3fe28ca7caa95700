/**
 * A list of runs of consecutive rows, to be copied from blocks into a batch. Runs are kept as numbers: where files
 * overlap, a merge makes a run for every few rows; as objects with views, the runs cost more in garbage collection than
 * the merge.
 */
import type { SstColumn } from '../api.ts';

/** A block that is in memory. */
export interface RunBlock {
  /** The index of the block's file among those that are merged. */
  readonly input: number;
  /** The columns of the block, by name. */
  readonly columns: ReadonlyMap<string, SstColumn>;
  readonly ordinals: Uint32Array;
  /** The column `_deleted`; null when no row is a tombstone. */
  readonly deleted: Uint8Array | null;
  /** The position of the block's first row among all rows of the files that are merged, one file after the other. */
  readonly firstPosition: number;
}

const SMALLEST_CAPACITY = 1024;

/** A list of runs of rows. */
export class RunList {
  /** The blocks of the runs; a block may occur again when runs of other blocks lie between. */
  readonly blocks: RunBlock[] = [];
  /** The number of runs. */
  length = 0;
  rows = 0;
  /** For each run the index of its block in `blocks`, its first row in that block, and its number of rows. */
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
