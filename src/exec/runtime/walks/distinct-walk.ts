/**
 * Finds the distinct ends of all trails from a node, of length min ≤ 1 to max: breadth first, each node once. The start
 * itself is an end if it lies on a cycle. In a walk without direction, the cycle must close over a relationship that
 * the search has not used; this is decided by the branch of each node, the first relationship on the way to it.
 *
 * Ends are delivered in batches: while `next` returns true, the batch is `ends` from `first` to below `last`, possibly
 * empty, and `steps` is the work that it took. The first batches are small, for callers that need only a few ends.
 *
 * The list of the node set is also the queue of the search: first the start, then the nodes in the order found. While
 * the start is not known to be an end, and any way back to it would make it one, it has no mark, and is found like any
 * other node. Its relationships are then walked a second time, which finds nothing new.
 */

import type { AdjacencyView } from '../../../graph/index.ts';
import type { NodeSet } from '../rows/node-set.ts';
import type { Adjacent } from './adjacent.ts';
import type { Traversal } from './traversal.ts';
import { Cursor } from './walk.ts';
import type { WalkShape } from './walk-shape.ts';

const LARGEST_BATCH = 4096;
/** The most nodes whose lists are walked together. */
const MOST_NODES = 512;
/** Steps of work without an end after which `next` returns, so that the statement may be interrupted. */
const MOST_STEPS = 32768;

/** Branches and depths of the nodes by their index in the list, for detecting a cycle through the start. */
interface Branches {
  readonly depths: number[];
  /** The index in `first` of the relationship by which the way to the node begins; -1 for the start. */
  readonly branches: number[];
  readonly first: { readonly type: number; readonly row: number }[];
}

function lengthIn(adjacency: AdjacencyView, node: number): number {
  return adjacency.openList(node) ? adjacency.end - adjacency.first : 0;
}

/** Finds the distinct ends of all trails from a node. */
export class DistinctWalk {
  first = 0;
  last = 0;
  steps = 0;
  private readonly reads: Traversal['reads'];
  private readonly shape: WalkShape;
  private readonly set: NodeSet;
  private readonly cursor = new Cursor();
  private adjacents: readonly Adjacent[] = [];
  private from = -1;
  private into = -1;
  /** The index in the list of the next node to walk from; `depth` is its distance from the start. */
  private head = 0;
  private depth = 0;
  /** The index behind the last node at that depth. */
  private levelEnd = 1;
  private batch = 1;
  private isOver = false;
  /** Whether relationships need no check: no predicate on a step, and none deleted or in the log. */
  private isPlain = false;
  /** Null if the start is found like any other node, or was found already. */
  private cycle: Branches | null = null;

  /** @param set is cleared, and must not be used elsewhere until this walk has ended */
  constructor({ reads }: Pick<Traversal, 'reads'>, shape: WalkShape, set: NodeSet) {
    this.reads = reads;
    this.shape = shape;
    this.set = set;
  }

  get ends(): Uint32Array {
    return this.set.list;
  }

  /** Begins a walk; `into` -1 accepts any end. */
  start(from: number, into: number): void {
    const { set, shape } = this;
    this.adjacents = this.reads.adjacencies(shape.types, shape.direction);
    const needsWayBack = shape.min > 0;
    set.clear();
    set.cover(this.reads.nodeLimit);
    set.add(from);
    this.cycle = null;
    if (needsWayBack && shape.direction === 'both') {
      set.numbers[from] = 0;
      this.cycle = { depths: [0], branches: [-1], first: [] };
    } else if (needsWayBack) set.marks[from] = 0;
    this.isPlain = shape.step === null && this.adjacents.every(({ adjacency, ended }) => ended === null && !adjacency.hasLog);
    this.from = from;
    this.into = into;
    this.last = needsWayBack ? 1 : 0;
    this.head = 0;
    this.depth = 0;
    this.levelEnd = 1;
    this.batch = 1;
    this.isOver = false;
  }

  /** Finds the next batch. Returns false when the walk has ended. */
  next(): boolean {
    if (this.isOver) return false;
    this.first = this.last;
    this.search();
    this.last = this.set.size;
    if (this.into >= 0) this.keepInto();
    return true;
  }

