/**
 * An expand between two known nodes looks at the list of one of them for the other. It goes from the one that was found first: in the loops that the plan becomes, that node
 * and its list stay the same while the other changes, so the list stays in the cache and can be marked once.
 */
import { inputsOf, namesBoundBy } from '../operators/references.ts';
import { reverse } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';
import { mapOperators } from './traverse.ts';

export function orientInto(root: Operator): Operator {
  return mapOperators(root, (operator) => {
    if (operator.kind !== 'expand' || !operator.into || operator.relationshipBound || operator.from === operator.to) return operator;
    if (depthOf(operator.input, operator.to) <= depthOf(operator.input, operator.from)) return operator;
    return { ...operator, from: operator.to, to: operator.from, direction: reverse(operator.direction) };
  });
}

/** Operators between the top of the plan and the one that binds the variable; what nobody in it binds is the oldest. */
function depthOf(plan: Operator, variable: string): number {
  let depth = 0;
  for (let operator: Operator | undefined = plan; operator !== undefined; operator = inputsOf(operator)[0]) {
    if (namesBoundBy(operator).includes(variable)) return depth;
    depth += 1;
  }
  return Number.POSITIVE_INFINITY;
}
