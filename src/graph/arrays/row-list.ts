/** A growing list of the rows of a file to write, and their sorting into the order of the file. */

import { sortedBy } from './radix-sort.ts';
import { EMPTY_I32, EMPTY_U32 } from './shared-array.ts';

/** The ordinals that name the node or relationship of a row in a file; source and target are only used for relationships. */
export interface RowName {
  readonly ordinal: number;
  readonly source: number;
  readonly target: number;
}

/** The rows of a file as parallel arrays; a row number of -1 stands for a deletion. */
export interface ListedRows {
  readonly rows: Int32Array;
  readonly ordinals: Uint32Array;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
}

const SMALLEST_CAPACITY = 16;

/** A growing list of rows for a file. */
export class RowList {
  #length = 0;
  #rows: Int32Array = EMPTY_I32;
  #ordinals: Uint32Array = EMPTY_U32;
  #sources: Uint32Array = EMPTY_U32;
  #targets: Uint32Array = EMPTY_U32;

  add(row: number, ordinal: number, source: number, target: number): void {
    const at = this.#length++;
    if (at === this.#rows.length) this.#grow();
    this.#rows[at] = row;
    this.#ordinals[at] = ordinal;
    this.#sources[at] = source;
    this.#targets[at] = target;
  }

  addDeletion({ ordinal, source, target }: RowName): void {
    this.add(-1, ordinal, source, target);
  }

  #grow(): void {
    const capacity = Math.max(SMALLEST_CAPACITY, this.#rows.length * 2);
    const [rows, ordinals, sources, targets] = [this.#rows, this.#ordinals, this.#sources, this.#targets];
    this.#rows = new Int32Array(capacity);
    this.#ordinals = new Uint32Array(capacity);
    this.#sources = new Uint32Array(capacity);
    this.#targets = new Uint32Array(capacity);
    this.#rows.set(rows);
    this.#ordinals.set(ordinals);
    this.#sources.set(sources);
    this.#targets.set(targets);
  }

  /** Sorts the rows by (source, target, ordinal), and drops repeated deletions. O(n), in steps that yield the rows of the next one. */
  *sorted(): Generator<number, ListedRows> {
    let sorted: Uint32Array = new Uint32Array(this.#length);
    for (let i = 0; i < sorted.length; i++) sorted[i] = i;
    for (const keys of [this.#ordinals, this.#targets, this.#sources]) {
      yield sorted.length;
      sorted = sortedBy(sorted, keys);
    }
    yield sorted.length;
    const order = sorted.filter((at, i) => i === 0 || !this.#isSameDeletion(at, sorted[i - 1] as number));
    yield order.length;
    const rows = picked(this.#rows, order);
    yield order.length;
    const ordinals = picked(this.#ordinals, order);
    yield order.length;
    const sources = picked(this.#sources, order);
    yield order.length;
    return { rows, ordinals, sources, targets: picked(this.#targets, order) };
  }

  #isSameDeletion(left: number, right: number): boolean {
    return this.#rows[left] === -1 && this.#rows[right] === -1 && this.#ordinals[left] === this.#ordinals[right];
  }
}

function picked<T extends Int32Array | Uint32Array>(values: T, order: Uint32Array): T {
  const result = values.slice(0, order.length) as T;
  for (let i = 0; i < order.length; i++) result[i] = values[order[i] as number] as number;
  return result;
}
