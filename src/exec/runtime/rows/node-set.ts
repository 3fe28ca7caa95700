/**
 * A set of node ordinals: a byte for each ordinal there is, 1 for members, and the members as a list. To add is one
 * look and two writes without a branch that the processor would have to guess; to clear, a write for each member. A
 * byte a node and not a bit: bits took a third longer where all of them are in the cache, and no less where they are
 * not.
 *
 * Sets go from statement to statement, empty: nobody pays for as many bytes as the graph has nodes but the first.
 */

import type { AdjacencyView } from '../../../graph/index.ts';

const MOST_FREE = 6;
/** Longer ones are left to the garbage collector. */
const LONGEST_FREE = 1 << 26;
const free: NodeSet[] = [];

/** An empty set for ordinals below `limit`; others may be added by `add` alone. */
export function takeNodeSet(limit: number): NodeSet {
  const set = free.pop() ?? new NodeSet();
  set.cover(limit);
  return set;
}

/** Nobody uses it any more. One that never comes back (its statement was stopped) is no loss. */
export function giveNodeSet(set: NodeSet): void {
  set.clear();
  if (set.marks.length <= LONGEST_FREE && free.length < MOST_FREE) free.push(set);
}

/**
 * A function of its own over arrays that are its own locals: the same loop within a method that does more takes twice
 * as long.
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

/** A set of nodes by their ordinals. */
export class NodeSet {
  /** 1 or 0 for each ordinal. */
  marks: Uint8Array = new Uint8Array(1024);
  /** The members, from the first to below `size`, in the order in which they came. */
  list: Uint32Array = new Uint32Array(64);
  size = 0;
  private anything: Int32Array | null = null;

  /** Numbers by ordinal, of any content: for who believes what stands there for members alone, and wrote it himself. */
  get numbers(): Int32Array {
    if (this.anything === null || this.anything.length < this.marks.length) {
      const numbers = new Int32Array(this.marks.length);
      if (this.anything !== null) numbers.set(this.anything);
      this.anything = numbers;
    }
    return this.anything;
  }

  /** Makes marks for the ordinals below `limit`. */
  cover(limit: number): void {
    if (limit <= this.marks.length) return;
    const marks = new Uint8Array(limit + (limit >> 3));
    if (this.size > 0) marks.set(this.marks);
    this.marks = marks;
  }

  /** Makes room in the list for so many more, and for one that is written and does not stay. */
  reserve(more: number): void {
    if (this.size + more < this.list.length) return;
    const list = new Uint32Array(2 * (this.size + more) + 1);
    list.set(this.list.subarray(0, this.size));
    this.list = list;
  }

  /** True when it was not there. */
  add(node: number): boolean {
    if (node >= this.marks.length) this.cover(node + 1);
    if (this.size + 1 >= this.list.length) this.reserve(1);
    const isNew = this.marks[node]! ^ 1;
    this.marks[node] = 1;
    this.list[this.size] = node;
    this.size += isNew;
    return isNew === 1;
  }

  /** Adds `nodes` from `from` to below `to`, all of them covered. */
  addAll(nodes: Uint32Array, from: number, to: number): void {
    this.reserve(to - from);
    this.size = addNodes(this.marks, this.list, this.size, nodes, from, to);
  }

  /** Puts nodes into the list that get their marks later, by `markAll`, or never. */
  append(nodes: Uint32Array, from: number, to: number): void {
    this.reserve(to - from);
    this.list.set(nodes.subarray(from, to), this.size);
    this.size += to - from;
  }

  markAll(): void {
    const { marks, list, size } = this;
    for (let i = 0; i < size; i++) marks[list[i]!] = 1;
  }

  /** Adds the neighbours of the members at `first` to below `last`. @returns how many there are, new or not */
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
