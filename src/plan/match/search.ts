/**
 * The order in which the parts of one connected component are found.
 *
 * Up to `DYNAMIC_LIMIT` relationships: dynamic programming over sets of what is known. A state grows by one step; of the states that know the same, the cheapest is
 * kept. Beyond: the best next step from every start, and the best of those plans. Both take their steps from `steps.ts`.
 */
import { assert } from '../../base/index.ts';
import type { Problem, RelationshipInfo } from './problem.ts';
import type { SearchState } from './search-state.ts';
import { anchorNode, expandRelationship, scanNode, scanRelationship } from './steps.ts';

const DYNAMIC_LIMIT = 12;
/** States that one search may look at before it goes on greedily: stars of many relationships have 2^n of them. */
const STATE_LIMIT = 6000;

export interface Component {
  readonly nodes: readonly { readonly variable: string; readonly bit: bigint }[];
  readonly relationships: readonly RelationshipInfo[];
  /** Everything that is known when the component has been matched. */
  readonly bits: bigint;
}

export function searchComponent(problem: Problem, component: Component, start: SearchState): SearchState {
  const goal = start.available | component.bits;
  const state = component.relationships.length <= DYNAMIC_LIMIT ? dynamic(problem, component, start, goal) : null;
  return state ?? greedy(problem, component, start, goal);
}

/** null when there are too many states. */
function dynamic(problem: Problem, component: Component, start: SearchState, goal: bigint): SearchState | null {
  const levels: Map<bigint, SearchState>[] = [new Map([[start.available, start]])];
  let best: SearchState | undefined;
  let count = 0;
  for (let level = 0; level < levels.length; level++) {
    for (const state of levels[level]?.values() ?? []) {
      if (++count > STATE_LIMIT) return null;
      if (state.available === goal) {
        if (best === undefined || isBetter(state, best)) best = state;
        continue;
      }
      for (const next of nextStates(problem, component, state)) keepBetter(levels, next, start.available);
    }
  }
  assert(best !== undefined, 'a component can be matched from any of its nodes');
  return best;
}

function keepBetter(levels: Map<bigint, SearchState>[], state: SearchState, start: bigint): void {
  const size = countBits(state.available & ~start);
  levels[size] ??= new Map();
  const known = levels[size].get(state.available);
  if (known === undefined || isBetter(state, known)) levels[size].set(state.available, state);
}

export function isBetter(left: SearchState, right: SearchState): boolean {
  return left.cost !== right.cost ? left.cost < right.cost : left.rows < right.rows;
}

function countBits(bits: bigint): number {
  let count = 0;
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) count += 1;
  return count;
}

function greedy(problem: Problem, component: Component, start: SearchState, goal: bigint): SearchState {
  const firsts = start.available === goal ? [start] : nextStates(problem, component, start);
  let best: SearchState | undefined;
  for (const first of firsts) {
    let state = first;
    while (state.available !== goal) {
      const next = nextStates(problem, component, state).reduce((least, other) => (other.cost + other.rows < least.cost + least.rows ? other : least));
      state = next;
    }
    if (best === undefined || isBetter(state, best)) best = state;
  }
  assert(best !== undefined, 'a component can be matched from any of its nodes');
  return best;
}

/** Every state one step further. */
function nextStates(problem: Problem, component: Component, state: SearchState): readonly SearchState[] {
  const open = component.relationships.filter((info) => (info.bit & state.available) === 0n);
  const unknown = component.nodes.filter((node) => (node.bit & ~state.available) !== 0n);
  const expanded = open.flatMap((info) => expandRelationship(problem, state, info));
  if (expanded.length > 0) return [...expanded, ...unknown.flatMap((node) => anchorNode(problem, state, node))];
  return [...unknown.flatMap((node) => scanNode(problem, state, node)), ...open.flatMap((info) => scanRelationship(problem, state, info))];
}
