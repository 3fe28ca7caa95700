/**
 * Puts the connected parts of a pattern together. A part that touches what is known grows from it. One that does not is
 * combined in the cheapest of these ways:
 *
 * - nested: its scan runs once per row, and may look up values of the row;
 * - hash join on an equality between the two sides, the smaller side hashed;
 * - product with a part that is planned by itself and made once.
 *
 * A hash join makes its right side before it starts the left one. Rows that come out of updates must be complete before
 * anything else is read, so they are always the right side; a product of them is not considered.
 */
import { assert, GraphDBError } from '../../base/index.ts';
import { HASH_BUILD_ROW, HASH_JOINED_ROW, HASH_PROBE_ROW, PRODUCT_ROW } from '../operators/cost-units.ts';
import { freeVariables } from '../operators/free-variables.ts';
import { hasUpdates } from '../operators/updates.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { argumentState, type RowState } from '../row-state.ts';
import type { Component } from './components.ts';
import type { PredicateInfo, Problem } from './problem.ts';
import { isBetter, searchComponent } from './search.ts';
import { advance, type SearchState } from './search-state.ts';
import { withUniqueness } from './uniqueness.ts';

/**
 * Most connected parts of a pattern; more are UNSUPPORTED. Each part is tried at every place: the cost is cubic, and a
 * second at this limit.
 */
const MOST_COMPONENTS = 150;

/** Joins the connected parts of a pattern. @throws UNSUPPORTED for more than MOST_COMPONENTS. */
export function joinComponents(problem: Problem, components: readonly Component[], initial: SearchState, start: RowState): SearchState {
  let state = initial;
  let rest = components.filter((component) => (component.bits & ~state.available) !== 0n);
  if (rest.length > MOST_COMPONENTS) {
    throw new GraphDBError(
      'UNSUPPORTED',
      `${rest.length} patterns without a common variable stand beside each other; more than ${MOST_COMPONENTS} cannot be ` +
        'planned. Part them with WITH',
    );
  }
  while (rest.length > 0) {
    const candidates = rest.map((component) => ({ component, joined: joinOne(problem, component, state, start) }));
    const best = candidates.reduce((least, other) => (total(other.joined) < total(least.joined) ? other : least));
    state = best.joined;
    rest = rest.filter((component) => component !== best.component);
  }
  return state;
}

/** Returns the cost so far, and one unit more per row for the operators that follow. */
const total = (state: SearchState): number => state.cost + state.rows;

function joinOne(problem: Problem, component: Component, state: SearchState, start: RowState): SearchState {
  const needsRows = component.relationships.some((info) => info.needs !== 0n);
  const isBound = component.relationships.some((info) => info.relationship.bound);
  const canMeet = !needsRows && !isBound && !hasUpdates(start.plan) && !problem.isVolatile;
  const nested = searchComponent(problem, component, state, canMeet ? freshState(start) : null);
  const isAttached = touches(component, state);
  if (isAttached || needsRows || state.single || problem.tellsOfRow) return nested;
  const apart = planApart(problem, component, start);
  return [nested, ...joinsOf(problem, state, apart, hasUpdates(start.plan))].reduce((best, other) =>
    isBetter(other, best) ? other : best,
  );
}

function touches(component: Component, state: SearchState): boolean {
  return (
    component.nodes.some((node) => (node.bit & ~state.available) === 0n) ||
    component.relationships.some(
      (info) => info.relationship.bound || (info.left & ~state.available) === 0n || (info.right & ~state.available) === 0n,
    )
  );
}

/** Plans a part on its own, from an argument of the outer row. */
function planApart(problem: Problem, component: Component, start: RowState): SearchState {
  return searchComponent(problem, component, freshState(start));
}

/** Returns the start of a plan beside the one so far. It knows only the outer row, and predicates about that have been applied already. */
function freshState(start: RowState): SearchState {
  return { available: 0n, rows: 1, cost: 0, single: true, build: () => argumentState(start.outer).plan };
}

function joinsOf(problem: Problem, state: SearchState, apart: SearchState, updatesFirst: boolean): readonly SearchState[] {
  const keys = problem.predicates.flatMap((info) => joinKey(problem, info, state, apart) ?? []);
  const smallerIsState = state.rows < apart.rows;
  if (keys.length > 0) return [hashJoin(problem, state, apart, keys, updatesFirst || smallerIsState)];
  return updatesFirst ? [] : [product(problem, state, apart)];
}

interface JoinKey {
  readonly info: PredicateInfo;
  readonly known: PlanExpression;
  readonly apart: PlanExpression;
}

/** Returns an equality with one side from each plan as a join key; null for any other predicate. */
function joinKey(problem: Problem, info: PredicateInfo, state: SearchState, apart: SearchState): JoinKey | null {
  const { expression } = info.predicate;
  if (expression.kind !== 'comparison' || expression.operators.length !== 1 || expression.operators[0] !== '=') return null;
  const [left, right] = expression.operands;
  assert(left !== undefined && right !== undefined, 'a comparison has two sides');
  const isOf = (side: PlanExpression, owner: SearchState): boolean => {
    const mask = problem.maskOf(freeVariables(side));
    return mask !== 0n && (mask & ~owner.available) === 0n;
  };
  if (isOf(left, state) && isOf(right, apart)) return { info, known: left, apart: right };
  if (isOf(right, state) && isOf(left, apart)) return { info, known: right, apart: left };
  return null;
}

/** Joins two plans by hash. `stateRight`: the rows known so far are the hashed side. */
function hashJoin(problem: Problem, state: SearchState, apart: SearchState, keys: readonly JoinKey[], stateRight: boolean): SearchState {
  const rows = keys.reduce((left, key) => left * key.info.selectivity, state.rows * apart.rows);
  const [built, probed] = stateRight ? [state, apart] : [apart, state];
  return advance(
    problem,
    { available: state.available, cost: state.cost + apart.cost },
    {
      bits: apart.available,
      rows,
      cost: HASH_BUILD_ROW * built.rows + HASH_PROBE_ROW * probed.rows + HASH_JOINED_ROW * rows,
      single: false,
      consumed: new Set([...keys.map((key) => key.info.predicate), ...appliedApart(problem, apart)]),
      build: (estimatedRows): Operator =>
        withUniqueness(problem, state, apart, {
          kind: 'hashJoin',
          left: probed.build(),
          right: built.build(),
          leftKeys: keys.map((key) => (stateRight ? key.apart : key.known)),
          rightKeys: keys.map((key) => (stateRight ? key.known : key.apart)),
          estimatedRows,
        }),
    },
  );
}

function product(problem: Problem, state: SearchState, apart: SearchState): SearchState {
  const rows = state.rows * apart.rows;
  return advance(
    problem,
    { available: state.available, cost: state.cost + apart.cost },
    {
      bits: apart.available,
      rows,
      cost: PRODUCT_ROW * rows + HASH_BUILD_ROW * apart.rows,
      single: state.single && apart.single,
      consumed: appliedApart(problem, apart),
      build: (estimatedRows): Operator =>
        withUniqueness(problem, state, apart, {
          kind: 'cartesianProduct',
          left: state.build(),
          right: apart.build(),
          estimatedRows,
        }),
    },
  );
}

/** Returns the predicates that a separate part has applied by itself: all whose variables it knows. */
function appliedApart(problem: Problem, apart: SearchState): ReadonlySet<PredicateInfo['predicate']> {
  return new Set(problem.predicates.filter((info) => (info.mask & ~apart.available) === 0n).map((info) => info.predicate));
}
