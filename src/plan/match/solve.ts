/**
 * From a query graph to operators on top of given rows:
 *
 * 1. predicates about what is known already,
 * 2. the connected parts, one after the other, each in its best order and joined in the cheapest way (`join.ts`),
 * 3. shortest paths between ends that are known by then, 4. named paths.
 *
 * Whenever a step makes the variables of a predicate known, the predicate is tested at once; at the end every predicate
 * has been applied exactly once.
 */
import { assert } from '../../base/index.ts';
import type { PlanContext } from '../context.ts';
import { isNotNull, variable } from '../expressions/build.ts';
import { makePredicate } from '../pattern/predicates.ts';
import { graphVariables, type QueryGraph } from '../pattern/query-graph.ts';
import type { RowState } from '../row-state.ts';
import { componentsOf } from './components.ts';
import { joinComponents } from './join.ts';
import { createProblem, type Problem } from './problem.ts';
import { advance, type SearchState, withPredicates } from './search-state.ts';
import { addShortestPaths, assignPathPredicates } from './shortest-paths.ts';

/** Plans a query graph on top of given rows. */
export function solveQueryGraph(context: PlanContext, written: QueryGraph, start: RowState): RowState {
  const graph = assignPathPredicates(withNullChecks(written, start));
  const problem = createProblem(context, graph, start);
  let state = initialState(problem, start);
  state = joinComponents(problem, componentsOf(problem), state, start);
  state = addShortestPaths(problem, state);
  state = addDerived(problem, graph, state);
  assert(
    problem.predicates.every((info) => (info.mask & ~state.available) === 0n),
    'every predicate of a pattern is applied',
  );
  const variables = graphVariables(graph);
  return {
    plan: state.build(),
    scope: new Set([...start.scope, ...variables]),
    nonNull: new Set([...start.nonNull, ...variables]),
    single: state.single,
    outer: start.outer,
  };
}

/** Returns the state of the given rows, with the predicates applied that need nothing else. */
function initialState(problem: Problem, start: RowState): SearchState {
  const available = problem.maskOf(start.scope);
  const ready = problem.predicates.filter((info) => (info.mask & ~available) === 0n);
  const rows = ready.reduce((left, info) => left * info.selectivity, start.plan.estimatedRows);
  return { available, rows, cost: 0, single: start.single, build: () => withPredicates(problem.context, start.plan, ready, rows) };
}

/**
 * Adds a null check for each node that was bound before and stands alone in the pattern: null matches no node pattern.
 * Relationships and labels check that by themselves.
 */
function withNullChecks(graph: QueryGraph, start: RowState): QueryGraph {
  const checked = new Set([
    ...graph.relationships.flatMap((relationship) => [relationship.left, relationship.right]),
    ...graph.predicates.flatMap((predicate) => (predicate.labels === null ? [] : [predicate.labels.variable])),
    ...start.nonNull,
  ]);
  const unchecked = graph.nodes.filter((node) => start.scope.has(node) && !checked.has(node));
  if (unchecked.length === 0) return graph;
  return { ...graph, predicates: [...unchecked.map((node) => makePredicate(isNotNull(variable(node)))), ...graph.predicates] };
}

function addDerived(problem: Problem, graph: QueryGraph, state: SearchState): SearchState {
  return graph.derived.reduce(
    (before, { variable: name, expression }) =>
      advance(problem, before, {
        bits: problem.maskOf([name]),
        rows: before.rows,
        cost: before.rows,
        single: before.single,
        build: (estimatedRows) => ({
          kind: 'project',
          input: before.build(),
          items: [{ variable: name, expression }],
          discard: false,
          estimatedRows,
        }),
      }),
    state,
  );
}
