/**
 * How many operators of a plan, and of the plans inside it, read each variable. Names are unique in a statement, so one
 * table serves all of them.
 */
import { forEachExpression } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import { expressionsOf, inputsOf, namesReadBy, subplanOf } from '../operators/references.ts';
import type { Operator } from '../plan.ts';

/** Counts the readers of each variable. */
export class Readers {
  readonly #counts = new Map<string, number>();

  /** Counts the readers of a plan. `outputs`: the variables of the result. */
  constructor(root: Operator, outputs: readonly string[]) {
    this.#add(outputs);
    this.#visit(root);
  }

  /** The number of operators that read the variable; the result counts as one. */
  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #visit(operator: Operator): void {
    const names = new Set(namesReadBy(operator));
    for (const expression of expressionsOf(operator)) {
      for (const name of freeVariables(expression)) names.add(name);
      forEachExpression(expression, (part) => {
        if (part.kind === 'planSubquery') this.#visit(part.plan);
      });
    }
    this.#add(names);
    const subplan = subplanOf(operator);
    if (subplan !== null) this.#visit(subplan);
    for (const input of inputsOf(operator)) this.#visit(input);
  }

  #add(names: Iterable<string>): void {
    for (const name of names) this.#counts.set(name, this.of(name) + 1);
  }
}
