/**
 * Keeps the first rows of ORDER BY … LIMIT, with ties in order of arrival. Few rows are kept sorted and a new one is
 * inserted, which takes fewer comparisons than a heap that is sorted at the end, and no object beside the row. More
 * rows are kept in a binary heap with the last one in the order at its root.
 *
 * Generated code checks `full` and `bound` before it makes a row: a row that comes after the bound cannot get in.
 */

import type { Limits } from '../limits.ts';
import { sortRows } from './sort-rows.ts';

type Row = readonly unknown[];
type Compare = (a: Row, b: Row) => number;

/** The account that kept rows are charged to. */
interface Memory {
  charge(rows: number, fields: number): void;
  chargeBytes(bytes: number): void;
  bytesBeside(value: unknown): number;
  readonly limits: { count(steps: number): void };
}

/** Binary logarithm of the bytes of a row that are compared in the time of one step, on its way through the heap. */
const COMPARED = 4;

interface Entry {
  readonly row: Row;
  readonly arrival: number;
}

/** The most rows that are kept sorted: moving this many rows takes about as long as the comparisons. */
const FEW_ROWS = 64;

/** The first rows of an order, up to a limit. */
export class TopRows {
  /** Whether as many rows as the limit are kept. */
  full = false;
  /** The first field of the last row in the order; only if `full`. */
  bound: unknown = null;
  private readonly limit: number;
  private readonly compare: Compare;
  private readonly isShort: boolean;
  /** The rows in order. */
  private readonly rows: Row[] = [];
  private readonly heap: Entry[] = [];
  private arrivals = 0;

  /** @param isShort whether no field of a row takes memory beside its place */
  constructor(limit: number, compare: Compare, isShort: boolean) {
    this.limit = limit;
    this.compare = compare;
    this.isShort = isShort;
  }

  offer(row: Row, memory: Memory): void {
    if (this.limit <= 0) return;
    if (!this.isShort) {
      const bytes = bytesOfRow(row, memory);
      memory.limits.count(bytes >> COMPARED);
      if (!this.full) memory.chargeBytes(bytes);
    }
    if (!this.full) memory.charge(1, row.length);
    if (this.limit <= FEW_ROWS) this.insert(row, memory);
    else this.push(row, memory);
  }

  /** Sorts the kept rows after all rows have been offered; yields null where other statements should run. */
  *finish(limits: Limits): Generator<null, void, void> {
    yield* sortRows(this.heap, (a, b) => (this.isBefore(a, b) ? -1 : 1), { limits, bytes: 0 });
    for (const { row } of this.heap) this.rows.push(row);
    this.heap.length = 0;
  }

  /** Sorts the kept rows as `finish` does, in code that cannot yield. */
  finishAtOnce(limits: Limits): void {
    for (const _ of this.finish(limits)) limits.look();
  }

  /** Returns the rows in order; only after `finish`. */
  sorted(): readonly Row[] {
    return this.rows;
  }

  private insert(row: Row, memory: Memory): void {
    const { rows, compare } = this;
    let low = 0;
    let high = rows.length;
    if (this.full) {
      const worst = rows[--high]!;
      if (compare(row, worst) >= 0) return;
      this.replaced(worst, row, memory);
    } else rows.push(row);
    let at = rows.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(rows[middle]!, row) <= 0) low = middle + 1;
      else high = middle;
    }
    for (; at > low; at--) rows[at] = rows[at - 1]!;
    rows[low] = row;
    if (rows.length < this.limit) return;
    this.full = true;
    this.bound = rows[rows.length - 1]![0];
  }

  private push(row: Row, memory: Memory): void {
    const { heap } = this;
    const entry = { row, arrival: this.arrivals++ };
    if (!this.full) {
      heap.push(entry);
      this.siftUp(heap.length - 1);
      this.full = heap.length >= this.limit;
    } else if (this.isBefore(entry, heap[0]!)) {
      this.replaced(heap[0]!.row, row, memory);
      heap[0] = entry;
      this.siftDown();
    }
    this.bound = heap[0]!.row[0];
  }

  private replaced(old: Row, row: Row, memory: Memory): void {
    if (!this.isShort) memory.chargeBytes(bytesOfRow(row, memory) - bytesOfRow(old, memory));
  }

  private isBefore(a: Entry, b: Entry): boolean {
    const order = this.compare(a.row, b.row);
    return order < 0 || (order === 0 && a.arrival < b.arrival);
  }

  private siftUp(at: number): void {
    const { heap } = this;
    for (let i = at; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!this.isBefore(heap[parent]!, heap[i]!)) return;
      [heap[parent], heap[i]] = [heap[i]!, heap[parent]!];
      i = parent;
    }
  }

  private siftDown(): void {
    const { heap } = this;
    for (let i = 0; ; ) {
      let worst = i;
      for (const child of [2 * i + 1, 2 * i + 2]) if (child < heap.length && this.isBefore(heap[worst]!, heap[child]!)) worst = child;
      if (worst === i) return;
      [heap[worst], heap[i]] = [heap[i]!, heap[worst]!];
      i = worst;
    }
  }
}

function bytesOfRow(row: Row, memory: Memory): number {
  let bytes = 0;
  for (const value of row) bytes += memory.bytesBeside(value);
  return bytes;
}
