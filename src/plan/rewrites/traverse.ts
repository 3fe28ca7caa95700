/** Applies a function to every operator of a plan, sub-plans included wherever they stand, from the leaves up. */
import { mapChildren } from '../expressions/children.ts';
import { inputsOf, mapExpressions, subplanOf, withInputs, withSubplan } from '../operators/references.ts';
import type { Operator, PlanExpression } from '../plan.ts';

/** Maps every operator of a plan, from the leaves up. */
export function mapOperators(operator: Operator, map: (operator: Operator) => Operator): Operator {
  let result = withInputs(
    operator,
    inputsOf(operator).map((input) => mapOperators(input, map)),
  );
  const subplan = subplanOf(result);
  if (subplan !== null) result = withSubplan(result, mapOperators(subplan, map));
  return map(mapExpressions(result, (expression) => mapSubplans(expression, (plan) => mapOperators(plan, map))));
}

/** Returns the expression with other plans in its subqueries. */
function mapSubplans(expression: PlanExpression, map: (plan: Operator) => Operator): PlanExpression {
  if (expression.kind === 'planSubquery') {
    const plan = map(expression.plan);
    return plan === expression.plan ? expression : { ...expression, plan };
  }
  return mapChildren(expression, (child) => mapSubplans(child, map));
}
