/** Name and details of an operator, in the words that users of graph databases know from EXPLAIN. */
import type { Description } from '../operators/kinds/facts.ts';
import { factsOf } from '../operators/kinds/table.ts';
import type { Operator } from '../plan.ts';

/** Describes an operator. */
export function describeOperator(operator: Operator): Description {
  return factsOf(operator).describe(operator);
}
