/**
 * Two parts of one connected pattern, matched from different starts, joined where they share nodes:
 * `(a {id: 1})-->()-->(m)` and `(b {id: 2})-->()-->(m)` meet in `m`, which looks at far fewer rows than walking all the
 * way from `a`. One of the parts may be just the rows so far, which know a node of the pattern.
 */
import { variable } from '../expressions/build.ts';
import { HASH_BUILD_ROW, HASH_JOINED_ROW, HASH_PROBE_ROW, NODE_JOIN_BUILD_ROW, NODE_JOIN_PROBE_ROW } from '../operators/cost-units.ts';
import type { Operator } from '../plan.ts';
import type { Component } from './components.ts';
import type { Problem } from './problem.ts';
import { advance, type SearchState } from './search-state.ts';
import { withUniqueness } from './uniqueness.ts';

/** Two parts of a pattern that meet in a node. */
export interface Meeting {
  readonly state: SearchState;
  readonly half: SearchState;
  /** `state` is the rows so far. They are joined even if they know no more than `half`, since they may be fewer, or hold duplicates. */
  readonly isStart: boolean;
}

/** Joins two parts on the nodes that they share; null if they share a relationship or no node, or if one adds nothing to the other. */
export function meetOnNodes(problem: Problem, component: Component, { state, half, isStart }: Meeting): SearchState | null {
  if (isStart && state.single) return null;
  if ((half.available & ~state.available) === 0n || (!isStart && (state.available & ~half.available) === 0n)) return null;
  if (!isStart && !component.relationships.some((info) => (info.bit & state.available) !== 0n)) return null;
  if (component.relationships.some((info) => (info.bit & state.available & half.available) !== 0n)) return null;
  const shared = component.nodes.filter((node) => (node.bit & state.available & half.available) !== 0n);
  if (shared.length === 0) return null;
  const keys = shared.map((node) => variable(node.variable));
  const bits = shared.reduce((all, node) => all | node.bit, 0n);
  const rows = rowsOf(problem, state, half, { shared, bits });
  const costs = [joinCost(half, state, { bits, rows }), joinCost(state, half, { bits, rows })] as const;
  const [built, probed] = costs[0] <= costs[1] ? [half, state] : [state, half];
  return advance(
    problem,
    { available: state.available, cost: state.cost + half.cost },
    {
      bits: half.available,
      rows,
      cost: Math.min(...costs),
      single: false,
      consumed: new Set(problem.predicates.filter((info) => (info.mask & ~half.available) === 0n).map((info) => info.predicate)),
      build: (estimatedRows): Operator =>
        withUniqueness(problem, state, half, {
          kind: 'hashJoin',
          left: probed.build(),
          right: built.build(),
          leftKeys: keys,
          rightKeys: keys,
          estimatedRows,
        }),
    },
  );
}

/** Returns the cost of a join. Built rows that know one node and nothing else are kept as a count for that node, which costs less. */
function joinCost(built: SearchState, probed: SearchState, { bits, rows }: { readonly bits: bigint; readonly rows: number }): number {
  const isCounted = (built.available & ~bits) === 0n && (bits & (bits - 1n)) === 0n;
  const [build, probe, joined] = isCounted
    ? [NODE_JOIN_BUILD_ROW, NODE_JOIN_PROBE_ROW, 1]
    : [HASH_BUILD_ROW, HASH_PROBE_ROW, HASH_JOINED_ROW];
  return build * built.rows + probe * probed.rows + joined * rows;
}

/** Estimates the rows of a join. Predicates on the shared nodes were applied on both sides, but reduce the rows only once. */
function rowsOf(
  problem: Problem,
  state: SearchState,
  half: SearchState,
  { shared, bits }: { readonly shared: readonly { readonly variable: string }[]; readonly bits: bigint },
): number {
  const twice = problem.predicates.filter((info) => info.mask !== 0n && (info.mask & ~bits) === 0n && info.predicate.labels === null);
  const corrected = twice.reduce((rows, info) => rows / Math.max(info.selectivity, 1e-9), state.rows * half.rows);
  return shared.reduce((rows, node) => rows / Math.max(1, problem.estimator.nodesOf(problem.estimator.label(node.variable))), corrected);
}
