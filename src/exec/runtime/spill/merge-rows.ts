/**
 * Merges sorted sequences of rows with a tree of losers (Knuth, "The Art of Computer Programming" 3, 5.4.1): each row
 * costs as many comparisons as the tree is high. Among rows that compare equal, the row of the earlier sequence comes
 * first.
 */
import type { Row } from './row-codec.ts';
import type { SpilledRows } from './spilled-rows.ts';

/** Compares two rows; null orders rows by the number in their last column, which must be unique. */
export type RowOrder = ((a: Row, b: Row) => number) | null;

/** Yields the rows in order; null where other statements should run. */
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
    // as: with the order null, the last column holds numbers
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
    /** The sequence that lost each match; the leaves below are the sequences themselves. */
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
 * Plays all matches, fills in the losers, and returns the winner. Match n is played by the winners of matches 2n and 2n
 * + 1; numbers from the count of sequences on stand for the sequences.
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
