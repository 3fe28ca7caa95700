/**
 * Counts of the relationships from one node to each other node, in an array by ordinal, so that each of many rows finds
 * out with one read whether a pattern closes.
 *
 * Arrays of zeros are passed on from statement to statement, so that only the first one pays for as many entries as the
 * graph has nodes.
 */

const MOST_FREE = 6;
/** Arrays with more entries than this are left to the garbage collector. */
const LONGEST_FREE = 1 << 24;
/** Counts by ordinal; bytes if every count fits, because four times as many fit into the caches. */
type Weights = Uint32Array | Uint8Array;
const free: Uint32Array[] = [];
const freeBytes: Uint8Array[] = [];

/** Takes an array of zeros with at least `length` entries. */
export function takeWeights(length: number): Uint32Array {
  const known = free.pop();
  if (known !== undefined && known.length >= length) return known;
  return new Uint32Array(Math.max(1024, length + (length >> 3)));
}

/** Takes an array of zeros with at least `length` entries, for counts up to 255. */
export function takeByteWeights(length: number): Uint8Array {
  const known = freeBytes.pop();
  if (known !== undefined && known.length >= length) return known;
  return new Uint8Array(Math.max(1024, length + (length >> 3)));
}

/** Gives back an array that holds only zeros. An array that a stopped statement never gives back is garbage-collected. */
export function giveWeights(weights: Weights): void {
  if (weights.length > LONGEST_FREE) return;
  if (weights instanceof Uint8Array) {
    if (freeBytes.length < MOST_FREE) freeBytes.push(weights);
  } else if (free.length < MOST_FREE) free.push(weights);
}

/** Counts each of `neighbours` from index `from` to below `to`, except the node `except`. */
export function addWeights(weights: Weights, neighbours: Uint32Array, from: number, to: number, except: number): void {
  for (let k = from; k < to; k++) {
    const neighbour = neighbours[k]!;
    if (neighbour !== except) weights[neighbour]!++;
  }
}

/** The sorted neighbours of a node, from index `from` to below `to`, except the node `except`. */
interface Sorted {
  readonly neighbours: Uint32Array;
  readonly from: number;
  readonly to: number;
  readonly except: number;
}

/**
 * Adds to the weight of each node of a sorted list, from index `first` to below `end`, how often it appears among the
 * neighbours. A node that appears several times in `list` is counted once.
 */
export function weighAmong(weights: Weights, list: Uint32Array, first: number, end: number, among: Sorted): void {
  const { neighbours, from, to, except } = among;
  let last = -1;
  for (let k = first; k < end; k++) {
    const node = list[k]!;
    // `list` is sorted, so equal nodes are adjacent.
    if (node === last || node === except) continue;
    weights[node]! += countIn(neighbours, from, to, node);
    last = node;
  }
}

/** Resets the weights of these neighbours to zero. */
export function clearWeights(weights: Weights, neighbours: Uint32Array, from: number, to: number): void {
  for (let k = from; k < to; k++) weights[neighbours[k]!] = 0;
}

/** Returns how often the value appears in the ascending range. */
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
