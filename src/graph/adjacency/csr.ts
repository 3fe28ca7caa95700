/**
 * Compressed sparse rows: for each node of a range, a slice of `neighbours` lists its neighbours, ascending. Building
 * takes one counting sort by node; then each list is sorted separately, within the CPU cache.
 */
import { finish } from '../../base/index.ts';
import { sortedBy } from '../arrays/radix-sort.ts';
import { EMPTY_U32, sharedArray } from '../arrays/shared-array.ts';
import { inRanges } from '../arrays/steps.ts';

/** Compressed sparse rows of a range of nodes. */
export interface Csr {
  /** Nodes from `base` to below `limit` have entries. */
  readonly base: number;
  readonly limit: number;
  /** Where the entries of each node begin; limit - base + 1 numbers, the last one being the end of all entries. */
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  /** The home row of each entry; null when the home row is the position of the entry. */
  readonly rows: Uint32Array | null;
}

/** Compressed sparse rows of no relationships. */
export const EMPTY_CSR: Csr = { base: 0, limit: 0, offsets: sharedArray(EMPTY_U32, 1), neighbours: EMPTY_U32, rows: EMPTY_U32 };

const knownLoops = new WeakMap<Csr, boolean>();

/** Tells whether some node is its own neighbour. The first call scans every entry; the answer is cached. */
export function hasLoops(csr: Csr): boolean {
  let known = knownLoops.get(csr);
  if (known === undefined) knownLoops.set(csr, (known = findLoop(csr)));
  return known;
}

function findLoop({ base, limit, offsets, neighbours }: Csr): boolean {
  for (let node = base; node < limit; node++) {
    const end = offsets[node - base + 1] as number;
    for (let i = offsets[node - base] as number; i < end; i++) if (neighbours[i] === node) return true;
  }
  return false;
}

const knownLists = new WeakMap<Csr, boolean>();

/** Tells whether some node has more than one entry. The first call scans the nodes up to the first such one; the answer is cached. */
export function hasLists(csr: Csr): boolean {
  let known = knownLists.get(csr);
  if (known === undefined) knownLists.set(csr, (known = findList(csr)));
  return known;
}

function findList({ offsets }: Csr): boolean {
  for (let i = 1; i < offsets.length; i++) if ((offsets[i] as number) - (offsets[i - 1] as number) > 1) return true;
  return false;
}

const knownLongest = new WeakMap<Csr, number>();

/** Returns the largest number of entries that a node has. The first call scans every node; the answer is cached. */
export function longestList(csr: Csr): number {
  let known = knownLongest.get(csr);
  if (known === undefined) knownLongest.set(csr, (known = findLongest(csr)));
  return known;
}

function findLongest({ offsets }: Csr): number {
  let longest = 0;
  for (let i = 1; i < offsets.length; i++) longest = Math.max(longest, (offsets[i] as number) - (offsets[i - 1] as number));
  return longest;
}

const knownParallel = new WeakMap<Csr, number>();

/** Returns the largest number of entries between the same two nodes. The first call scans every entry; the answer is cached. */
export function mostParallel(csr: Csr): number {
  let known = knownParallel.get(csr);
  if (known === undefined) knownParallel.set(csr, (known = findParallel(csr)));
  return known;
}

function findParallel({ offsets, neighbours }: Csr): number {
  let most = 0;
  for (let i = 1; i < offsets.length; i++) {
    const end = offsets[i] as number;
    for (let from = offsets[i - 1] as number, to = from; from < end; from = to) {
      while (to < end && neighbours[to] === neighbours[from]) to++;
      if (to - from > most) most = to - from;
    }
  }
  return most;
}

/** The relationships from which compressed sparse rows are built. */
export interface CsrInput {
  /** The node of each row whose list the row belongs to. */
  readonly nodes: Uint32Array;
  readonly neighbours: Uint32Array;
  /** The CSR covers the rows from `firstRow` to below `rowCount`. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** Tells which of these rows get an entry; null when all do. */
  readonly isIncluded: ((row: number) => boolean) | null;
}

