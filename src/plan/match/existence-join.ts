/**
 * EXISTS about one node, in two ways: its pattern walked from the node of each row until something is found, or matched once from wherever that costs least and the rows joined with
 * the nodes that are found.
 *
 *     MATCH (p {id: 1})-[:KNOWS*1..2]->(f) WHERE EXISTS { (f)<-[:HAS_CREATOR]-()-[:HAS_TAG]->(:Tag {name: 'x'}) }
 *
 * walks to all tags of all that hundreds of persons wrote, or joins these persons with the writers of what has the tag. The second way is planned when the pattern is; which one is
 * taken is told by the rows that there will be. NOT EXISTS is always asked row by row.
 */
import type { Expression, PathPattern } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { NODE_JOIN_BUILD_ROW, NODE_JOIN_PROBE_ROW } from '../cost/cost.ts';
import { totalCost } from '../cost/operator-cost.ts';
import { variable } from '../expressions/build.ts';
import { hasPatterns, isVolatile } from '../expressions/walk.ts';
import { argumentVariables } from '../operators/arguments.ts';
import { expressionsOf, inputsOf, subplanOf } from '../operators/references.ts';
import { hasUpdates } from '../operators/updates.ts';
import type { MatchPatterns } from '../pattern/build-query-graph.ts';
import type { Predicate } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';
import { planPatterns } from './plan-patterns.ts';

/** Plans the patterns of an EXISTS, whose plan for one row is given, for all rows at once where that can be done. */
export function planExistenceApart(context: PlanContext, match: MatchPatterns, plan: Operator): void {
  const [node, ...others] = argumentVariables(plan);
  if (node === undefined || others.length > 0 || context.types.get(node) !== 'node') return;
  if (!match.patterns.every(isPlain) || !match.patterns.some((pattern) => nodesOf(pattern).includes(node))) return;
  // Patterns inside would be planned once more for each level.
  if (match.where !== null && hasPatterns(match.where)) return;
  const apart = planPatterns(context, match, new Set());
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

/** The rows of the input for which there is a match. */
export function whereExists(
  context: PlanContext,
  input: Operator,
  { plan, anti }: NonNullable<Predicate['exists']>,
  estimatedRows: number,
): Operator {
  const apart = context.existences.get(plan);
  if (apart === undefined || anti || hasUpdates(input)) return { kind: 'semiApply', input, plan, anti, estimatedRows };
  const rows = input.estimatedRows;
  const found = apart.plan.estimatedRows;
  // Of several matches the first is enough.
  const eachRow = totalCost(plan) / Math.max(1, plan.estimatedRows);
  const once = totalCost(apart.plan) + found * NODE_JOIN_BUILD_ROW + rows * NODE_JOIN_PROBE_ROW;
  if (rows * eachRow <= once) return { kind: 'semiApply', input, plan, anti, estimatedRows };
  const key = [variable(apart.node)];
  const nodes: Operator = {
    kind: 'project',
    input: apart.plan,
    items: [{ variable: apart.node, expression: key[0]! }],
    discard: true,
    estimatedRows: found,
  };
  const distinct: Operator = { kind: 'distinct', input: nodes, variables: [apart.node], estimatedRows: found };
  return { kind: 'hashJoin', left: input, right: distinct, leftKeys: key, rightKeys: key, estimatedRows };
}
