/**
 * How many relationships lead from one node to each other node, in an array by ordinal: many rows that ask whether an
 * edge closes are answered by one look each.
 *
 * Arrays are handed on from statement to statement, all zeros; nobody pays for as many entries as the graph has nodes but the first.
 */

const MOST_FREE = 6;
/** Longer ones are left to the garbage collector. */
const LONGEST_FREE = 1 << 24;
/** Bytes where they are enough: four times as many fit the caches. */
type Weights = Uint32Array | Uint8Array;
const free: Uint32Array[] = [];
const freeBytes: Uint8Array[] = [];

/** An array of at least that many zeros. */
export function takeWeights(length: number): Uint32Array {
  const known = free.pop();
  if (known !== undefined && known.length >= length) return known;
  return new Uint32Array(Math.max(1024, length + (length >> 3)));
}

/** Takes an array for weights up to 255. */
export function takeByteWeights(length: number): Uint8Array {
  const known = freeBytes.pop();
  if (known !== undefined && known.length >= length) return known;
  return new Uint8Array(Math.max(1024, length + (length >> 3)));
}

/** It holds zeros again. One that never comes back (its statement was stopped) is no loss. */
export function giveWeights(weights: Weights): void {
  if (weights.length > LONGEST_FREE) return;
  if (weights instanceof Uint8Array) {
    if (freeBytes.length < MOST_FREE) freeBytes.push(weights);
  } else if (free.length < MOST_FREE) free.push(weights);
}

/** Counts each of `neighbours` from `from` to `to`, without `except`. */
export function addWeights(weights: Weights, neighbours: Uint32Array, from: number, to: number, except: number): void {
  for (let k = from; k < to; k++) {
    const neighbour = neighbours[k]!;
    if (neighbour !== except) weights[neighbour]!++;
  }
}

/** A node's sorted list, without `except`. */
interface Sorted {
  readonly neighbours: Uint32Array;
  readonly from: number;
  readonly to: number;
  readonly except: number;
}

/**
 * Gives each node of `list` from `first` to `end` its weight in a sorted list, beside what it has: once, however often
 * it stands in `list`.
 */
export function weighAmong(weights: Weights, list: Uint32Array, first: number, end: number, among: Sorted): void {
  const { neighbours, from, to, except } = among;
  let last = -1;
  for (let k = first; k < end; k++) {
    const node = list[k]!;
    // `list` is sorted: the same ones stand together.
    if (node === last || node === except) continue;
    weights[node]! += countIn(neighbours, from, to, node);
    last = node;
  }
}

/** Takes back what was counted of these neighbours. */
export function clearWeights(weights: Weights, neighbours: Uint32Array, from: number, to: number): void {
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
