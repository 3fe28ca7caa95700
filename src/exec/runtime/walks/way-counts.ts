/** How many ways lead to each node, in an array by ordinal; handed on from statement to statement, all zeros, as weights are. */

const MOST_FREE = 2;
/** Larger ones are left to the garbage collector. */
const LARGEST_FREE = 1 << 23;
const free: Float64Array[] = [];

/** An array of at least that many zeros. */
export function takeWays(length: number): Float64Array {
  const known = free.pop();
  if (known !== undefined && known.length >= length) return known;
  return new Float64Array(Math.max(1024, length + (length >> 3)));
}

/** Makes the entries of the first `count` of these nodes zeros again. */
export function clearWays(ways: Float64Array, met: ArrayLike<number>, count: number): void {
  for (let i = 0; i < count; i++) ways[met[i]!] = 0;
}

/** It holds zeros again. One that never comes back (its statement was stopped) is no loss. */
export function giveWays(ways: Float64Array): void {
  if (ways.length > 0 && ways.length <= LARGEST_FREE && free.length < MOST_FREE) free.push(ways);
}
