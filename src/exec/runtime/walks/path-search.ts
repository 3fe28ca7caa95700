/**
 * Finds the shortest paths that match a pattern, for each pair of ends. A breadth-first search over pairs of a node and
 * a state of the pattern's automaton computes the fewest relationships from the start to each pair. From each end
 * reached, paths are enumerated backwards over predecessors, following a walk only while the start is still reachable
 * with the relationships that are left. Lengths are tried in ascending order; the search grows by one layer for each.
 *
 * A path uses no relationship twice. Distances ignore this rule, so a walk may have to be abandoned. The next length is
 * then tried, until enough paths are found or no walk was abandoned that a longer path could continue.
 *
 * Cost: relationships × states for the distances; for the paths, the number of walks of the lengths tried. The cost
 * thus grows with the number of paths requested, not with the number that exist, unless fewer exist than requested.
 */
import { NodeValue, type RelationshipValue } from '../../../value/index.ts';
import { OrdinalMap } from '../rows/ordinal-map.ts';
import type { Adjacent, Direction } from './adjacent.ts';
import type { Traversal } from './traversal.ts';
import { BYTES_PER_RELATIONSHIP, Cursor } from './walk.ts';
import type { Step } from './walk-shape.ts';

type NodeTest = (node: number) => boolean;

/** The automaton of a pattern: states that nodes must pass, and steps and skips between them. */
export interface Automaton {
  readonly start: number;
  readonly accept: number;
  /** The test that a node must pass in each state; null accepts any node. */
  readonly states: readonly (NodeTest | null)[];
  readonly steps: readonly AutomatonStep[];
  readonly skips: readonly (readonly [from: number, to: number])[];
}

/** A transition of an automaton along a relationship. */
export interface AutomatonStep {
  readonly from: number;
  readonly to: number;
  readonly types: readonly string[] | null;
  readonly direction: Direction;
  readonly test: Step | null;
}

/** The ends of the paths; `into` -1 accepts every end. */
interface Ends {
  readonly from: number;
  readonly into: number;
}

interface Wanted {
  readonly mode: 'shortest' | 'all' | 'groups';
  readonly count: number;
}

const OPPOSITE: Record<Direction, Direction> = { out: 'in', in: 'out', both: 'both' };

/** Yields paths as they are found, the shorter ones first; null where other statements should run. */
export function searchPaths(
  traversal: Traversal,
  ends: Ends,
  automaton: Automaton,
  wanted: Wanted,
): Generator<FoundPath | null, void, void> {
  return new PathSearch(traversal, ends, automaton, wanted).run();
}

/** A path through the automaton, from its start to its end. Valid only until the next path is requested. */
export class FoundPath {
  private readonly traversal: Traversal;
  private readonly frames: readonly Frame[];
  private readonly size: number;

  /** @param frames the places of the path in reverse: the first frame is its end, the last its start */
  constructor(traversal: Traversal, frames: readonly Frame[], size: number) {
    this.traversal = traversal;
    this.frames = frames;
    this.size = size;
  }

  /** Returns the ordinal of the path's node in one of these states; -1 if there is none. */
  node(states: readonly number[]): number {
    for (let i = 0; i < this.size; i++) if (states.includes(this.frames[i]!.state)) return this.frames[i]!.node;
    return -1;
  }

  nodes(states: readonly number[], reversed: boolean): NodeValue[] {
    this.count();
    const list: NodeValue[] = [];
    for (let i = this.size - 1; i >= 0; i--) if (states.includes(this.frames[i]!.state)) list.push(new NodeValue(this.frames[i]!.node));
    return reversed ? list.reverse() : list;
  }

  relationships(steps: readonly number[], reversed: boolean): RelationshipValue[] {
    this.count();
    const { reads } = this.traversal;
    const list: RelationshipValue[] = [];
    for (let i = this.size - 1; i > 0; i--) {
      const { step, type, row } = this.frames[i]!;
      if (steps.includes(step)) list.push(reads.relationshipValue(type, row)!);
    }
    return reversed ? list.reverse() : list;
  }

  /** Counts and charges a list of the nodes or relationships of the path, which is about to be made. */
  private count(): void {
    this.traversal.limits.count(this.size);
    this.traversal.memory.hold(BYTES_PER_RELATIONSHIP * this.size);
  }
}

/** A place on the way back from an end to the start. */
class Frame {
  state = -1;
  node = -1;
  /** How many relationships may still be used. */
  remaining = 0;
  /** The index of the next transition into this state to try: first the skips, then the steps. */
  at = 0;
  /** The index of the step from here to the previous frame, -1 for a skip; `type` and `row` name its relationship. */
  step = -1;
  type = -1;
  row = -1;
  readonly cursor = new Cursor();
  isOpen = false;
}

