/**
 * A heap of nodes by priority, the least first, and of equal ones the smaller node. Each place has four children, so
 * that the heap is flat. A node stands in it once at most.
 */
import type { Arrays } from '../work.ts';

/** The arrays of a heap. */
export interface HeapArrays {
  readonly nodes: Uint32Array;
  /** For each node 1 plus its place in the heap; 0: it is not in the heap. */
  readonly places: Uint32Array;
  readonly priorities: Float64Array;
}

/** Makes the arrays of a heap of nodes. */
export function heapArrays(nodeCount: number, arrays: Arrays): HeapArrays {
  return { nodes: arrays.uint32(nodeCount), places: arrays.uint32(nodeCount), priorities: arrays.float64(nodeCount) };
}

/** A heap of nodes by priority. */
export class NodeHeap {
  size = 0;
  private readonly nodes: Uint32Array;
  private readonly places: Uint32Array;
  private readonly priorities: Float64Array;

  /** @param arrays of an empty heap */
  constructor({ nodes, places, priorities }: HeapArrays) {
    this.nodes = nodes;
    this.places = places;
    this.priorities = priorities;
  }

  /** Returns the priority that was set last for a node. */
  priorityOf(node: number): number {
    return this.priorities[node]!;
  }

  has(node: number): boolean {
    return this.places[node] !== 0;
  }

  /** Adds a node, or lowers its priority. */
  set(node: number, priority: number): void {
    this.priorities[node] = priority;
    this.rise(this.places[node] === 0 ? this.size++ : this.places[node]! - 1, node);
  }

  /** Removes the first node, and returns it. The heap must not be empty. */
  pop(): number {
    const { nodes, places } = this;
    const first = nodes[0]!;
    places[first] = 0;
    this.size--;
    if (this.size > 0) this.sink(nodes[this.size]!);
    return first;
  }

  /** Removes all nodes, in no particular order. @param leaves called for each of them */
  clear(leaves: (node: number) => void = () => {}): void {
    for (let i = 0; i < this.size; i++) {
      const node = this.nodes[i]!;
      this.places[node] = 0;
      leaves(node);
    }
    this.size = 0;
  }

  private rise(from: number, node: number): void {
    const { nodes, places, priorities } = this;
    const priority = priorities[node]!;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 2;
      const other = nodes[above]!;
      const own = priorities[other]!;
      if (own < priority || (own === priority && other < node)) break;
      nodes[at] = other;
      places[other] = at + 1;
      at = above;
    }
    nodes[at] = node;
    places[node] = at + 1;
  }

  /** Puts a node at the top, and moves it down to its place. */
  private sink(node: number): void {
    const { nodes, places, priorities, size } = this;
    const priority = priorities[node]!;
    let at = 0;
    for (;;) {
      const first = (at << 2) + 1;
      if (first >= size) break;
      let least = first;
      for (let child = first + 1; child < Math.min(size, first + 4); child++) {
        const difference = priorities[nodes[child]!]! - priorities[nodes[least]!]!;
        if (difference < 0 || (difference === 0 && nodes[child]! < nodes[least]!)) least = child;
      }
      const other = nodes[least]!;
      const own = priorities[other]!;
      if (own > priority || (own === priority && other > node)) break;
      nodes[at] = other;
      places[other] = at + 1;
      at = least;
    }
    nodes[at] = node;
    places[node] = at + 1;
  }
}
