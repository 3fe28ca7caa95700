/** Finds out whether a plan changes data when it runs. */
import type { Operator } from '../plan.ts';
import { factsOf } from './kinds/table.ts';
import { inputsOf, subplanOf } from './references.ts';

/** Tells whether a plan changes data. */
export function hasUpdates(operator: Operator): boolean {
  if (factsOf(operator).updates) return true;
  const subplan = subplanOf(operator);
  return (subplan !== null && hasUpdates(subplan)) || inputsOf(operator).some(hasUpdates);
}
