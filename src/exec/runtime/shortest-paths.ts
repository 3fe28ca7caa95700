/**
 * Shortest paths between two nodes. Plain ones by bidirectional breadth-first search, level by level from the smaller frontier; all of the least length by
 * distances from one end and a walk back; those with a predicate on the whole path, or with a least length, by enumeration of trails of growing length.
 */
import type { RelationshipValue } from '../../value/index.ts';
import { OrdinalMap } from './ordinal-map.ts';
import type { Adjacent, Direction, Reads } from './reads.ts';
import { Cursor, DONE, ROW, Walk, type WalkShape } from './walk.ts';

type Paths = RelationshipValue[][];

interface Ends {
  readonly from: number;
  readonly to: number;
}

/** How many paths: any of the least length, all of it, or all of the `count` least lengths; `accept`: the paths that count at all. */
interface Wanted {
  readonly mode: 'shortest' | 'all' | 'groups';
  readonly count: number;
  readonly accept: ((relationships: RelationshipValue[]) => boolean) | null;
}

export function shortestPaths(reads: Reads, ends: Ends, shape: WalkShape, wanted: Wanted): Paths {
  const { from, to } = ends;
  const { mode, count, accept } = wanted;
  if (shape.min === 0 && from === to && mode !== 'groups' && count === 1 && (accept === null || accept([]))) return [[]];
  const plain = accept === null && shape.min <= 1 && from !== to && count === 1;
  if (plain && mode === 'shortest') return new BidirectionalSearch(reads, shape).run(from, to);
  if (plain && mode === 'all') return allShortest(reads, ends, shape);
  return byLength(reads, ends, shape, wanted);
}

function byLength(reads: Reads, { from, to }: Ends, shape: WalkShape, wanted: Wanted): Paths {
  const found: Paths = [];
  let groups = 0;
  for (let length = shape.min; length <= shape.max; length++) {
    const walk = new Walk(reads, { ...shape, min: length, max: length });
    walk.start(from, to);
    const before = found.length;
    for (let state = walk.next(); state !== DONE; state = walk.next()) {
      if (state !== ROW) {
        reads.tick();
        continue;
      }
      const relationships = walk.relationships(false);
      if (wanted.accept !== null && !wanted.accept(relationships)) continue;
      found.push(relationships);
      if (wanted.mode === 'shortest' && found.length >= wanted.count) return found;
    }
    if (found.length > before && wanted.mode !== 'shortest' && ++groups >= wanted.count) return found;
    if (walk.reached < length) return found;
  }
  return found;
}

const OPPOSITE: Record<Direction, Direction> = { out: 'in', in: 'out', both: 'both' };

/** One side of a search: which relationship each node was reached by, and from where. */
class Side {
  readonly seen = new OrdinalMap();
  readonly nodes: number[] = [];
  readonly parents: number[] = [];
  readonly types: number[] = [];
  readonly rows: number[] = [];
  frontierStart = 0;
  depth = 0;
  readonly adjacents: readonly Adjacent[];

  constructor(start: number, adjacents: readonly Adjacent[]) {
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
  }
}

class BidirectionalSearch {
  private readonly reads: Reads;
  private readonly shape: WalkShape;
  private readonly cursor = new Cursor();
  private work = 0;

  constructor(reads: Reads, shape: WalkShape) {
    this.reads = reads;
    this.shape = shape;
  }

  run(from: number, to: number): Paths {
    const forward = new Side(from, this.reads.adjacencies(this.shape.types, this.shape.direction));
    const backward = new Side(to, this.reads.adjacencies(this.shape.types, OPPOSITE[this.shape.direction]));
    while (forward.depth + backward.depth < this.shape.max) {
      if (forward.frontierSize === 0 || backward.frontierSize === 0) return [];
      const isForward = forward.frontierSize <= backward.frontierSize;
      const meeting = isForward ? this.grow(forward, backward, true) : this.grow(backward, forward, false);
      if (meeting >= 0) return [this.path(forward, backward, meeting)];
    }
    return [];
  }

  /** One level. The node at which the two sides met, or -1. */
  private grow(side: Side, other: Side, forward: boolean): number {
    const end = side.nodes.length;
    for (let i = side.frontierStart; i < end; i++) {
      const node = side.nodes[i]!;
      this.cursor.open(node, side.adjacents);
      while (this.cursor.advance()) {
        if (++this.work > 65536) {
          this.work = 0;
          this.reads.tick();
        }
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

function allShortest(reads: Reads, ends: Ends, shape: WalkShape): Paths {
  const { step } = shape;
  const distances = distancesUntil(reads, ends, shape);
  const length = distances.get(ends.to);
  if (length < 0) return [];
  const backward = reads.adjacencies(shape.types, OPPOSITE[shape.direction]);
  const found: Paths = [];
  const path: RelationshipValue[] = [];
  const walkBack = (node: number, distance: number): void => {
    if (distance === 0) {
      found.push(path.toReversed());
      reads.charge(1, path.length);
      return;
    }
    const cursor = new Cursor();
    cursor.open(node, backward);
    while (cursor.advance()) {
      const { type, row, neighbour } = cursor;
      if (distances.get(neighbour) !== distance - 1) continue;
      if (step !== null && !step(type, row, neighbour, node)) continue;
      path.push(reads.relationshipValue(type, row)!);
      walkBack(neighbour, distance - 1);
      path.pop();
    }
  };
  walkBack(ends.to, length);
  return found;
}

/** Distances from `from`, up to the level at which `to` was found. */
function distancesUntil(reads: Reads, { from, to }: Ends, { types, direction, max, step }: WalkShape): OrdinalMap {
  const adjacents = reads.adjacencies(types, direction);
  const distances = new OrdinalMap();
  distances.set(from, 0);
  const cursor = new Cursor();
  let frontier = [from];
  for (let depth = 1; depth <= max && frontier.length > 0 && distances.get(to) < 0; depth++) {
    const next: number[] = [];
    for (const node of frontier) {
      cursor.open(node, adjacents);
      while (cursor.advance()) {
        if (distances.get(cursor.neighbour) >= 0) continue;
        if (step !== null && !step(cursor.type, cursor.row, node, cursor.neighbour)) continue;
        distances.set(cursor.neighbour, depth);
        next.push(cursor.neighbour);
      }
      reads.tick();
    }
    frontier = next;
  }
  return distances;
}
