/**
 * The distinct ends of all trails from a node, of length min ≤ 1 to max: breadth first, each node once. The start
 * itself is an end when it lies on a cycle; walked without direction the cycle must close over a relationship that the
 * search has not come by, which the first relationship on the way to each node (its branch) tells.
 *
 * Ends leave in batches: as long as `next` is true, `ends` from `first` to below `last`, which may be none, and `steps`
 * is the work that it was. The first batches are small, for who wants only some.
 *
 * The list of the set is the queue of the search too: first the start, then the nodes as they were found. As long as
 * the start is not known to be an end, it has no mark where any way back to it makes it one: it is then found like any
 * other node. Its relationships are walked once more for that, which finds nothing.
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
/** Work without a row after which the statement may be interrupted. */
const MOST_STEPS = 32768;

/** The branches that the search for a cycle through the start needs, of the nodes by their place in the list. */
interface Branches {
  readonly depths: number[];
  /** The place in `first` of the relationship by which the way to the node begins; -1: it is the start. */
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
  /** The next node whose relationships are walked, by its place in the list, and how far from the start it is. */
  private head = 0;
  private depth = 0;
  /** Behind the last node at that depth. */
  private levelEnd = 1;
  private batch = 1;
  private isOver = false;
  /** Nothing is to be asked of a relationship but where it leads. */
  private isPlain = false;
  /** null: the start is found like any other node, or was found. */
  private cycle: Branches | null = null;

  /** `set`: used by nobody else until this walk has ended; what is in it goes. */
  constructor({ reads }: Pick<Traversal, 'reads'>, shape: WalkShape, set: NodeSet) {
    this.reads = reads;
    this.shape = shape;
    this.set = set;
  }

  get ends(): Uint32Array {
    return this.set.list;
  }

  /** `into` -1: any end. */
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

  /** False: there are no more. */
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

  /** Visits all neighbours of some nodes of the level, type by type and direction by direction. @returns how much work it was */
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

  /** Keeps of the batch only the node that is looked for: that ends the walk. */
  private keepInto(): void {
    const { set, into } = this;
    const isFound = set.marks[into] === 1 && !(into === this.from && this.cycle !== null);
    if (isFound) {
      this.first = set.list.subarray(0, set.size).lastIndexOf(into);
      this.last = this.first + 1;
      this.isOver = true;
    } else this.first = this.last;
  }

  /** @returns how much work it was */
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

  /** The relationship under the cursor leads from the node at that place to one that is new, or to one that was reached before. */
  private visitBranch(cycle: Branches, at: number, isNew: boolean): void {
    const { depths, branches, first } = cycle;
    const { type, row, neighbour } = this.cursor;
    // Where the members stand.
    const places = this.set.numbers;
    if (!isNew) {
      if (this.closesCycle(cycle, at, places[neighbour]!)) this.foundStart();
      return;
    }
    places[neighbour] = depths.length;
    depths.push(depths[at]! + 1);
    branches.push(at === 0 ? first.push({ type, row }) - 1 : branches[at]!);
  }

  /** It is in the list a second time, as an end. */
  private foundStart(): void {
    this.cycle = null;
    this.set.marks[this.from] = 0;
    this.set.add(this.from);
  }

  /** `known`: where the neighbour stands that was reached again. */
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
