/** Expressions that draw random numbers, so that two copies of one are not the same. */
import { isRandom } from '../../../functions/index.ts';
import type { Expression, FunctionCall } from '../../ast.ts';
import { walk } from '../../walk.ts';

/** Tells whether an expression draws random numbers. */
export function isVolatileExpression(expression: Expression): boolean {
  let found = false;
  walk(expression, (node) => {
    if (node.kind === 'function' && isRandom((node as FunctionCall).name)) found = true;
    return !found;
  });
  return found;
}
