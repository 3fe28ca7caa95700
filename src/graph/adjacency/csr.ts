/**
 * Compressed sparse rows: for each node of a range, the slice of `neighbours` (ascending) that it is joined to. Built
 * by one counting sort by node, then each list is sorted by itself, within the cache.
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
  /** limit - base + 1 of them. */
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  /** Home row per entry; null: the position itself. */
  readonly rows: Uint32Array | null;
}

/** Compressed sparse rows of no relationships. */
export const EMPTY_CSR: Csr = { base: 0, limit: 0, offsets: sharedArray(EMPTY_U32, 1), neighbours: EMPTY_U32, rows: EMPTY_U32 };

const knownLoops = new WeakMap<Csr, boolean>();

/** Does some node have itself for a neighbour? Found out once, by a look at every entry. */
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

/** Does some node have more than one entry? Found out once, by a look at every node up to the first. */
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

/** How many entries a node has at most. Found out once, by a look at every node. */
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

/** How many entries of a node name the same neighbour at most. Found out once, by a look at every entry. */
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

/** The relationships of which compressed sparse rows are built. */
export interface CsrInput {
  /** The node of each row. */
  readonly nodes: Uint32Array;
  readonly neighbours: Uint32Array;
  /** Rows from here to below `rowCount` count. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** Which of them; null: all. */
  readonly isIncluded: ((row: number) => boolean) | null;
}

/** The CSR of rows, all from row 0 on, that lie sorted by (node, neighbour) already: only the offsets are new. */
export function csrOfSorted(input: CsrInput): Csr {
  const { nodes, neighbours, rowCount } = input;
  if (rowCount === 0) return EMPTY_CSR;
  const base = nodes[0] as number;
  const limit = (nodes[rowCount - 1] as number) + 1;
  return { base, limit, offsets: offsetsOf(nodes, null, rowCount, base, limit), neighbours, rows: null };
}

/** Builds compressed sparse rows at once. */
export function buildCsr(input: CsrInput): Csr {
  return finish(buildCsrInSteps(input));
}

type Steps<T> = Generator<number, T, void>;

/** `buildCsr` in steps, each of which tells how many rows the next one handles. The rows must not change meanwhile. */
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

/** In the order of rows within each node's list. */
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

/** Up to here moving entries one place on, in the cache, beats everything else. */
const SHORT_LIST = 32;

/** Sorts by neighbour, then by row, as they come. */
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

/** Both in one; of the entries of `old` those that `isIncluded` (null: all). O(entries + range), about 5 ns an entry. */
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

/** Where the entries of each key in [base, limit) begin; one more than keys. */
function offsetsOf(keys: Uint32Array, rows: Uint32Array | null, count: number, base: number, limit: number): Uint32Array {
  const offsets = sharedArray(EMPTY_U32, limit - base + 1);
  if (rows === null) for (let i = 0; i < count; i++) offsets[(keys[i] as number) - base + 1]!++;
  else for (let i = 0; i < count; i++) offsets[(keys[rows[i] as number] as number) - base + 1]!++;
  for (let i = 1; i < offsets.length; i++) offsets[i] = (offsets[i] as number) + (offsets[i - 1] as number);
  return offsets;
}
