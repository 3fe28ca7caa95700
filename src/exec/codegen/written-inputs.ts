/**
 * Writes the inputs of `eager` operators one after the other, from the first pipeline that runs to the last, each as a
 * piece of work. A statement of hundreds of clauses that write has a pipeline for each of them; written by recursion,
 * they would make the stack so deep that each garbage collection had thousands of frames to look through.
 */
import { type Eager, namesBoundBy, type Operator } from '../../plan/index.ts';
import type { Codegen } from './codegen.ts';
import { writeEager } from './operators/breakers.ts';
import { addNames } from './operators/needs.ts';

/** Writes the inputs of the `eager` operators at the top of the statement; yields after each of them. */
export function* writeInputs(cg: Codegen, root: Operator, columns: readonly string[]): Generator<void, void, void> {
  const eagers: { readonly eager: Eager; readonly needed: ReadonlySet<string> }[] = [];
  const needed = new Set(columns);
  for (let operator: Operator | null = root; operator !== null; operator = 'input' in operator ? operator.input : null) {
    if (operator.kind === 'eager') eagers.push({ eager: operator, needed: new Set(needed) });
    else addNamesOf(operator, needed);
  }
  for (const { eager, needed: names } of eagers.reverse()) {
    cg.written.set(eager, writeEager(cg, eager, names));
    yield;
  }
}

/** Adds all names in the operator to those that its input must bind. They may be more than the operator reads, which does no harm. */
function addNamesOf(operator: Operator, needed: Set<string>): void {
  for (const [member, part] of Object.entries(operator)) if (member !== 'input') addNames(part, needed);
  // What a clause creates had no value before it.
  if (operator.kind === 'merge' || operator.kind === 'create') for (const name of namesBoundBy(operator)) needed.delete(name);
}
