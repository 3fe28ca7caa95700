/** A variable-length expand whose list of relationships nobody reads need not make it. */
import type { PlanContext } from '../context.ts';
import { variablesRead } from '../operators/arguments.ts';
import { mapExpressions } from '../operators/map-expressions.ts';
import { inputsOf, subplanOf, withInputs, withSubplan } from '../operators/references.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { mapChildren } from '../expressions/children.ts';

export function dropUnreadLists(context: PlanContext, root: Operator, outputs: readonly string[]): Operator {
  const read = allVariablesRead(root);
  for (const name of outputs) read.add(name);
  return drop(context, root, read);
}

/** Names are unique in a statement, so one set serves the plan and all its sub-plans. */
function allVariablesRead(plan: Operator): Set<string> {
  const read = variablesRead(plan);
  const addFrom = (operator: Operator): void => {
    const subplan = subplanOf(operator);
    if (subplan !== null) for (const name of allVariablesRead(subplan)) read.add(name);
    mapExpressions(operator, (expression) => {
      addFromExpression(expression, read);
      return expression;
    });
    for (const input of inputsOf(operator)) addFrom(input);
  };
  addFrom(plan);
  return read;
}

function addFromExpression(expression: PlanExpression, read: Set<string>): void {
  if (expression.kind === 'planSubquery') {
    for (const name of allVariablesRead(expression.plan)) read.add(name);
    if (expression.variable !== null) read.add(expression.variable);
    return;
  }
  mapChildren(expression, (child) => {
    addFromExpression(child, read);
    return child;
  });
}

function drop(context: PlanContext, operator: Operator, read: ReadonlySet<string>): Operator {
  let result = withInputs(operator, inputsOf(operator).map((input) => drop(context, input, read)));
  const subplan = subplanOf(result);
  if (subplan !== null) result = withSubplan(result, drop(context, subplan, read));
  result = mapExpressions(result, (expression) => dropInExpression(context, expression, read));
  if (result.kind !== 'variableExpand' || read.has(result.relationships)) return result;
  context.rewrites.add('unread-lists');
  return { ...result, listNeeded: false };
}

function dropInExpression(context: PlanContext, expression: PlanExpression, read: ReadonlySet<string>): PlanExpression {
  if (expression.kind === 'planSubquery') return { ...expression, plan: drop(context, expression.plan, read) };
  return mapChildren(expression, (child) => dropInExpression(context, child, read));
}
