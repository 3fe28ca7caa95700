/** Splits long loops over rows into steps between which other work can run; each step yields how many rows the next one handles. */

/** How many rows a step handles: one or two milliseconds of work. */
export const ROWS_PER_STEP = 1 << 15;

/** Handles the rows from `start` to below `end` in ranges of `ROWS_PER_STEP`. */
export function* inRanges(start: number, end: number, handle: (from: number, to: number) => void): Generator<number, void, void> {
  for (let from = start; from < end; from += ROWS_PER_STEP) {
    const to = Math.min(from + ROWS_PER_STEP, end);
    yield to - from;
    handle(from, to);
  }
}
