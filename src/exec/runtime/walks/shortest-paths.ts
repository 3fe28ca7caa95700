/**
 * Finds shortest paths between two nodes. A single path is found by bidirectional breadth-first search, level by level
 * from the smaller frontier; all paths of the least length by distances from one end and a walk back; paths with a
 * predicate on the whole path, or with a least length, by enumerating trails of growing length.
 */
import type { RelationshipValue } from '../../../value/index.ts';
import { OrdinalMap } from '../rows/ordinal-map.ts';
import type { Adjacent, Direction } from './adjacent.ts';
import type { Traversal } from './traversal.ts';
import { BYTES_PER_RELATIONSHIP, Cursor, DONE, ROW, Walk } from './walk.ts';
import type { WalkShape } from './walk-shape.ts';

/** Paths as they are found, as lists of relationships; null where other statements should run. */
type Paths = Generator<RelationshipValue[] | null, void, void>;

interface Ends {
  readonly from: number;
  readonly to: number;
}

/**
 * The paths wanted: `shortest`, the first `count` of them; `all`, every path of the least length; `groups`, every path
 * of the `count` least lengths. Paths that `accept` rejects do not count.
 */
interface Wanted {
  readonly mode: 'shortest' | 'all' | 'groups';
  readonly count: number;
  readonly accept: ((relationships: RelationshipValue[]) => boolean) | null;
}

/** Finds shortest paths between two nodes. Yields them as they are found; null where other statements should run. */
export function* shortestPaths(traversal: Traversal, ends: Ends, shape: WalkShape, wanted: Wanted): Paths {
  const { from, to } = ends;
  const { mode, count, accept } = wanted;
  if (shape.min === 0 && from === to && mode !== 'groups' && count === 1 && (accept === null || accept([]))) return yield [];
  const plain = accept === null && shape.min <= 1 && from !== to && count === 1;
  if (plain && mode === 'shortest') yield* new BidirectionalSearch(traversal, shape).run(from, to);
  else if (plain && mode === 'all') yield* allShortest(traversal, ends, shape);
  else yield* byLength(traversal, ends, shape, wanted);
}

function* byLength(traversal: Traversal, { from, to }: Ends, shape: WalkShape, wanted: Wanted): Paths {
  let found = 0;
  let groups = 0;
  for (let length = shape.min; length <= shape.max; length++) {
    const walk = new Walk(traversal, { ...shape, min: length, max: length });
    walk.start(from, to);
    const before = found;
    for (let state = walk.next(); state !== DONE; state = walk.next()) {
      if (state !== ROW) {
        yield null;
        continue;
      }
      const relationships = walk.relationships(false);
      if (wanted.accept !== null && !wanted.accept(relationships)) continue;
      yield relationships;
      found++;
      if (wanted.mode === 'shortest' && found >= wanted.count) return;
    }
    if (found > before && wanted.mode !== 'shortest' && ++groups >= wanted.count) return;
    if (walk.reached < length) return;
  }
}

const OPPOSITE: Record<Direction, Direction> = { out: 'in', in: 'out', both: 'both' };

/** Bytes for a node reached: four numbers, and its place in the map. */
const BYTES_PER_NODE = 64;
const CHARGED_TOGETHER = 1024;

/** One side of the search: for each node reached, the relationship and the node that it was reached from. */
class Side {
  charged = 0;
  private readonly memory: Traversal['memory'];
  readonly seen = new OrdinalMap();
  readonly nodes: number[] = [];
  readonly parents: number[] = [];
  readonly types: number[] = [];
  readonly rows: number[] = [];
  frontierStart = 0;
  depth = 0;
  readonly adjacents: readonly Adjacent[];

  constructor(memory: Traversal['memory'], start: number, adjacents: readonly Adjacent[]) {
    this.memory = memory;
    this.adjacents = adjacents;
    this.add(start, -1, -1, -1);
  }

  get frontierSize(): number {
    return this.nodes.length - this.frontierStart;
  }

  add(node: number, parent: number, type: number, row: number): void {
    this.seen.set(node, this.nodes.length);
    this.nodes.push(node);
    this.parents.push(parent);
    this.types.push(type);
    this.rows.push(row);
    if (this.nodes.length % CHARGED_TOGETHER === 0) this.charge();
  }

  /** Releases the memory charged for the nodes. */
  release(): void {
    this.memory.release(this.charged);
  }

  private charge(): void {
    const bytes = BYTES_PER_NODE * CHARGED_TOGETHER;
    this.memory.chargeBytes(bytes);
    this.charged += bytes;
  }
}

class BidirectionalSearch {
  private readonly reads: Traversal['reads'];
  private readonly limits: Traversal['limits'];
  private readonly memory: Traversal['memory'];
  private readonly shape: WalkShape;
  private readonly cursor = new Cursor();

  constructor({ reads, limits, memory }: Traversal, shape: WalkShape) {
    this.reads = reads;
    this.limits = limits;
    this.memory = memory;
    this.shape = shape;
  }

