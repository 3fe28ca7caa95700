/** Finds the variables that parts of a statement need from outside. */
import { type Expression, walk } from '../../cypher/index.ts';
import type { Bindings } from '../scope.ts';

/** Returns the variables that expressions mention and that are bound outside of them. */
export function mentioned(bindings: Bindings, trees: readonly (Expression | null | object)[]): Set<string> {
  const found = new Set<string>();
  for (const tree of trees) {
    if (tree === null) continue;
    walk(tree as Expression, (node) => {
      const each = node as Expression;
      if (each.kind === 'variable' && bindings.has(each.name)) found.add(each.name);
      return undefined;
    });
  }
  return found;
}
