/** Long loops over rows in steps between which others run: each step tells how many rows the next one handles. */

/** Rows of one step: a millisecond or two. */
export const ROWS_PER_STEP = 1 << 15;

/** Handles the rows from `start` to below `end` in ranges of so many. */
export function* inRanges(start: number, end: number, handle: (from: number, to: number) => void): Generator<number, void, void> {
  for (let from = start; from < end; from += ROWS_PER_STEP) {
    const to = Math.min(from + ROWS_PER_STEP, end);
    yield to - from;
    handle(from, to);
  }
}
