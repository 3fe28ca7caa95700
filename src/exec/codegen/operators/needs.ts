/**
 * Tells which variables an expression or a sub-plan may read. An over-estimate is harmless: it only makes a breaker
 * keep one more field.
 */

import { countWork } from '../../../base/index.ts';

const known = new WeakMap<object, ReadonlySet<string>>();

/** Returns every string in the tree: names of variables are among them. */
export function namesIn(tree: object): ReadonlySet<string> {
  let names = known.get(tree);
  if (names === undefined) {
    const found = new Set<string>();
    addNames(tree, found);
    names = found;
    known.set(tree, names);
  }
  return names;
}

/** Adds every string in the tree. */
export function addNames(tree: unknown, into: Set<string>): void {
  countWork(1);
  if (typeof tree === 'string') into.add(tree);
  else if (Array.isArray(tree)) for (const item of tree) addNames(item, into);
  else if (typeof tree === 'object' && tree !== null && !isLiteral(tree)) for (const value of Object.values(tree)) addNames(value, into);
}

function isLiteral(tree: object): boolean {
  return 'kind' in tree && tree.kind === 'literal';
}

/** Returns the names, with all that the trees may read. */
export function withNames(needed: ReadonlySet<string>, ...trees: readonly (object | null | undefined)[]): Set<string> {
  countWork(needed.size);
  const all = new Set(needed);
  for (const tree of trees) if (tree !== null && tree !== undefined) for (const name of namesIn(tree)) all.add(name);
  return all;
}

/** Returns the names, with more of them. */
export function withVariables(needed: ReadonlySet<string>, ...names: readonly string[]): Set<string> {
  countWork(needed.size);
  const all = new Set(needed);
  for (const name of names) all.add(name);
  return all;
}