/** An end that was reached. */
interface End {
  readonly node: number;
  found: number;
  groups: number;
}

/** Bytes for a node reached in a state: its place in the map, and in the frontier. */
const BYTES_PER_NODE = 48;
/** Bytes for a place on the way back. */
const BYTES_PER_FRAME = 192;
const CHARGED_TOGETHER = 1024;
/** Binary logarithm of the relationships compared in the time of one step. */
const COMPARED = 5;

class PathSearch {
  private readonly traversal: Traversal;
  private readonly limits: Traversal['limits'];
  private readonly ends: Ends;
  private readonly automaton: Automaton;
  private readonly wanted: Wanted;
  private readonly distances: OrdinalMap[];
  private readonly stepsFrom: number[][];
  private readonly stepsTo: number[][];
  private readonly skipsFrom: number[][];
  private readonly skipsTo: number[][];
  private readonly forward: (readonly Adjacent[])[] = [];
  private readonly backward: (readonly Adjacent[])[] = [];
  private frontierStates: number[] = [];
  private frontierNodes: number[] = [];
  private nextStates: number[] = [];
  private nextNodes: number[] = [];
  private open: End[] = [];
  private readonly frames: Frame[] = [];
  private reachedCount = 0;
  private charged = 0;
  /** Whether the last enumeration has abandoned a walk that a longer path could continue. */
  private leftOut = false;

  constructor(traversal: Traversal, ends: Ends, automaton: Automaton, wanted: Wanted) {
    const { reads, limits } = traversal;
    this.traversal = traversal;
    this.limits = limits;
    this.ends = ends;
    this.automaton = automaton;
    this.wanted = wanted;
    const { states, steps, skips } = automaton;
    this.distances = states.map(() => new OrdinalMap());
    [this.stepsFrom, this.stepsTo, this.skipsFrom, this.skipsTo] = [
      states.map(() => []),
      states.map(() => []),
      states.map(() => []),
      states.map(() => []),
    ];
    for (const [index, { from, to }] of steps.entries()) {
      this.stepsFrom[from]!.push(index);
      this.stepsTo[to]!.push(index);
    }
    for (const [from, to] of skips) {
      this.skipsFrom[from]!.push(to);
      this.skipsTo[to]!.push(from);
    }
    const known = new Map<string, readonly Adjacent[]>();
    const adjacents = (types: readonly string[] | null, direction: Direction): readonly Adjacent[] => {
      const key = JSON.stringify([types, direction]);
      const list = known.get(key) ?? reads.adjacencies(types, direction);
      known.set(key, list);
      return list;
    };
    for (const { types, direction } of steps) {
      this.forward.push(adjacents(types, direction));
      this.backward.push(adjacents(types, OPPOSITE[direction]));
    }
  }

  *run(): Generator<FoundPath | null, void, void> {
    this.reach(this.automaton.start, this.ends.from, 0);
    for (let length = 0; this.open.length > 0 || this.nextNodes.length > 0; length++) {
      const ends = this.open;
      this.open = [];
      for (const end of ends) if (!(yield* this.settle(end, length))) this.open.push(end);
      if (this.ends.into >= 0 && ends.length > 0 && this.open.length === 0) break;
      yield* this.grow(length + 1);
    }
    this.traversal.memory.release(this.charged);
  }

  private charge(bytes: number): void {
    this.traversal.memory.chargeBytes(bytes);
    this.charged += bytes;
  }

  // ---- distances

  /** Reaches all pairs of nodes and states that are one relationship farther. */
  private *grow(distance: number): Generator<null, void, void> {
    [this.frontierStates, this.frontierNodes, this.nextStates, this.nextNodes] = [this.nextStates, this.nextNodes, [], []];
    const cursor = new Cursor();
    for (const [i, node] of this.frontierNodes.entries()) {
      for (const index of this.stepsFrom[this.frontierStates[i]!]!) {
        const { to, test } = this.automaton.steps[index]!;
        const distances = this.distances[to]!;
        cursor.open(node, this.forward[index]!);
        if (this.limits.worked(1)) yield null;
        while (cursor.advance()) {
          if (this.limits.worked(1)) yield null;
          if (distances.get(cursor.neighbour) >= 0) continue;
          if (test === null || test(cursor.type, cursor.row, node, cursor.neighbour)) this.reach(to, cursor.neighbour, distance);
        }
      }
    }
  }

