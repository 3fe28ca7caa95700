/**
 * Variable-length patterns: depth-first enumeration of trails (no relationship twice), with an explicit stack.
 *
 * `next()` answers DONE, ROW, or PAUSE (it worked long enough without a row to let the statement be interrupted; call it again).
 */
import type { RelationshipValue, Value } from '../../../value/index.ts';
import type { Reads } from '../reads.ts';
import type { Adjacent } from './adjacent.ts';
import { holdsRelationship, type WalkShape } from './walk-shape.ts';

export const DONE = 0;
export const ROW = 1;
export const PAUSE = 2;
export type WalkState = typeof DONE | typeof ROW | typeof PAUSE;

const PAUSE_AFTER = 32768;

/** A position in the relationships of one node. `advance` moves to the next one there is. */
export class Cursor {
  type = -1;
  row = -1;
  neighbour = -1;
  private node = -1;
  private list: readonly Adjacent[] = [];
  private at = 0;
  private adjacent: Adjacent | null = null;
  private k = 0;
  private end = 0;
  private log = -1;

  open(node: number, list: readonly Adjacent[]): void {
    this.node = node;
    this.list = list;
    this.at = 0;
    this.adjacent = null;
    this.k = 0;
    this.end = 0;
    this.log = -1;
  }

  close(): void {
    this.open(-1, []);
  }

  advance(): boolean {
    for (;;) {
      const adjacent = this.adjacent;
      if (adjacent !== null && this.k < this.end) {
        const k = this.k++;
        this.row = adjacent.rows === null ? k : adjacent.rows[k]!;
        this.neighbour = adjacent.neighbours[k]!;
      } else if (adjacent !== null && this.log >= 0) {
        this.row = this.log;
        this.neighbour = adjacent.logEnds[this.row]!;
        this.log = adjacent.adjacency.logNext[this.row - adjacent.adjacency.logBase]!;
        if (this.row >= adjacent.table.rowCount) continue;
      } else if (this.at < this.list.length) {
        this.enter(this.list[this.at++]!);
        continue;
      } else return false;
      const current = this.adjacent!;
      const { ended } = current;
      if (ended !== null && ((ended[this.row >> 3]! >> (this.row & 7)) & 1) === 1 && !current.table.isVisible(this.row)) continue;
      if (current.skipLoops && this.neighbour === this.node) continue;
      this.type = current.table.type;
      return true;
    }
  }

  private enter(adjacent: Adjacent): void {
    const { adjacency } = adjacent;
    const at = this.node - adjacency.base;
    const inside = this.node >= adjacency.base && this.node < adjacency.limit;
    this.adjacent = adjacent;
    this.k = inside ? adjacency.offsets[at]! : 0;
    this.end = inside ? adjacency.offsets[at + 1]! : 0;
    this.log = adjacency.hasLog ? adjacency.logHead(this.node) : -1;
  }
}

export class Walk {
  end = -1;
  depth = -1;
  /** The deepest level that was reached. */
  reached = 0;
  private readonly reads: Reads;
  private readonly shape: WalkShape;
  private readonly cursors: Cursor[] = [];
  private readonly nodes: number[] = [];
  private readonly pathTypes: number[] = [];
  private readonly pathRows: number[] = [];
  private into = -1;
  private fresh = true;
  private adjacents: readonly Adjacent[] = [];

  constructor(reads: Reads, shape: WalkShape) {
    this.reads = reads;
    this.shape = shape;
  }

  /** `into` -1: any end. */
  start(from: number, into: number): void {
    this.adjacents = this.reads.adjacencies(this.shape.types, this.shape.direction);
    this.nodes[0] = from;
    this.into = into;
    this.fresh = true;
    this.depth = 0;
    this.reached = 0;
  }

  next(): WalkState {
    if (this.fresh) {
      this.fresh = false;
      this.openLevel();
      if (this.shape.min === 0 && this.accepts()) return ROW;
    }
    for (let work = 0; this.depth >= 0; ) {
      if (++work > PAUSE_AFTER) return PAUSE;
      const cursor = this.cursors[this.depth]!;
      if (!cursor.advance()) {
        this.depth--;
        continue;
      }
      if (!this.mayTake(cursor)) continue;
      this.pathTypes[this.depth] = cursor.type;
      this.pathRows[this.depth] = cursor.row;
      this.nodes[++this.depth] = cursor.neighbour;
      if (this.depth > this.reached) this.reached = this.depth;
      this.openLevel();
      if (this.depth >= this.shape.min && this.accepts()) return ROW;
    }
    return DONE;
  }