  private search(): void {
    const { set, shape } = this;
    const enough = this.first + this.batch;
    this.batch = Math.min(2 * this.batch, LARGEST_BATCH);
    this.steps = 1;
    while (this.steps < MOST_STEPS && set.size < enough) {
      if (this.head === this.levelEnd) {
        this.levelEnd = set.size;
        this.depth++;
      }
      if (this.head === set.size || this.depth >= shape.max) {
        this.isOver = true;
        return;
      }
      this.steps += this.isPlain && this.cycle === null ? this.visitSeveral() : this.visitNeighbours(this.head++);
    }
  }

  /** Visits the neighbours of several nodes of the level, type by type and direction by direction. @returns steps of work */
  private visitSeveral(): number {
    const { set, adjacents } = this;
    const end = Math.min(this.levelEnd, this.head + Math.min(this.batch, MOST_NODES));
    let work = 0;
    let last = this.head;
    for (; last < end && work < MOST_STEPS; last++) {
      work++;
      for (const { adjacency } of adjacents) work += lengthIn(adjacency, set.list[last]!);
    }
    for (const { adjacency } of adjacents) set.addNeighbours(this.head, last, adjacency);
    this.head = last;
    return work;
  }

  /** Reduces the batch to the wanted node, if it was found, which ends the walk. */
  private keepInto(): void {
    const { set, into } = this;
    const isFound = set.marks[into] === 1 && !(into === this.from && this.cycle !== null);
    if (isFound) {
      this.first = set.list.subarray(0, set.size).lastIndexOf(into);
      this.last = this.first + 1;
      this.isOver = true;
    } else this.first = this.last;
  }

  /** @returns steps of work */
  private visitNeighbours(at: number): number {
    const node = this.set.list[at]!;
    let work = 1;
    for (const adjacent of this.adjacents) {
      const { adjacency, ended } = adjacent;
      const isPlain =
        ended === null && this.shape.step === null && this.cycle === null && (!adjacency.hasLog || adjacency.logHead(node) < 0);
      work += isPlain ? this.set.addNeighbours(at, at + 1, adjacency) : this.visitOneByOne(at, node, adjacent);
    }
    return work;
  }

  private visitOneByOne(at: number, node: number, adjacent: Adjacent): number {
    const { cursor, set } = this;
    const { step } = this.shape;
    let work = 0;
    cursor.open(node, [adjacent]);
    for (; cursor.advance(); work++) {
      const { type, row, neighbour } = cursor;
      if (step !== null && !step(type, row, node, neighbour)) continue;
      if (this.cycle === null) set.add(neighbour);
      else this.visitBranch(this.cycle, at, set.add(neighbour));
    }
    return work;
  }

  /** Handles a relationship from the node at index `at` to a neighbour that is new, or that may close a cycle. */
  private visitBranch(cycle: Branches, at: number, isNew: boolean): void {
    const { depths, branches, first } = cycle;
    const { type, row, neighbour } = this.cursor;
    // The index of each member in the list.
    const places = this.set.numbers;
    if (!isNew) {
      if (this.closesCycle(cycle, at, places[neighbour]!)) this.foundStart();
      return;
    }
    places[neighbour] = depths.length;
    depths.push(depths[at]! + 1);
    branches.push(at === 0 ? first.push({ type, row }) - 1 : branches[at]!);
  }

  /** Adds the start to the list a second time, as an end. */
  private foundStart(): void {
    this.cycle = null;
    this.set.marks[this.from] = 0;
    this.set.add(this.from);
  }

  /** Tells whether the relationship under the cursor closes a cycle through the start. @param known index of the neighbour */
  private closesCycle({ depths, branches, first }: Branches, at: number, known: number): boolean {
    if (at === 0 && known === 0) return true;
    const depth = depths[at]!;
    if (known === 0 || at === 0) {
      const { type, row } = this.cursor;
      const step = first[branches[known === 0 ? at : known]!]!;
      const other = known === 0 ? depth : depths[known]!;
      return !(step.type === type && step.row === row) && other + 1 <= this.shape.max;
    }
    return branches[at] !== branches[known] && depth + depths[known]! + 1 <= this.shape.max;
  }
}