  private reach(state: number, node: number, distance: number): void {
    const distances = this.distances[state]!;
    if (distances.get(node) >= 0) return;
    const test = this.automaton.states[state]!;
    if (test !== null && !test(node)) return;
    distances.set(node, distance);
    if (++this.reachedCount % CHARGED_TOGETHER === 0) this.charge(BYTES_PER_NODE * CHARGED_TOGETHER);
    this.nextStates.push(state);
    this.nextNodes.push(node);
    if (state === this.automaton.accept && (this.ends.into < 0 || this.ends.into === node)) this.open.push({ node, found: 0, groups: 0 });
    for (const next of this.skipsFrom[state]!) this.reach(next, node, distance);
  }

  // ---- paths

  /** Yields the paths of one length to an end. @returns whether the end needs no longer paths */
  private *settle(end: End, length: number): Generator<FoundPath | null, boolean, void> {
    const { mode, count } = this.wanted;
    const before = end.found;
    this.leftOut = false;
    for (const path of this.paths(end.node, length)) {
      yield path;
      if (path === null) continue;
      end.found++;
      if (mode === 'shortest' && end.found >= count) return true;
    }
    if (end.found > before) end.groups++;
    return (mode !== 'shortest' && end.groups >= count) || !this.leftOut;
  }

  private *paths(end: number, length: number): Generator<FoundPath | null, void, void> {
    const { traversal, limits, frames, automaton, ends } = this;
    let size = this.push(0, { state: automaton.accept, node: end, remaining: length });
    while (size > 0) {
      if (limits.worked(1)) yield null;
      const frame = frames[size - 1]!;
      if (frame.state === automaton.start) {
        if (frame.remaining === 0 && frame.node === ends.from) yield new FoundPath(traversal, frames, size);
        size--;
      } else if (frame.at < this.skipsTo[frame.state]!.length) {
        const state = this.skipsTo[frame.state]![frame.at++]!;
        if (this.isWithin(state, frame.node, frame.remaining))
          size = this.push(size, { state, node: frame.node, remaining: frame.remaining });
      } else if (!(yield* this.back(frame, size))) size--;
      else size++;
    }
  }

  /** Pushes a frame for the next relationship into this state. Returns false if there is none. */
  private *back(frame: Frame, size: number): Generator<null, boolean, void> {
    const steps = this.stepsTo[frame.state]!;
    for (;;) {
      const index = steps[frame.at - this.skipsTo[frame.state]!.length];
      if (index === undefined) return false;
      const { from, test } = this.automaton.steps[index]!;
      const { cursor } = frame;
      if (!frame.isOpen) cursor.open(frame.node, this.backward[index]!);
      frame.isOpen = true;
      while (cursor.advance()) {
        if (this.limits.worked(1)) yield null;
        const { type, row, neighbour } = cursor;
        if (!this.isWithin(from, neighbour, frame.remaining - 1)) continue;
        this.limits.left -= size >> COMPARED;
        if (this.isTaken(type, row, size)) continue;
        if (test !== null && !test(type, row, neighbour, frame.node)) continue;
        this.push(size, { state: from, node: neighbour, remaining: frame.remaining - 1 });
        const next = this.frames[size]!;
        next.step = index;
        next.type = type;
        next.row = row;
        return true;
      }
      frame.at++;
      frame.isOpen = false;
    }
  }

  /** Tells whether the start can be reached with so many relationships; if only with more, notes that a walk was abandoned. */
  private isWithin(state: number, node: number, remaining: number): boolean {
    const distance = this.distances[state]!.get(node);
    if (distance >= 0 && distance <= remaining) return true;
    if (distance >= 0 || this.nextNodes.length > 0) this.leftOut = true;
    return false;
  }

  private isTaken(type: number, row: number, size: number): boolean {
    for (let i = 0; i < size; i++)
      if (this.frames[i]!.row === row && this.frames[i]!.type === type && this.frames[i]!.step >= 0) return true;
    return false;
  }

  /** @returns the number of frames after the push */
  private push(size: number, { state, node, remaining }: { state: number; node: number; remaining: number }): number {
    let frame = this.frames[size];
    if (frame === undefined) {
      frame = new Frame();
      this.frames.push(frame);
      if (this.frames.length % CHARGED_TOGETHER === 0) this.charge(BYTES_PER_FRAME * CHARGED_TOGETHER);
    }
    frame.state = state;
    frame.node = node;
    frame.remaining = remaining;
    frame.at = 0;
    frame.step = -1;
    frame.isOpen = false;
    return size + 1;
  }
}
