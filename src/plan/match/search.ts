/**
 * Finds the order in which the parts of one connected component are matched.
 *
 * Up to `DYNAMIC_LIMIT` relationships: dynamic programming over sets of what is known. A state grows by one step
 * (`steps.ts`); of the states that know the same, the cheapest is kept. Patterns of a few relationships may also be
 * matched from two ends that meet in a hash join on their common nodes. Beyond the limit: the best next step from every
 * start, and the best of those plans.
 */
import { assert, countWork, GraphDBError } from '../../base/index.ts';
import type { Component } from './components.ts';
import { meetOnNodes } from './node-join.ts';
import type { Problem } from './problem.ts';
import type { SearchState } from './search-state.ts';
import { anchorNode, expandRelationship, scanNode, scanRelationship } from './steps.ts';

/** Most relationships of a component that is searched by dynamic programming. */
const DYNAMIC_LIMIT = 12;
/** Most states that one search looks at before it goes on greedily: a star of n relationships has 2^n states. */
const STATE_LIMIT = 6000;
/** The cost of a state, as steps of `countWork`. */
const STEPS_PER_STATE = 8;
/** Cheapest first steps from which the greedy search goes on. */
const GREEDY_STARTS = 6;
/** Most relationships of a component; more are UNSUPPORTED. The cost of the greedy search is cubic, and a second at this limit. */
const MOST_RELATIONSHIPS = 150;
/** Fewest relationships of a pattern that may be matched from two ends. */
const MEETING_LEAST = 3;
/** Fewest relationships if one of the ends is several rows so far, each of which would be walked from. */
const MEETING_LEAST_OF_ROWS = 2;
/** Most relationships of a pattern that may be matched from two ends. */
const MEETING_MOST = 8;
/** Other halves that are considered for each state, the cheapest first. */
const OTHER_HALVES = 24;

/**
 * Finds the cheapest order for a component. `fresh`: the start of a separate plan that may be joined with that of
 * `start`; null if none may. @throws UNSUPPORTED for more than MOST_RELATIONSHIPS.
 */
export function searchComponent(problem: Problem, component: Component, start: SearchState, fresh: SearchState | null = null): SearchState {
  const goal = start.available | component.bits;
  const count = component.relationships.length;
  if (count > MOST_RELATIONSHIPS) {
    throw new GraphDBError(
      'UNSUPPORTED',
      `a pattern joins ${count} relationships; more than ${MOST_RELATIONSHIPS} cannot be planned. Part it with WITH`,
    );
  }
  if (count > DYNAMIC_LIMIT) return greedy(problem, component, start, goal);
  const canMeet = fresh !== null && count >= (start.single ? MEETING_LEAST : MEETING_LEAST_OF_ROWS) && count <= MEETING_MOST;
  const halves = canMeet ? otherHalves(problem, component, fresh) : [];
  return dynamic(problem, component, start, { goal, halves }).best ?? greedy(problem, component, start, goal);
}

/** Returns parts of the component that are matched by themselves, the cheapest first. */
function otherHalves(problem: Problem, component: Component, fresh: SearchState): readonly SearchState[] {
  const { levels } = dynamic(problem, component, fresh, { goal: fresh.available | component.bits, halves: [] });
  const found = levels
    .flatMap((level) => [...level.values()])
    .filter((state) => component.relationships.some((info) => (info.bit & state.available) !== 0n));
  return cheapest(found, OTHER_HALVES);
}

interface Search {
  /** Null if there were too many states. */
  readonly best: SearchState | null;
  readonly levels: readonly ReadonlyMap<bigint, SearchState>[];
}

function dynamic(
  problem: Problem,
  component: Component,
  start: SearchState,
  { goal, halves }: { readonly goal: bigint; readonly halves: readonly SearchState[] },
): Search {
  const levels: Map<bigint, SearchState>[] = [new Map([[start.available, start]])];
  let best: SearchState | null = null;
  let count = 0;
  for (let level = 0; level < levels.length; level++) {
    for (const state of levels[level]?.values() ?? []) {
      if (++count > STATE_LIMIT) return { best: null, levels: [] };
      if (state.available === goal) {
        if (best === null || isBetter(state, best)) best = state;
        continue;
      }
      for (const next of nextStates(problem, component, state)) keepBetter(levels, next, start.available);
      for (const half of halves) {
        if (isHopeless(levels, state, half, start.available)) continue;
        const met = meetOnNodes(problem, component, { state, half, isStart: state === start });
        if (met !== null) keepBetter(levels, met, start.available);
      }
    }
  }
  return { best, levels: levels.map((level) => level ?? new Map()) };
}

/** Tells whether a known state knows as much as two parts together, and costs no more than the two without their join. */
function isHopeless(levels: readonly ReadonlyMap<bigint, SearchState>[], state: SearchState, half: SearchState, start: bigint): boolean {
  const together = state.available | half.available;
  const known = levels[countBits(together & ~start)]?.get(together);
  return known !== undefined && known.cost <= state.cost + half.cost;
}

function keepBetter(levels: Map<bigint, SearchState>[], state: SearchState, start: bigint): void {
  const size = countBits(state.available & ~start);
  for (let level = levels.length; level <= size; level++) levels.push(new Map());
  const known = levels[size]!.get(state.available);
  if (known === undefined || isBetter(state, known)) levels[size]!.set(state.available, state);
}

/** Tells whether the left state is better: it costs less, or as much with fewer rows. */
export function isBetter(left: SearchState, right: SearchState): boolean {
  return left.cost !== right.cost ? left.cost < right.cost : left.rows < right.rows;
}

function countBits(bits: bigint): number {
  let count = 0;
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) count += 1;
  return count;
}

function greedy(problem: Problem, component: Component, start: SearchState, goal: bigint): SearchState {
  const firsts = start.available === goal ? [start] : cheapest(nextStates(problem, component, start), GREEDY_STARTS);
  let best: SearchState | null = null;
  for (const first of firsts) {
    let state = first;
    while (state.available !== goal) {
      state = nextStates(problem, component, state).reduce((least, other) =>
        other.cost + other.rows < least.cost + least.rows ? other : least,
      );
    }
    if (best === null || isBetter(state, best)) best = state;
  }
  assert(best !== null, 'a component can be matched from any of its nodes');
  return best;
}

function cheapest(states: readonly SearchState[], count: number): readonly SearchState[] {
  return states.toSorted((left, right) => left.cost + left.rows - (right.cost + right.rows)).slice(0, count);
}

/** Returns every state one step further. */
function nextStates(problem: Problem, component: Component, state: SearchState): readonly SearchState[] {
  const open = component.relationships.filter((info) => (info.bit & state.available) === 0n);
  const unknown = component.nodes.filter((node) => (node.bit & ~state.available) !== 0n);
  const expanded = open.flatMap((info) => expandRelationship(problem, state, info));
  countWork((open.length + unknown.length) * STEPS_PER_STATE);
  if (expanded.length > 0) return [...expanded, ...unknown.flatMap((node) => anchorNode(problem, state, node))];
  return [...unknown.flatMap((node) => scanNode(problem, state, node)), ...open.flatMap((info) => scanRelationship(problem, state, info))];
}
