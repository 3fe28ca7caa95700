/**
 * How many relationships lead from one node to each other node, in an array by ordinal: many rows that ask whether an edge closes are answered by one look each.
 *
 * Arrays are handed on from statement to statement, all zeros; nobody pays for as many entries as the graph has nodes but the first.
 */

export const NO_WEIGHTS = new Uint8Array(0);

const MOST_FREE = 6;
/** Larger ones are left to the garbage collector. */
const LARGEST_FREE = 1 << 26;
const HEAVIEST = 255;
const free: Uint8Array[] = [];

/** An array of at least that many zeros. */
export function takeWeights(length: number): Uint8Array {
  const known = free.pop();
  if (known !== undefined && known.length >= length) return known;
  return new Uint8Array(Math.max(1024, length + (length >> 3)));
}

/** It holds zeros again. One that never comes back (its statement was stopped) is no loss. */
export function giveWeights(weights: Uint8Array): void {
  if (weights.length > 0 && weights.length <= LARGEST_FREE && free.length < MOST_FREE) free.push(weights);
}

/** Counts each of `neighbours` from `from` to `to`, without `except`. False when there are too many relationships to one node: then nothing is counted. */
export function addWeights(weights: Uint8Array, neighbours: Uint32Array, from: number, to: number, except: number): boolean {
  for (let k = from; k < to; k++) {
    const neighbour = neighbours[k]!;
    if (neighbour === except) continue;
    if (weights[neighbour] === HEAVIEST) return false;
    weights[neighbour]!++;
  }
  return true;
}

/** Takes back what was counted of these neighbours. */
export function clearWeights(weights: Uint8Array, neighbours: Uint32Array, from: number, to: number): void {
  for (let k = from; k < to; k++) weights[neighbours[k]!] = 0;
}

/** How often the value stands in the ascending range. */
export function countIn(neighbours: Uint32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (neighbours[middle]! < value) low = middle + 1;
    else high = middle;
  }
  let count = 0;
  while (low + count < to && neighbours[low + count] === value) count++;
  return count;
}
