/**
 * A set of node ordinals: one byte for each ordinal, 1 for members, and a list of the members. Adding takes one read
 * and two writes, without a branch that the processor would have to predict; clearing takes one write per member. Bytes
 * are used instead of bits, which took a third longer when all of them were in the cache, and no less when they were
 * not.
 *
 * Empty sets are passed on from statement to statement, so that only the first one pays for an array as long as the
 * graph has nodes.
 */

import type { AdjacencyView } from '../../../graph/index.ts';

const MOST_FREE = 6;
/** Sets with more marks than this are left to the garbage collector. */
const LONGEST_FREE = 1 << 26;
const free: NodeSet[] = [];

/** Takes an empty set that covers ordinals below `limit`; only `add` may add higher ones. */
export function takeNodeSet(limit: number): NodeSet {
  const set = free.pop() ?? new NodeSet();
  set.cover(limit);
  return set;
}

/** Gives back a set that is no longer used. A set that a stopped statement never gives back is garbage-collected. */
export function giveNodeSet(set: NodeSet): void {
  set.clear();
  if (set.marks.length <= LONGEST_FREE && free.length < MOST_FREE) free.push(set);
}

/**
 * Adds nodes to the arrays of a set. It is a function of its own over local variables, because the same loop inside a
 * larger method takes twice as long.
 *
 * @returns the new size
 */
function addNodes(marks: Uint8Array, list: Uint32Array, before: number, nodes: Uint32Array, from: number, to: number): number {
  let size = before | 0;
  for (let k = from; k < to; k++) {
    const node = nodes[k]!;
    const known = marks[node]!;
    marks[node] = 1;
    list[size] = node;
    size = (size + 1 - known) | 0;
  }
  return size;
}

/** A set of nodes, by their ordinals. */
export class NodeSet {
  /** For each ordinal, 1 if it is a member, else 0. */
  marks: Uint8Array = new Uint8Array(1024);
  /** The members in order of arrival, at the indexes below `size`. */
  list: Uint32Array = new Uint32Array(64);
  size = 0;
  private anything: Int32Array | null = null;

  /** Numbers by ordinal, not initialized: callers must read only entries that they have written. */
  get numbers(): Int32Array {
    if (this.anything === null || this.anything.length < this.marks.length) {
      const numbers = new Int32Array(this.marks.length);
      if (this.anything !== null) numbers.set(this.anything);
      this.anything = numbers;
    }
    return this.anything;
  }

  /** Makes the marks cover the ordinals below `limit`. */
  cover(limit: number): void {
    if (limit <= this.marks.length) return;
    const marks = new Uint8Array(limit + (limit >> 3));
    if (this.size > 0) marks.set(this.marks);
    this.marks = marks;
  }

  /** Makes room in the list for `more` members, and for one that is written but may not stay. */
  reserve(more: number): void {
    if (this.size + more < this.list.length) return;
    const list = new Uint32Array(2 * (this.size + more) + 1);
    list.set(this.list.subarray(0, this.size));
    this.list = list;
  }

  /** Adds a node. Returns true if it was not in the set. */
  add(node: number): boolean {
    if (node >= this.marks.length) this.cover(node + 1);
    if (this.size + 1 >= this.list.length) this.reserve(1);
    const isNew = this.marks[node]! ^ 1;
    this.marks[node] = 1;
    this.list[this.size] = node;
    this.size += isNew;
    return isNew === 1;
  }

  /** Adds `nodes` from index `from` to below `to`; the marks must cover all of them. */
  addAll(nodes: Uint32Array, from: number, to: number): void {
    this.reserve(to - from);
    this.size = addNodes(this.marks, this.list, this.size, nodes, from, to);
  }

  /** Appends nodes to the list without marking them; `markAll` may mark them later. */
  append(nodes: Uint32Array, from: number, to: number): void {
    this.reserve(to - from);
    this.list.set(nodes.subarray(from, to), this.size);
    this.size += to - from;
  }

  markAll(): void {
    const { marks, list, size } = this;
    for (let i = 0; i < size; i++) marks[list[i]!] = 1;
  }

  /** Adds the neighbours of the members from index `first` to below `last`. @returns how many neighbours there are, new or not */
  addNeighbours(first: number, last: number, adjacency: AdjacencyView): number {
    let count = 0;
    for (let i = first; i < last; i++) if (adjacency.openList(this.list[i]!)) count += adjacency.end - adjacency.first;
    this.reserve(Math.min(count, this.marks.length + 1 - this.size));
    const { marks, list } = this;
    let size = this.size;
    for (let i = first; i < last; i++) {
      if (adjacency.openList(list[i]!)) size = addNodes(marks, list, size, adjacency.neighbours, adjacency.first, adjacency.end);
    }
    this.size = size;
    return count;
  }

  clear(): void {
    const { marks, list, size } = this;
    for (let i = 0; i < size; i++) marks[list[i]!] = 0;
    this.size = 0;
  }
}
