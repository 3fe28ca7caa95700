/**
 * Variable-length patterns: enumerates trails (walks without repeated relationships) depth first, on an explicit stack.
 *
 * `next()` returns DONE, ROW, or PAUSE (other statements should run; call it again). It counts a step for each
 * neighbour examined, and more on a long trail, since a relationship is compared with those used. The stack is charged
 * to the statement until the walk has ended.
 */
import { RelationshipValue, type Value } from '../../../value/index.ts';
import type { Adjacent } from './adjacent.ts';
import type { Traversal } from './traversal.ts';
import { holdsRelationship, type WalkShape } from './walk-shape.ts';

/** The walk has ended. */
export const DONE = 0;

/** The walk has found a trail, which is the current row. */
export const ROW = 1;

/** The walk should be interrupted, then continued with `next()`. */
export const PAUSE = 2;

/** The result of `next()`. */
export type WalkState = typeof DONE | typeof ROW | typeof PAUSE;

/** Binary logarithm of the relationships compared in the time of one step. */
const COMPARED = 5;
/** Steps that are counted together. */
const COUNTED_TOGETHER = 32;
/** Bytes for a level of the stack: a cursor, a node and a relationship. */
const BYTES_PER_LEVEL = 192;
/** Bytes for a match of the inner pattern of a quantified path: an object, and two lists. */
const BYTES_PER_REPETITION = 160;
const LEVELS_CHARGED_TOGETHER = 1024;
/** Bytes for a relationship in a list: its place, and a value. */
export const BYTES_PER_RELATIONSHIP = 64;

/** Returns the number of excluded relationships, including those in lists; each step is compared with all of them. */
function excludedCount(excluded: readonly Value[]): number {
  return excluded.reduce<number>((count, value) => count + (Array.isArray(value) ? value.length : 1), 0);
}

const NOBODY = new Uint32Array(0);