  *run(from: number, to: number): Paths {
    const forward = new Side(this.memory, from, this.reads.adjacencies(this.shape.types, this.shape.direction));
    const backward = new Side(this.memory, to, this.reads.adjacencies(this.shape.types, OPPOSITE[this.shape.direction]));
    while (forward.depth + backward.depth < this.shape.max) {
      if (forward.frontierSize === 0 || backward.frontierSize === 0) break;
      const isForward = forward.frontierSize <= backward.frontierSize;
      const meeting = yield* isForward ? this.grow(forward, backward, true) : this.grow(backward, forward, false);
      if (meeting < 0) continue;
      yield this.path(forward, backward, meeting);
      break;
    }
    forward.release();
    backward.release();
  }

  /** Grows one side by a level. Returns the node at which the two sides met, or -1. */
  private *grow(side: Side, other: Side, forward: boolean): Generator<null, number, void> {
    const end = side.nodes.length;
    for (let i = side.frontierStart; i < end; i++) {
      const node = side.nodes[i]!;
      this.cursor.open(node, side.adjacents);
      if (this.limits.worked(1)) yield null;
      while (this.cursor.advance()) {
        if (this.limits.worked(1)) yield null;
        const { type, row, neighbour } = this.cursor;
        if (side.seen.get(neighbour) >= 0) continue;
        if (
          this.shape.step !== null &&
          !(forward ? this.shape.step(type, row, node, neighbour) : this.shape.step(type, row, neighbour, node))
        )
          continue;
        side.add(neighbour, i, type, row);
        if (other.seen.get(neighbour) >= 0) return neighbour;
      }
    }
    side.frontierStart = end;
    side.depth++;
    return -1;
  }

  private path(forward: Side, backward: Side, meeting: number): RelationshipValue[] {
    const length = forward.depth + backward.depth + 1;
    this.limits.count(length);
    this.memory.hold(BYTES_PER_RELATIONSHIP * length);
    const list: RelationshipValue[] = [];
    for (let i = forward.seen.get(meeting); forward.parents[i]! >= 0; i = forward.parents[i]!) {
      list.push(this.reads.relationshipValue(forward.types[i]!, forward.rows[i]!)!);
    }
    list.reverse();
    for (let i = backward.seen.get(meeting); backward.parents[i]! >= 0; i = backward.parents[i]!) {
      list.push(this.reads.relationshipValue(backward.types[i]!, backward.rows[i]!)!);
    }
    return list;
  }
}

function* allShortest(traversal: Traversal, ends: Ends, shape: WalkShape): Paths {
  const { reads, limits, memory } = traversal;
  const { step } = shape;
  const distances = yield* distancesUntil(traversal, ends, shape);
  const length = distances.get(ends.to);
  if (length < 0) return memory.release(BYTES_PER_NODE * distances.size);
  const backward = reads.adjacencies(shape.types, OPPOSITE[shape.direction]);
  // One cursor for each node of the way back from `to`: recursion could overflow the stack on a long path.
  const cursors = [new Cursor()];
  const nodes = [ends.to];
  const path: RelationshipValue[] = [];
  cursors[0]!.open(ends.to, backward);
  while (nodes.length > 0) {
    if (limits.worked(1)) yield null;
    const at = nodes.length - 1;
    const cursor = cursors[at]!;
    const distance = length - at;
    if (distance === 0 || !cursor.advance()) {
      if (distance === 0) {
        limits.count(length);
        memory.hold(BYTES_PER_RELATIONSHIP * length);
        yield path.toReversed();
      }
      nodes.pop();
      path.pop();
      continue;
    }
    const { type, row, neighbour } = cursor;
    if (distances.get(neighbour) !== distance - 1) continue;
    if (step !== null && !step(type, row, neighbour, nodes[at]!)) continue;
    path.push(reads.relationshipValue(type, row)!);
    nodes.push(neighbour);
    const next = (cursors[at + 1] ??= new Cursor());
    if (distance > 1) next.open(neighbour, backward);
  }
  memory.release(BYTES_PER_NODE * distances.size);
}

/** Returns distances from `from` up to the level at which `to` was found; charges them to the statement. */
function* distancesUntil(
  { reads, limits, memory }: Traversal,
  { from, to }: Ends,
  { types, direction, max, step }: WalkShape,
): Generator<null, OrdinalMap, void> {
  const adjacents = reads.adjacencies(types, direction);
  const distances = new OrdinalMap();
  distances.set(from, 0);
  const cursor = new Cursor();
  let frontier = [from];
  for (let depth = 1; depth <= max && frontier.length > 0 && distances.get(to) < 0; depth++) {
    const next: number[] = [];
    for (const node of frontier) {
      cursor.open(node, adjacents);
      if (limits.worked(1)) yield null;
      while (cursor.advance()) {
        if (limits.worked(1)) yield null;
        if (distances.get(cursor.neighbour) >= 0) continue;
        if (step !== null && !step(cursor.type, cursor.row, node, cursor.neighbour)) continue;
        distances.set(cursor.neighbour, depth);
        next.push(cursor.neighbour);
      }
    }
    memory.chargeBytes(BYTES_PER_NODE * next.length);
    frontier = next;
  }
  memory.chargeBytes(BYTES_PER_NODE);
  return distances;
}
