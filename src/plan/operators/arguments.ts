/** Narrows what a sub-plan takes from the row it runs for: the variables of its argument leaves. */
import type { Operator } from '../plan.ts';
import { variablesRead } from './free-variables.ts';
import { inputsOf, withInputs } from './references.ts';

/** Drops from the argument leaves of a finished sub-plan all variables that the plan neither reads nor hands on (`kept`). */
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
