/**
 * CONTAINS over the rows of a UTF-8 column in ascending order. The bytes of all rows are contiguous, so one search runs
 * over all of them, and each row checks whether the next match lies inside it. A scan takes O(bytes of the column) and
 * decodes nothing.
 */
import type { ColumnView } from '../../../graph/index.ts';

/** Searches for a text in the rows of a column. */
export class SubstringSearch {
  private readonly offsets: Uint32Array;
  private readonly bytes: Buffer;
  private readonly wanted: Buffer;
  /** The position of the first match at or after `from`; Infinity if there is none. */
  private match = -1;
  private from = 0;

  constructor(column: ColumnView, text: string) {
    const heap = column.heap ?? new Uint8Array(0);
    this.offsets = column.values as Uint32Array;
    this.bytes = Buffer.from(heap.buffer, heap.byteOffset, heap.byteLength);
    this.wanted = Buffer.from(text, 'utf8');
  }

  isIn(row: number): boolean {
    const start = this.offsets[row]!;
    if (start < this.from || start > this.match) this.find(start);
    // It suffices to check the first match that begins in the row: later matches end later.
    return this.match + this.wanted.length <= this.offsets[row + 1]!;
  }

  private find(start: number): void {
    const found = this.wanted.length === 0 ? start : this.bytes.indexOf(this.wanted, start);
    this.match = found < 0 ? Number.POSITIVE_INFINITY : found;
    this.from = start;
  }
}
