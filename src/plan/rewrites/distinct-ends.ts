/**
 * Where duplicates make no difference (below DISTINCT, `count(DISTINCT …)`, min, max, EXISTS) a variable-length expand
 * that gives only its ends need give each of them once: a breadth-first search instead of all walks.
 *
 * Sound for lengths from 0 or 1: what can be reached at all is reached by a shortest walk, which repeats no
 * relationship. From 2 on, the length itself would matter.
 */
import { aggregateFacts } from '../../functions/index.ts';
import type { PlanContext } from '../context.ts';
import { mapChildren } from '../expressions/children.ts';
import { isVolatile } from '../expressions/walk.ts';
import type { Aggregate, VariableExpand } from '../operators/kinds/table.ts';
import { factsOf } from '../operators/kinds/table.ts';
import { expressionsOf, inputsOf, mapExpressions, subplanOf, withInputs, withSubplan } from '../operators/references.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { mapOperators } from './traverse.ts';

/** Rewrites walks to the search of distinct ends. */
export function useDistinctEnds(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => {
    const inside = mapExpressions(operator, (expression) => markExists(context, expression));
    if (inside.kind === 'semiApply') return { ...inside, plan: mark(context, inside.plan) };
    if (inside.kind === 'distinct' || (inside.kind === 'aggregate' && inside.aggregations.every(ignoresDuplicates))) {
      return { ...inside, input: mark(context, inside.input) };
    }
    return inside;
  });
}

function markExists(context: PlanContext, expression: PlanExpression): PlanExpression {
  if (expression.kind !== 'planSubquery') return mapChildren(expression, (child) => markExists(context, child));
  return expression.mode === 'exists' ? { ...expression, plan: mark(context, expression.plan) } : expression;
}

/** Tells whether duplicates make no difference to an aggregate. */
export function ignoresDuplicates(aggregation: Aggregate['aggregations'][number]): boolean {
  return aggregation.distinct || !aggregateFacts[aggregation.function].countsDuplicates;
}

/** Marks the expands below an operator, down through all operators for which equal input rows mean equal output rows. */
function mark(context: PlanContext, operator: Operator): Operator {
  if (expressionsOf(operator).some(isVolatile)) return operator;
  const { passesDuplicates } = factsOf(operator);
  if (passesDuplicates === 'nowhere') return operator;
  const marked = withInputs(
    operator,
    inputsOf(operator).map((input) => mark(context, input)),
  );
  if (marked.kind === 'variableExpand') return markExpand(context, marked);
  const subplan = passesDuplicates === 'inputsAndSubplan' ? subplanOf(marked) : null;
  return subplan === null ? marked : withSubplan(marked, mark(context, subplan));
}

function markExpand(context: PlanContext, expand: VariableExpand): VariableExpand {
  const endsOnly = !expand.listNeeded && expand.quantified === null && !expand.relationshipsBound && expand.uniqueAgainst.length === 0;
  if (!endsOnly || expand.min > 1) return expand;
  context.rewrites.add('distinct ends');
  return { ...expand, distinctEnds: true };
}