/** Builds the CSR of rows from row 0 on that are already sorted by (node, neighbour): it shares their arrays, only offsets are new. */
export function csrOfSorted(input: CsrInput): Csr {
  const { nodes, neighbours, rowCount } = input;
  if (rowCount === 0) return EMPTY_CSR;
  const base = nodes[0] as number;
  const limit = (nodes[rowCount - 1] as number) + 1;
  return { base, limit, offsets: offsetsOf(nodes, null, rowCount, base, limit), neighbours, rows: null };
}

/** Builds compressed sparse rows in one go. */
export function buildCsr(input: CsrInput): Csr {
  return finish(buildCsrInSteps(input));
}

type Steps<T> = Generator<number, T, void>;

/** `buildCsr` in steps, each of which yields how many rows the next one handles. The rows must not change between steps. */
export function* buildCsrInSteps(input: CsrInput): Steps<Csr> {
  const rows = yield* includedRows(input);
  if (rows.length === 0) return EMPTY_CSR;
  const [base, limit] = rangeOf(input.nodes, rows);
  yield rows.length;
  const offsets = offsetsOf(input.nodes, rows, rows.length, base, limit);
  const entries = yield* entriesByNode(input, rows, offsets, base);
  yield* inRanges(1, offsets.length, (from, to) => {
    for (let i = from; i < to; i++) sortList(entries, offsets[i - 1] as number, offsets[i] as number);
  });
  return { base, limit, offsets, ...entries };
}

interface Entries {
  readonly neighbours: Uint32Array;
  readonly rows: Uint32Array;
}

/** Groups the entries by node; the list of a node is in the order of its rows. */
function* entriesByNode({ nodes, neighbours }: CsrInput, rows: Uint32Array, offsets: Uint32Array, base: number): Steps<Entries> {
  const next = offsets.slice();
  const entries = { neighbours: sharedArray(EMPTY_U32, rows.length), rows: sharedArray(EMPTY_U32, rows.length) };
  yield* inRanges(0, rows.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const row = rows[i] as number;
      const at = (nodes[row] as number) - base;
      const to = next[at] as number;
      next[at] = to + 1;
      entries.neighbours[to] = neighbours[row] as number;
      entries.rows[to] = row;
    }
  });
  return entries;
}

/** Lists of up to this many entries are sorted by insertion, which is fastest within the cache. */
const SHORT_LIST = 32;

/** Sorts the entries from `start` to below `end` by neighbour; equal neighbours stay in the order of their rows. */
function sortList({ neighbours, rows }: Entries, start: number, end: number): void {
  let at = start + 1;
  while (at < end && (neighbours[at - 1] as number) <= (neighbours[at] as number)) at++;
  if (at >= end) return;
  if (end - start > SHORT_LIST) {
    sortLongList(neighbours.subarray(start, end), rows.subarray(start, end));
    return;
  }
  for (; at < end; at++) {
    const neighbour = neighbours[at] as number;
    const row = rows[at] as number;
    let to = at;
    for (; to > start && (neighbours[to - 1] as number) > neighbour; to--) {
      neighbours[to] = neighbours[to - 1] as number;
      rows[to] = rows[to - 1] as number;
    }
    neighbours[to] = neighbour;
    rows[to] = row;
  }
}

function sortLongList(neighbours: Uint32Array, rows: Uint32Array): void {
  const order = sortedBy(Uint32Array.from(rows.keys()), neighbours);
  const [oldNeighbours, oldRows] = [neighbours.slice(), rows.slice()];
  for (let i = 0; i < order.length; i++) {
    neighbours[i] = oldNeighbours[order[i] as number] as number;
    rows[i] = oldRows[order[i] as number] as number;
  }
}

/** Merges two CSRs, leaving out the entries of `old` that are not `isIncluded` (null: all are). O(entries + range), about 5 ns an entry. */
export function mergeCsrs(old: Csr, added: Csr, isIncluded: CsrInput['isIncluded']): Csr {
  const base = added.limit === 0 ? old.base : Math.min(old.base, added.base);
  const limit = Math.max(old.limit, added.limit);
  const merger = new Merger(old, added, isIncluded);
  const offsets = sharedArray(EMPTY_U32, limit - base + 1);
  for (let node = base; node < limit; node++) offsets[node - base + 1] = merger.mergeLists(node);
  return { base, limit, offsets, ...merger.entries() };
}

