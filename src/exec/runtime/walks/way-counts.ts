/**
 * Counts of the ways that lead to each node, in an array by ordinal. Arrays of zeros are passed on between statements,
 * as in `weights.ts`.
 */

const MOST_FREE = 2;
/** Arrays with more entries than this are left to the garbage collector. */
const LARGEST_FREE = 1 << 23;
const free: Float64Array[] = [];

/** Takes an array of zeros with at least `length` entries. */
export function takeWays(length: number): Float64Array {
  const known = free.pop();
  if (known !== undefined && known.length >= length) return known;
  return new Float64Array(Math.max(1024, length + (length >> 3)));
}

/** Resets the entries of the first `count` of these nodes to zero. */
export function clearWays(ways: Float64Array, met: ArrayLike<number>, count: number): void {
  for (let i = 0; i < count; i++) ways[met[i]!] = 0;
}

/** Gives back an array that holds only zeros. An array that a stopped statement never gives back is garbage-collected. */
export function giveWays(ways: Float64Array): void {
  if (ways.length > 0 && ways.length <= LARGEST_FREE && free.length < MOST_FREE) free.push(ways);
}
