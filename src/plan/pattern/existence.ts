/** Plans EXISTS about one node a second time, for all nodes at once: `match/existence-join.ts` takes the cheaper of the two ways. */
import type { Expression, PathPattern } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { hasPatterns, isVolatile } from '../expressions/walk.ts';
import { argumentVariables } from '../operators/free-variables.ts';
import { expressionsOf, inputsOf, subplanOf } from '../operators/references.ts';
import type { Operator } from '../plan.ts';
import type { MatchPatterns } from './query-graph.ts';

/**
 * Plans the patterns of an EXISTS for all rows at once, if possible, and keeps that plan in `context.existences`.
 * `plan`: the plan for one row.
 */
export function planExistenceApart(context: PlanContext, match: MatchPatterns, plan: Operator): void {
  const [node, ...others] = argumentVariables(plan);
  if (node === undefined || others.length > 0 || context.types.get(node) !== 'node') return;
  if (!match.patterns.every(isPlain) || !match.patterns.some((pattern) => nodesOf(pattern).includes(node))) return;
  // Patterns inside would be planned once more for each level.
  if (match.where !== null && hasPatterns(match.where)) return;
  const apart = context.planPatterns(match, new Set());
  if (argumentVariables(apart).size === 0 && !someVolatile(apart)) context.existences.set(plan, { node, plan: apart });
}

function isPlain({ selector, elements }: PathPattern): boolean {
  return selector === null && elements.every((element) => element.kind !== 'quantifiedPattern' && !hasPatternsInside(element.properties));
}

const hasPatternsInside = (properties: Expression | null): boolean => properties !== null && hasPatterns(properties);

function nodesOf({ elements }: PathPattern): readonly string[] {
  return elements.flatMap((element) => (element.kind === 'nodePattern' && element.variable !== null ? [element.variable.name] : []));
}

function someVolatile(operator: Operator): boolean {
  return (
    expressionsOf(operator).some(isVolatile) ||
    [...inputsOf(operator), subplanOf(operator)].some((input) => input !== null && someVolatile(input))
  );
}