function entryCount(csr: Csr): number {
  return csr.offsets[csr.limit - csr.base] as number;
}

class Merger {
  readonly #old: Csr;
  readonly #added: Csr;
  readonly #isIncluded: CsrInput['isIncluded'];
  readonly #neighbours: Uint32Array;
  readonly #rows: Uint32Array;
  #length = 0;

  constructor(old: Csr, added: Csr, isIncluded: CsrInput['isIncluded']) {
    this.#old = old;
    this.#added = added;
    this.#isIncluded = isIncluded;
    this.#neighbours = sharedArray(EMPTY_U32, entryCount(old) + entryCount(added));
    this.#rows = sharedArray(EMPTY_U32, this.#neighbours.length);
  }

  entries(): Pick<Csr, 'neighbours' | 'rows'> {
    return { neighbours: this.#neighbours.subarray(0, this.#length), rows: this.#rows.subarray(0, this.#length) };
  }

  /** Appends both lists of a node as one, the old entries first among equal neighbours. @returns the number of entries so far */
  mergeLists(node: number): number {
    const { offsets, neighbours, rows, base, limit } = this.#added;
    const hasAdded = node >= base && node < limit;
    const end = hasAdded ? (offsets[node - base + 1] as number) : 0;
    let next = hasAdded ? (offsets[node - base] as number) : 0;
    const old = this.#old;
    if (node >= old.base && node < old.limit) {
      const oldEnd = old.offsets[node - old.base + 1] as number;
      for (let i = old.offsets[node - old.base] as number; i < oldEnd; i++) {
        const neighbour = old.neighbours[i] as number;
        while (next < end && (neighbours[next] as number) < neighbour) this.#append(neighbours[next] as number, rowAt(rows, next++));
        const row = rowAt(old.rows, i);
        if (this.#isIncluded === null || this.#isIncluded(row)) this.#append(neighbour, row);
      }
    }
    for (; next < end; next++) this.#append(neighbours[next] as number, rowAt(rows, next));
    return this.#length;
  }

  #append(neighbour: number, row: number): void {
    this.#neighbours[this.#length] = neighbour;
    this.#rows[this.#length++] = row;
  }
}

function rowAt(rows: Uint32Array | null, position: number): number {
  return rows === null ? position : (rows[position] as number);
}

function* includedRows({ firstRow, rowCount, isIncluded }: CsrInput): Steps<Uint32Array> {
  const rows = new Uint32Array(rowCount - firstRow);
  let count = 0;
  yield* inRanges(firstRow, rowCount, (from, to) => {
    for (let row = from; row < to; row++) if (isIncluded === null || isIncluded(row)) rows[count++] = row;
  });
  return rows.subarray(0, count);
}

function rangeOf(keys: Uint32Array, rows: Uint32Array): readonly [number, number] {
  let low = keys[rows[0] as number] as number;
  let high = low;
  for (let i = 1; i < rows.length; i++) {
    const key = keys[rows[i] as number] as number;
    if (key < low) low = key;
    else if (key > high) high = key;
  }
  return [low, high + 1];
}

/** Returns where the entries of each key in [base, limit) begin, and the end of all entries as one more number. */
function offsetsOf(keys: Uint32Array, rows: Uint32Array | null, count: number, base: number, limit: number): Uint32Array {
  const offsets = sharedArray(EMPTY_U32, limit - base + 1);
  if (rows === null) for (let i = 0; i < count; i++) offsets[(keys[i] as number) - base + 1]!++;
  else for (let i = 0; i < count; i++) offsets[(keys[rows[i] as number] as number) - base + 1]!++;
  for (let i = 1; i < offsets.length; i++) offsets[i] = (offsets[i] as number) + (offsets[i - 1] as number);
  return offsets;
}
