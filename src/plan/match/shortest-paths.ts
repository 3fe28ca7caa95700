/**
 * Shortest paths: found between two nodes when both are known. Conjuncts of WHERE about `shortestPath(…)` decide which
 * paths count (a shortest path *with* the property, as Neo4j means it), so they go into the search; those that only
 * limit the length from above may as well be tested afterwards.
 */

import { isNamed } from '../../functions/index.ts';
import { and } from '../expressions/build.ts';
import { replaceExpressions } from '../expressions/walk.ts';
import { SHORTEST_PATH } from '../operators/cost-units.ts';
import type { Predicate, QueryGraph, QueryShortestPath } from '../pattern/query-graph.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import type { Problem } from './problem.ts';
import { advance, type SearchState } from './search-state.ts';
import { stepOf } from './variable-expand.ts';

/** Moves conjuncts about a path from the graph into the path's own predicates. */
export function assignPathPredicates(graph: QueryGraph): QueryGraph {
  if (graph.shortestPaths.length === 0) return graph;
  const taken = new Set<Predicate>();
  const shortestPaths = graph.shortestPaths.map((path) => {
    if (!path.legacy) return path;
    const own = ownVariables(graph, path);
    const others = new Set(graph.shortestPaths.flatMap((other) => (other === path ? [] : [other.relationship.variable])));
    for (const { variable } of graph.derived) if (!own.has(variable)) others.add(variable);
    const predicates = graph.predicates.filter(
      (predicate) =>
        [...predicate.dependencies].some((name) => own.has(name)) &&
        ![...predicate.dependencies].some((name) => others.has(name)) &&
        !isAfterthought(predicate.expression),
    );
    for (const predicate of predicates) taken.add(predicate);
    return {
      ...path,
      predicates: predicates.map((predicate) => ({ ...predicate, expression: inlineDerived(graph, own, predicate.expression) })),
    };
  });
  return { ...graph, shortestPaths, predicates: graph.predicates.filter((predicate) => !taken.has(predicate)) };
}

/** Returns the list of the path's relationships, and the variables that are derived from it and the two ends alone. */
function ownVariables(graph: QueryGraph, path: QueryShortestPath): ReadonlySet<string> {
  const { variable, left, right } = path.relationship;
  const own = new Set([variable]);
  for (const derived of graph.derived) {
    if (
      derived.expression.kind === 'pathBuild' &&
      derived.expression.elements.every((name) => name === left || name === right || own.has(name))
    ) {
      own.add(derived.variable);
    }
  }
  return own;
}

/** Tells whether a condition holds for every shortest path between two nodes or for none: `length(p) < 5`, `p IS NOT NULL`. */
function isAfterthought(expression: PlanExpression): boolean {
  if (expression.kind === 'isNull') return expression.operand.kind === 'variable';
  if (expression.kind !== 'comparison') return false;
  const [left] = expression.operands;
  const [operator] = expression.operators;
  return left?.kind === 'function' && isNamed(left.name, 'length') && (operator === '<' || operator === '<=');
}

function inlineDerived(graph: QueryGraph, own: ReadonlySet<string>, expression: PlanExpression): PlanExpression {
  return replaceExpressions(expression, (part) => {
    if (part.kind !== 'variable' || !own.has(part.name)) return null;
    return graph.derived.find((derived) => derived.variable === part.name)?.expression ?? null;
  });
}

/** Adds the shortest paths of a query graph to a plan. */
export function addShortestPaths(problem: Problem, state: SearchState): SearchState {
  return problem.shortestPaths.reduce((before, { path, bit }) => {
    const { relationship } = path;
    return advance(problem, before, {
      bits: bit,
      rows: before.rows,
      cost: before.rows * SHORTEST_PATH,
      single: before.single && path.mode === 'shortest' && path.count === 1,
      build: (estimatedRows): Operator => ({
        kind: 'shortestPath',
        input: before.build(),
        from: relationship.left,
        to: relationship.right,
        relationships: relationship.variable,
        types: relationship.types,
        direction: relationship.direction,
        min: relationship.length?.min ?? 1,
        max: relationship.length?.max ?? null,
        mode: path.mode,
        count: path.count,
        step: stepOf(problem.context, relationship.steps),
        predicate: path.predicates.length === 0 ? null : and(path.predicates.map((predicate) => predicate.expression)),
        estimatedRows,
      }),
    });
  }, state);
}
