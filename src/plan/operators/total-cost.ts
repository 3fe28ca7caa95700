/**
 * The cost of a finished plan, from the estimated rows of its operators and their inputs, by the model of
 * `cost-units.ts`. EXPLAIN shows it.
 */
import type { Operator } from '../plan.ts';
import { factsOf } from './kinds/table.ts';
import { inputsOf, subplanOf } from './references.ts';

/** Returns the cost of the operator and of all below it. */
export function totalCost(operator: Operator): number {
  const inputs = inputsOf(operator);
  const subplan = subplanOf(operator);
  const perRow = subplan === null ? 0 : (inputs[0]?.estimatedRows ?? 1) * totalCost(subplan);
  const own = factsOf(operator).cost(operator, inputs[0]?.estimatedRows ?? 0);
  return inputs.reduce((sum, input) => sum + totalCost(input), own + perRow);
}
