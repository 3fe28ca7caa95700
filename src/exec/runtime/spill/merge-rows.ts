/**
 * Sorted sequences of rows as one, by a tree of losers (Knuth, "The Art of Computer Programming" 3, 5.4.1): as many
 * comparisons for a row as the tree is high. Of rows that compare alike, that of the first sequence comes first.
 */
import type { Row } from './row-codec.ts';
import type { SpilledRows } from './spilled-rows.ts';

/** How rows compare; null: by the number in their last column, which no two have in common. */
export type RowOrder = ((a: Row, b: Row) => number) | null;

/** The rows in their order; null where the statement offers to be interrupted. */
export function* mergeRows(sequences: readonly SpilledRows[], order: RowOrder): Generator<unknown[] | null, void, void> {
  const first = sequences[0];
  if (first === undefined) return;
  const { limits } = first.space;
  const count = sequences.length;
  const steps = 1 + Math.ceil(Math.log2(count));
  const readers = sequences.map((sequence) => sequence.reader());
  const numbers = new Float64Array(count);
  const advance = (at: number): void => {
    const row = readers[at]!.advance();
    // as: so it is by this order
    if (order === null) numbers[at] = row === null ? Number.POSITIVE_INFINITY : (row[row.length - 1] as number);
  };
  const isBefore = (a: number, b: number): boolean => {
    if (order === null) return numbers[a]! < numbers[b]!;
    const row = readers[a]!.row;
    const other = readers[b]!.row;
    if (row === null || other === null) return row !== null;
    const difference = order(row, other);
    return difference < 0 || (difference === 0 && a < b);
  };
  try {
    for (let at = 0; at < count; at++) advance(at);
    /** For each match the sequence that lost it; those below are played by the sequences themselves. */
    const losers = new Int32Array(count);
    let winner = playAll(losers, isBefore);
    for (let row = readers[winner]!.row; row !== null; row = readers[winner]!.row) {
      if (limits.worked(steps)) yield null;
      yield row;
      advance(winner);
      for (let match = (winner + count) >> 1; match > 0; match >>= 1) {
        const loser = losers[match]!;
        if (!isBefore(loser, winner)) continue;
        losers[match] = winner;
        winner = loser;
      }
    }
  } finally {
    for (const reader of readers) reader.close();
  }
}

/**
 * Match n is played by the winners of the matches 2n and 2n + 1; from as many as there are sequences on, a number
 * stands for a sequence.
 */
function playAll(losers: Int32Array, isBefore: (a: number, b: number) => boolean): number {
  const count = losers.length;
  const winners = new Int32Array(2 * count);
  for (let at = 0; at < count; at++) winners[count + at] = at;
  for (let match = count - 1; match > 0; match--) {
    const [one, other] = [winners[2 * match]!, winners[2 * match + 1]!];
    const isOne = isBefore(one, other);
    winners[match] = isOne ? one : other;
    losers[match] = isOne ? other : one;
  }
  return winners[1]!;
}
