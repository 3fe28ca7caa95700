/** Does an expression draw random numbers, so that two copies of it are not the same? */
import type { Expression, FunctionCall } from '../ast.ts';
import { walk } from '../walk.ts';

/** The same arguments may give another answer. */
export function isVolatile(name: string): boolean {
  const lower = name.toLowerCase();
  return lower === 'rand' || lower === 'randomuuid';
}

export function isVolatileExpression(expression: Expression): boolean {
  let found = false;
  walk(expression, (node) => {
    if (node.kind === 'function' && isVolatile((node as FunctionCall).name)) found = true;
    return !found;
  });
  return found;
}
