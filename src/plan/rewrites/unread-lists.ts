/** Drops the lists of relationships that variable-length expands would make and nothing reads. */
import type { PlanContext } from '../context.ts';
import { forEachExpression } from '../expressions/walk.ts';
import { variablesRead } from '../operators/free-variables.ts';
import { expressionsOf, inputsOf, subplanOf } from '../operators/references.ts';
import type { Operator } from '../plan.ts';
import { mapOperators } from './traverse.ts';

/** Marks the variable-length expands whose lists nothing reads. `outputs`: the variables of the result. */
export function dropUnreadLists(context: PlanContext, root: Operator, outputs: readonly string[]): Operator {
  const read = new Set(outputs);
  addRead(root, read);
  return mapOperators(root, (operator) => {
    if (operator.kind !== 'variableExpand' || read.has(operator.relationships)) return operator;
    context.rewrites.add('unread lists');
    return { ...operator, listNeeded: false };
  });
}

/** Adds the variables that a plan reads. Names are unique in a statement, so one set serves the plan and all its sub-plans. */
function addRead(plan: Operator, read: Set<string>): void {
  for (const name of variablesRead(plan)) read.add(name);
  const visit = (operator: Operator): void => {
    const subplan = subplanOf(operator);
    if (subplan !== null) addRead(subplan, read);
    for (const expression of expressionsOf(operator)) {
      forEachExpression(expression, (part) => {
        if (part.kind !== 'planSubquery') return;
        addRead(part.plan, read);
        if (part.variable !== null) read.add(part.variable);
      });
    }
    for (const input of inputsOf(operator)) visit(input);
  };
  visit(plan);
}