  /** The relationships of the present row, in the order walked, or the other way round. */
  relationships(reversed: boolean): RelationshipValue[] {
    const list: RelationshipValue[] = [];
    for (let i = 0; i < this.depth; i++) list.push(this.reads.relationshipValue(this.pathTypes[i]!, this.pathRows[i]!)!);
    return reversed ? list.reverse() : list;
  }

  private openLevel(): void {
    const cursor = (this.cursors[this.depth] ??= new Cursor());
    if (this.depth < this.shape.max) cursor.open(this.nodes[this.depth]!, this.adjacents);
    else cursor.close();
  }

  private accepts(): boolean {
    this.end = this.nodes[this.depth]!;
    return this.into < 0 || this.end === this.into;
  }

  private mayTake(cursor: Cursor): boolean {
    const { type, row } = cursor;
    for (let i = this.depth - 1; i >= 0; i--) if (this.pathRows[i] === row && this.pathTypes[i] === type) return false;
    for (const other of this.shape.excluded) if (holdsRelationship(other, type, row)) return false;
    return this.shape.step === null || this.shape.step(type, row, this.nodes[this.depth]!, cursor.neighbour);
  }
}

interface Repetition {
  readonly to: number;
  readonly relationships: readonly Value[];
  readonly values: readonly Value[];
}

/** A quantified path pattern: depth-first over repetitions of the inner pattern, each of which `once` lists from a node. */
export class QuantifiedWalk {
  end = -1;
  private readonly once: (from: number) => Repetition[];
  private readonly min: number;
  private readonly max: number;
  private readonly excluded: readonly Value[];
  private into = -1;
  private from = -1;
  private fresh = true;
  private readonly levels: { list: Repetition[]; at: number }[] = [];
  private readonly taken: Repetition[] = [];

  constructor(once: (from: number) => Repetition[], min: number, max: number, excluded: readonly Value[]) {
    this.once = once;
    this.min = min;
    this.max = max;
    this.excluded = excluded;
  }

  start(from: number, into: number): void {
    this.from = from;
    this.into = into;
    this.fresh = true;
    this.levels.length = 0;
    this.taken.length = 0;
  }

  next(): WalkState {
    if (this.fresh) {
      this.fresh = false;
      this.levels.push({ list: this.max > 0 ? this.once(this.from) : [], at: 0 });
      if (this.min === 0 && this.accepts(this.from)) return ROW;
    }
    for (let work = 0; this.levels.length > 0; ) {
      if (++work > PAUSE_AFTER) return PAUSE;
      const level = this.levels[this.levels.length - 1]!;
      this.taken.length = this.levels.length - 1;
      if (level.at >= level.list.length) {
        this.levels.pop();
        continue;
      }
      const step = level.list[level.at++]!;
      if (!this.mayTake(step)) continue;
      this.taken.push(step);
      this.levels.push({ list: this.taken.length < this.max ? this.once(step.to) : [], at: 0 });
      if (this.taken.length >= this.min && this.accepts(step.to)) return ROW;
    }
    return DONE;
  }

  relationships(reversed: boolean): Value[] {
    const list = this.taken.flatMap((step) => flat(step.relationships));
    return reversed ? list.reverse() : list;
  }

  /** What the repetitions bound to their group variable `index`, in the order of the pattern. */
  values(index: number, reversed: boolean): Value[] {
    const list = this.taken.map((step) => step.values[index]!);
    return reversed ? list.reverse() : list;
  }

  private accepts(node: number): boolean {
    this.end = node;
    return this.into < 0 || node === this.into;
  }

  private mayTake(step: Repetition): boolean {
    const used = [...this.excluded, ...this.taken.flatMap((one) => one.relationships)];
    return flat(step.relationships).every((one) => {
      const relationship = one as RelationshipValue;
      return !used.some((other) => holdsRelationship(other, relationship.type, relationship.row));
    });
  }
}

function flat(values: readonly Value[]): Value[] {
  return values.flatMap((value) => (Array.isArray(value) ? value : [value]));
}
