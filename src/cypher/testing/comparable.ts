/** For tests: returns a tree without places in the text, for deepEqual. */
export function withoutPlaces(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutPlaces);
  if (typeof tree !== 'object' || tree === null || Object.getPrototypeOf(tree) !== Object.prototype) return tree;
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([key]) => key !== 'span')
      .map(([key, member]) => [key, withoutPlaces(member)]),
  );
}
