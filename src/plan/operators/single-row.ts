/** Proves that a plan gives at most one row per row of its argument. Conservative: false when in doubt. */
import type { Operator } from '../plan.ts';
import { factsOf } from './kinds/table.ts';

/** Tells whether a plan provably gives at most one row. */
export function isSingleRow(operator: Operator): boolean {
  return factsOf(operator).isSingleRow(operator, isSingleRow);
}
