/**
 * EXISTS about one node, in two ways: its pattern walked from the node of each row until something is found, or matched
 * once from wherever that costs least and the rows joined with the nodes that are found.
 *
 *     MATCH (p {id: 1})-[:KNOWS*1..2]->(f) WHERE EXISTS { (f)<-[:HAS_CREATOR]-()-[:HAS_TAG]->(:Tag {name: 'x'}) }
 *
 * walks to all tags of all that hundreds of persons wrote, or joins these persons with the writers of what has the tag.
 * The second way is planned when the pattern is; the estimated number of rows decides which one is taken. NOT EXISTS is
 * always asked row by row.
 */
import type { PlanContext } from '../context.ts';
import { variable } from '../expressions/build.ts';
import { NODE_JOIN_BUILD_ROW, NODE_JOIN_PROBE_ROW } from '../operators/cost-units.ts';
import { totalCost } from '../operators/total-cost.ts';
import { hasUpdates } from '../operators/updates.ts';
import type { Predicate } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';

/** Keeps the rows of the input for which there is a match (`anti`: none), in the cheaper of the two ways. */
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
