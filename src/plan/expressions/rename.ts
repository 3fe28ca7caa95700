/** Renames the variables of a tree. */

/** Returns a copy of the tree with other names, wherever in it a variable stands. */
export function renameVariables(tree: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(tree)) return tree.map((item) => renameVariables(item, names));
  if (typeof tree !== 'object' || tree === null || Object.getPrototypeOf(tree) !== Object.prototype) return tree;
  const node = tree as Record<string, unknown>;
  if (node['kind'] === 'literal') return node;
  if (node['kind'] === 'variable') return { ...node, name: names.get(String(node['name'])) ?? node['name'] };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, renameVariables(value, names)]));
}
