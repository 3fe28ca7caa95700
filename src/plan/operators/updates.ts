/** Does a plan change data when it runs? */
import type { Operator } from '../plan.ts';
import { inputsOf, subplanOf } from './references.ts';

const UPDATING: ReadonlySet<Operator['kind']> = new Set(['create', 'merge', 'setProperties', 'removeItems', 'delete', 'foreach', 'schema']);

export function hasUpdates(operator: Operator): boolean {
  if (UPDATING.has(operator.kind)) return true;
  const subplan = subplanOf(operator);
  return (subplan !== null && hasUpdates(subplan)) || inputsOf(operator).some(hasUpdates);
}