/** Iterates over the relationships of one node: `advance` moves to the next one and returns false when there are no more. */
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
  private neighbours: Uint32Array = NOBODY;
  private rows: Uint32Array | null = null;
  private rowShift = 0;
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

  /** Returns the current relationship. */
  relationship(): RelationshipValue {
    const { type, row, node, neighbour } = this;
    return this.adjacent!.reverse ? new RelationshipValue(type, row, neighbour, node) : new RelationshipValue(type, row, node, neighbour);
  }

  close(): void {
    this.open(-1, []);
  }

  advance(): boolean {
    for (;;) {
      const adjacent = this.adjacent;
      if (adjacent !== null && this.k < this.end) {
        const k = this.k++;
        const place = k + this.rowShift;
        this.row = this.rows === null ? place : this.rows[place]!;
        this.neighbour = this.neighbours[k]!;
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
    const isThere = adjacency.openList(this.node);
    this.adjacent = adjacent;
    this.k = isThere ? adjacency.first : 0;
    this.end = isThere ? adjacency.end : 0;
    this.neighbours = adjacency.neighbours;
    this.rows = adjacency.rows;
    this.rowShift = adjacency.rowShift;
    this.log = adjacency.hasLog ? adjacency.logHead(this.node) : -1;
  }
}

/** Enumerates the trails of a variable-length pattern. */
export class Walk {
  end = -1;
  depth = -1;
  /** The deepest level reached. */
  reached = 0;
  private readonly traversal: Traversal;
  private readonly shape: WalkShape;
  private readonly cursors: Cursor[] = [];
  private readonly nodes: number[] = [];
  private readonly pathTypes: number[] = [];
  private readonly pathRows: number[] = [];
  private readonly excludedWork: number;
  private into = -1;
  private fresh = true;
  private adjacents: readonly Adjacent[] = [];
  private chargedBytes = 0;
  /** Steps that were counted but not done yet. */
  private left = 0;

  constructor(traversal: Traversal, shape: WalkShape) {
    this.traversal = traversal;
    this.shape = shape;
    this.excludedWork = excludedCount(shape.excluded) >> COMPARED;
  }

  /** Begins a walk; `into` -1 accepts any end. */
  start(from: number, into: number): void {
    this.adjacents = this.traversal.reads.adjacencies(this.shape.types, this.shape.direction);
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
    let left = this.left;
    while (this.depth >= 0) {
      if (--left < 0) {
        left = COUNTED_TOGETHER;
        if (this.isDue()) {
          this.left = left;
          return PAUSE;
        }
      }
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
      if (this.depth >= this.shape.min && this.accepts()) {
        this.left = left;
        return ROW;
      }
    }
    this.left = left;
    this.release();
    return DONE;
  }

  /** Counts the next steps. Returns true when other statements should run. */
  private isDue(): boolean {
    return this.traversal.limits.worked(COUNTED_TOGETHER * (1 + this.excludedWork + (this.depth >> COMPARED)));
  }

  /** Returns the relationships of the current row in the order walked, or, with `reversed`, in the opposite order. */
  relationships(reversed: boolean): RelationshipValue[] {
    const { reads, limits, memory } = this.traversal;
    limits.count(this.depth);
    memory.hold(BYTES_PER_RELATIONSHIP * this.depth);
    const list: RelationshipValue[] = [];
    for (let i = 0; i < this.depth; i++) list.push(reads.relationshipValue(this.pathTypes[i]!, this.pathRows[i]!)!);
    return reversed ? list.reverse() : list;
  }

  /** Releases the memory charged for the stack. */
  private release(): void {
    this.traversal.memory.release(this.chargedBytes);
    this.chargedBytes = 0;
  }

  private charge(): void {
    const bytes = BYTES_PER_LEVEL * LEVELS_CHARGED_TOGETHER;
    this.traversal.memory.chargeBytes(bytes);
    this.chargedBytes += bytes;
  }

  /** Kept apart from `openLevel`, which stays small so that V8 inlines it. */
  private newLevel(): Cursor {
    const cursor = new Cursor();
    this.cursors.push(cursor);
    if (this.cursors.length % LEVELS_CHARGED_TOGETHER === 0) this.charge();
    return cursor;
  }

  private openLevel(): void {
    const cursor = this.cursors[this.depth] ?? this.newLevel();
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

/** The number of repetitions of a quantified pattern, and the relationships, and lists of them, that it must not use. */
interface Repeated {
  readonly min: number;
  readonly max: number;
  readonly excluded: readonly Value[];
}

/**
 * Matches a quantified path pattern: depth first over repetitions of the inner pattern. `once` returns all matches of
 * the inner pattern from a node, and counts its own work.
 */
export class QuantifiedWalk {
  end = -1;
  private readonly traversal: Pick<Traversal, 'limits' | 'memory'>;
  private readonly once: (from: number) => Repetition[];
  private readonly repeated: Repeated;
  private readonly excludedWork: number;
  private into = -1;
  private from = -1;
  private fresh = true;
  private readonly levels: { readonly list: Repetition[]; at: number; readonly bytes: number }[] = [];
  private readonly taken: Repetition[] = [];
  /** The number of relationships in `taken`, including those in lists. */
  private takenCount = 0;

  constructor(traversal: Pick<Traversal, 'limits' | 'memory'>, once: (from: number) => Repetition[], repeated: Repeated) {
    this.traversal = traversal;
    this.once = once;
    this.repeated = repeated;
    this.excludedWork = excludedCount(repeated.excluded) >> COMPARED;
  }

  start(from: number, into: number): void {
    this.from = from;
    this.into = into;
    this.fresh = true;
  }

  next(): WalkState {
    const { limits } = this.traversal;
    const { min, max } = this.repeated;
    if (this.fresh) {
      this.fresh = false;
      this.openLevel(this.from, max > 0);
      if (min === 0 && this.accepts(this.from)) return ROW;
    }
    while (this.levels.length > 0) {
      if (limits.worked(2 + this.excludedWork + (this.takenCount >> COMPARED))) return PAUSE;
      const level = this.levels[this.levels.length - 1]!;
      while (this.taken.length >= this.levels.length) this.takenCount -= countOf(this.taken.pop()!);
      if (level.at >= level.list.length) {
        this.traversal.memory.release(level.bytes);
        this.levels.pop();
        continue;
      }
      const step = level.list[level.at++]!;
      if (!this.mayTake(step)) continue;
      this.taken.push(step);
      this.takenCount += countOf(step);
      this.openLevel(step.to, this.taken.length < max);
      if (this.taken.length >= min && this.accepts(step.to)) return ROW;
    }
    return DONE;
  }

  /** Lists the repetitions from a node; none if the maximum is reached. */
  private openLevel(node: number, isWanted: boolean): void {
    const list = isWanted ? this.once(node) : [];
    const bytes = BYTES_PER_LEVEL + BYTES_PER_REPETITION * list.length;
    this.traversal.memory.chargeBytes(bytes);
    this.levels.push({ list, at: 0, bytes });
  }

  relationships(reversed: boolean): Value[] {
    this.traversal.limits.count(this.takenCount);
    this.traversal.memory.hold(BYTES_PER_RELATIONSHIP * this.takenCount);
    const list = this.taken.flatMap((step) => flat(step.relationships));
    return reversed ? list.reverse() : list;
  }

  /** Returns the values of the group variable with this index, one per repetition, in the order walked or `reversed`. */
  values(index: number, reversed: boolean): Value[] {
    this.traversal.limits.count(this.taken.length);
    this.traversal.memory.hold(BYTES_PER_RELATIONSHIP * this.taken.length);
    const list = this.taken.map((step) => step.values[index]!);
    return reversed ? list.reverse() : list;
  }

  private accepts(node: number): boolean {
    this.end = node;
    return this.into < 0 || node === this.into;
  }

  private mayTake(step: Repetition): boolean {
    return step.relationships.every((one) => (Array.isArray(one) ? one.every((each) => this.isFree(each)) : this.isFree(one)));
  }

  private isFree(one: Value): boolean {
    const { type, row } = one as RelationshipValue;
    for (const other of this.repeated.excluded) if (holdsRelationship(other, type, row)) return false;
    for (const { relationships } of this.taken) for (const other of relationships) if (holdsRelationship(other, type, row)) return false;
    return true;
  }
}

function countOf({ relationships }: Repetition): number {
  let count = 0;
  for (const one of relationships) count += Array.isArray(one) ? one.length : 1;
  return count;
}

function flat(values: readonly Value[]): Value[] {
  return values.flatMap((value) => (Array.isArray(value) ? value : [value]));
}
