/** Sorted sequences of rows as one: a heap of their readers. Of rows that compare alike, that of the first sequence comes first. */
import type { Row } from './row-codec.ts';
import type { RowReader, SpilledRows } from './spilled-rows.ts';

type Compare = (a: Row, b: Row) => number;

interface Source {
  readonly reader: RowReader;
  readonly at: number;
}

/** The rows in their order; null where the statement offers to be interrupted. */
export function* mergeRows(sequences: readonly SpilledRows[], compare: Compare): Generator<unknown[] | null, void, void> {
  const first = sequences[0];
  if (first === undefined) return;
  const { limits } = first.space;
  const readers = sequences.map((sequence) => sequence.reader());
  const isBefore = (a: Source, b: Source): boolean => {
    const order = compare(a.reader.row!, b.reader.row!);
    return order < 0 || (order === 0 && a.at < b.at);
  };
  const steps = 1 + Math.ceil(Math.log2(sequences.length));
  try {
    const heap: Source[] = [];
    readers.forEach((reader, at) => {
      if (reader.advance() !== null) heap.push({ reader, at });
    });
    for (let at = (heap.length >> 1) - 1; at >= 0; at--) siftDown(heap, at, isBefore);
    while (heap.length > 0) {
      const { reader } = heap[0]!;
      if (limits.worked(steps)) yield null;
      yield reader.row;
      if (reader.advance() === null) {
        const last = heap.pop()!;
        if (heap.length === 0) break;
        heap[0] = last;
      }
      siftDown(heap, 0, isBefore);
    }
  } finally {
    for (const reader of readers) reader.close();
  }
}

function siftDown(heap: Source[], from: number, isBefore: (a: Source, b: Source) => boolean): void {
  const moved = heap[from]!;
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    if (!isBefore(heap[child]!, moved)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = moved;
}
