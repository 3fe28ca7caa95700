/** A partial plan of the search: what it knows, what it is estimated to cost, and how to build it once it has won. */

import type { PlanContext } from '../context.ts';
import { and } from '../expressions/build.ts';
import { FILTER, FILTER_SUBPLAN } from '../operators/cost-units.ts';
import type { Predicate } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';
import { whereExists } from './existence-join.ts';
import { bitsOf, type PredicateInfo, type Problem } from './problem.ts';

/** A partial plan of the search: the bits that it knows, its estimated rows and cost, and whether it gives one row at most. */
export interface SearchState {
  readonly available: bigint;
  readonly rows: number;
  readonly cost: number;
  readonly single: boolean;
  readonly build: () => Operator;
}

/** One more operator, which makes `bits` known. */
export interface Step {
  readonly bits: bigint;
  /** Estimated rows out, before the predicates that become ready. */
  readonly rows: number;
  /** The cost of this step alone. */
  readonly cost: number;
  readonly single: boolean;
  readonly consumed?: ReadonlySet<Predicate>;
  /** Share of rows that a predicate leaves here, where the step knows better than the predicate. */
  readonly selectivity?: ((predicate: Predicate) => number | undefined) | undefined;
  readonly build: (estimatedRows: number) => Operator;
}

/** Returns the state after the step and all the predicates that it makes ready. */
export function advance(problem: Problem, state: Pick<SearchState, 'available' | 'cost'>, step: Step): SearchState {
  const available = state.available | step.bits;
  const ready = readyPredicates(problem, state.available, available).filter((info) => !step.consumed?.has(info.predicate));
  let rows = step.rows;
  let cost = state.cost + step.cost;
  for (const { predicate, selectivity } of ready) {
    cost += rows * (predicate.exists === null ? FILTER : FILTER_SUBPLAN + predicate.exists.plan.estimatedRows);
    rows *= step.selectivity?.(predicate) ?? selectivity;
  }
  return { available, rows, cost, single: step.single, build: () => withPredicates(problem.context, step.build(step.rows), ready, rows) };
}

/** Returns the predicates that have become ready, in the order of the query text. Looks only at those that depend on a new bit. */
function readyPredicates(problem: Problem, before: bigint, now: bigint): readonly PredicateInfo[] {
  const ready: PredicateInfo[] = [];
  for (const bit of bitsOf(now & ~before)) {
    for (const info of problem.predicatesByBit.get(bit) ?? []) {
      if ((info.mask & ~now) === 0n && !ready.includes(info)) ready.push(info);
    }
  }
  return ready.sort((left, right) => left.at - right.at);
}

/** Puts predicates on top of a plan: cheap ones first, sub-plans after them, each kind in the order of the query text. */
export function withPredicates(context: PlanContext, input: Operator, ready: readonly PredicateInfo[], estimatedRows: number): Operator {
  const plain = ready.filter((info) => info.predicate.exists === null).map((info) => info.predicate.expression);
  const exists = ready.flatMap((info) => (info.predicate.exists === null ? [] : [info.predicate.exists]));
  let plan: Operator = plain.length === 0 ? input : { kind: 'filter', input, predicate: and(plain), estimatedRows };
  for (const each of exists) plan = whereExists(context, plan, each, estimatedRows);
  return plan;
}
