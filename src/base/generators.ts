/** Generators of work that is done in pieces. */

/** Runs work to its end at once, and answers what it returns. */
export function finish<T>(work: Generator<unknown, T, void>): T {
  let piece = work.next();
  while (piece.done !== true) piece = work.next();
  return piece.value;
}
