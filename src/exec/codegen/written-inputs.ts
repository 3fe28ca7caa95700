/**
 * Pipelines that are written from the first that runs to the last, a piece of work each: a text of hundreds of clauses
 * that write has one for each clause, and written by recursion they would be so deep that each collection of garbage
 * had thousands of frames to look through.
 */
import { type Eager, namesBoundBy, type Operator } from '../../plan/index.ts';
import type { Codegen } from './codegen.ts';
import { writeEager } from './operators/breakers.ts';
import { addNames } from './operators/needs.ts';

/** Writes the inputs of the operators `eager` at the top of the statement. */
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

/** Adds all names in the operator to those that are read of its input: more than it reads of it, which does no harm. */
function addNamesOf(operator: Operator, needed: Set<string>): void {
  for (const [member, part] of Object.entries(operator)) if (member !== 'input') addNames(part, needed);
  // What a clause creates had no value before it.
  if (operator.kind === 'merge' || operator.kind === 'create') for (const name of namesBoundBy(operator)) needed.delete(name);
}
