/**
 * The internal identifiers of nodes by ordinal, as bytes. Those that users have set are remembered while nodes are
 * scanned (8 bytes per node and the text; nothing if none is set); all others are made from the ordinal.
 */
import { GraphDBError } from '../../base/index.ts';
import { hasValue, type TableBatch } from './table-batch.ts';

const LARGEST_HEAP_BYTES = 2 ** 32 - 1;

/** The identifiers of nodes by ordinal. */
export class NodeIds {
  /** The set identifiers: after `find(o)` returned true, that of ordinal o is `heap[from] … heap[to - 1]`. */
  heap: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;
  readonly #nodeLimit: number;
  #starts: Uint32Array | null = null;
  #lengths = new Uint32Array(0);
  #heapLength = 0;

  constructor(nodeLimit: number) {
    this.#nodeLimit = nodeLimit;
  }

  add({ rows, ordinals, ids }: TableBatch): void {
    if (ids === null) return;
    if (this.#starts === null) {
      this.#starts = new Uint32Array(this.#nodeLimit);
      this.#lengths = new Uint32Array(this.#nodeLimit);
    }
    const { bytesOf } = textBytes(ids);
    for (let row = 0; row < rows; row++) {
      if (!hasValue(ids, row)) continue;
      const bytes = bytesOf(row);
      this.#grow(bytes.length);
      this.#starts[ordinals[row]!] = this.#heapLength;
      this.#lengths[ordinals[row]!] = bytes.length;
      this.heap.set(bytes, this.#heapLength);
      this.#heapLength += bytes.length;
    }
  }

  #grow(bytes: number): void {
    const needed = this.#heapLength + bytes;
    if (needed > LARGEST_HEAP_BYTES) throw new GraphDBError('UNSUPPORTED', 'more than 4 GiB of internal identifiers that users have set');
    if (needed <= this.heap.length) return;
    const heap = new Uint8Array(Math.min(LARGEST_HEAP_BYTES, Math.max(needed, 2 * this.heap.length, 64 * 1024)));
    heap.set(this.heap);
    this.heap = heap;
  }

  /** Whether no identifier was set, so that each one is `n` and the ordinal. */
  get isEmpty(): boolean {
    return this.#starts === null;
  }

  /** Finds the identifier that a user has set for a node, in `heap`. False: there is none; it is `n` and the ordinal. */
  find(ordinal: number): boolean {
    const length = this.#lengths[ordinal] ?? 0;
    if (length === 0) return false;
    this.from = this.#starts![ordinal]!;
    this.to = this.from + length;
    return true;
  }

  text(ordinal: number): string {
    return this.find(ordinal) ? Buffer.from(this.heap.buffer, this.from, this.to - this.from).toString('utf8') : `n${ordinal}`;
  }
}

/** Returns a function that gives the bytes of each row of a text column. */
function textBytes({ values, heap, dictionary }: NonNullable<TableBatch['ids']>): { bytesOf: (row: number) => Uint8Array } {
  if (dictionary !== undefined) {
    const { offsets, heap: entries } = dictionary;
    return { bytesOf: (row) => entries.subarray(offsets[values[row] as number], offsets[(values[row] as number) + 1]) };
  }
  return { bytesOf: (row) => heap!.subarray(values[row] as number, values[row + 1] as number) }; // Text has the one or the other.
}
