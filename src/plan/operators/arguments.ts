/** What a sub-plan needs of the row it runs for: the variables of its argument leaves. */
import { freeVariables } from '../expressions/walk.ts';
import type { Operator } from '../plan.ts';
import { expressionsOf, inputsOf, namesReadBy, subplanOf, withInputs } from './references.ts';

/** Variables of the outer row that a sub-plan reads: those of its argument leaves (see `narrowArguments`). */
export function argumentVariables(plan: Operator): Set<string> {
  const found = new Set<string>();
  const visit = (operator: Operator): void => {
    if (operator.kind === 'argument') for (const name of operator.variables) found.add(name);
    for (const input of inputsOf(operator)) visit(input);
  };
  visit(plan);
  return found;
}

/** Every variable that is read anywhere in the plan, its sub-plans included, as they see it. */
export function variablesRead(plan: Operator): Set<string> {
  const found = new Set<string>();
  const visit = (operator: Operator): void => {
    for (const name of namesReadBy(operator)) found.add(name);
    for (const expression of expressionsOf(operator)) for (const name of freeVariables(expression)) found.add(name);
    const subplan = subplanOf(operator);
    if (subplan !== null) for (const name of argumentVariables(subplan)) found.add(name);
    for (const input of inputsOf(operator)) visit(input);
  };
  visit(plan);
  return found;
}

/** Leaves in the argument leaves of a finished sub-plan only what the plan reads or hands on (`kept`). */
export function narrowArguments(plan: Operator, kept: Iterable<string> = []): Operator {
  const read = variablesRead(plan);
  for (const name of kept) read.add(name);
  const narrow = (operator: Operator): Operator => {
    if (operator.kind === 'argument') {
      const variables = operator.variables.filter((name) => read.has(name));
      return variables.length === operator.variables.length ? operator : { ...operator, variables };
    }
    return withInputs(operator, inputsOf(operator).map(narrow));
  };
  return narrow(plan);
}
