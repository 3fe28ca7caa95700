/** The children of an operator where a plan is shown: its input, and plans that it runs for each row or beforehand. */
import { forEachExpression } from '../expressions/walk.ts';
import { expressionsOf, inputsOf, subplanOf } from '../operators/references.ts';
import type { Operator, Plan } from '../plan.ts';

/** Returns the first input; null for a leaf, and if the input is only the empty row at the start of a statement. */
export function inputOf(operator: Operator): Operator | null {
  const [main] = inputsOf(operator);
  return main === undefined || isStart(main) ? null : main;
}

/** Returns the children beside the input: sub-plans, and the hashed side of a join. */
export function branchesOf(operator: Operator): readonly Operator[] {
  const [, ...others] = inputsOf(operator);
  return [...expressionPlans(operator), ...[subplanOf(operator)].filter((plan) => plan !== null), ...others.toReversed()];
}

/** Returns the columns of a plan as text. */
export function columnsText(plan: Plan): string {
  return plan.columns.map(({ name, variable }) => (name === variable ? name : `${variable} AS ${name}`)).join(', ');
}

const isStart = (operator: Operator): boolean => operator.kind === 'argument' && operator.variables.length === 0;

/** Returns the sub-plans inside the operator's expressions, in order. */
function expressionPlans(operator: Operator): readonly Operator[] {
  const found: Operator[] = [];
  for (const expression of expressionsOf(operator)) {
    forEachExpression(expression, (part) => {
      if (part.kind === 'planSubquery') found.push(part.plan);
    });
  }
  return found;
}
