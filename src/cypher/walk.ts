/**
 * Visiting and rewriting of syntax trees, by recursion over the members of plain objects. A node is an object with a
 * `kind`; objects without one (map entries, CASE branches, projections, yields) are passed through.
 */
import { countWork } from '../base/index.ts';
import type { Expression, Variable } from './ast.ts';

/** Any node of the tree: expressions, patterns, clauses, label expressions. */
export interface TreeNode {
  readonly kind: string;
}

/** Calls `visit` for each node, outer before inner, in the order of the text. If it returns false, the children are left out. */
export function walk(tree: unknown, visit: (node: TreeNode) => boolean | undefined): void {
  if (typeof tree !== 'object' || tree === null) return;
  countWork(1);
  if (Array.isArray(tree)) {
    for (const item of tree) walk(item, visit);
    return;
  }
  if (!isPlain(tree)) return;
  if (isNode(tree) && (visit(tree) === false || tree.kind === 'literal')) return;
  for (const [key, member] of Object.entries(tree)) if (key !== 'span') walk(member, visit);
}

/**
 * Returns the tree with nodes replaced. `replace` is called for each node, outer before inner, and returns another
 * node, whose children are not visited, or undefined to keep the node and visit its children. Unchanged parts are
 * shared with the old tree. A replacement must be of a kind that fits in its place.
 */
export function rewrite<T>(tree: T, replace: (node: TreeNode) => TreeNode | undefined): T {
  return rewriteMember(tree, replace) as T;
}

function rewriteMember(tree: unknown, replace: (node: TreeNode) => TreeNode | undefined): unknown {
  if (typeof tree !== 'object' || tree === null) return tree;
  countWork(1);
  if (Array.isArray(tree)) {
    const items = tree.map((item) => rewriteMember(item, replace));
    return items.some((item, i) => item !== tree[i]) ? items : tree;
  }
  if (!isPlain(tree)) return tree;
  const replaced = isNode(tree) ? replace(tree) : undefined;
  if (replaced !== undefined) return replaced;
  if (isNode(tree) && tree.kind === 'literal') return tree;
  let changed: Record<string, unknown> | null = null;
  for (const [key, member] of Object.entries(tree)) {
    if (key === 'span' || typeof member !== 'object') continue;
    const next = rewriteMember(member, replace);
    if (next !== member) {
      changed ??= { ...tree };
      changed[key] = next;
    }
  }
  return changed ?? tree;
}

/** Tells whether an object is part of the tree. Values (Map, CypherFloat, temporal values, bytes) are not. */
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

function isNode(value: object): value is TreeNode {
  return 'kind' in value && typeof value.kind === 'string';
}

/**
 * Returns the variables that an expression uses without binding them in a comprehension, quantifier or reduce. All
 * variables of patterns and subqueries inside are included. In a bound tree, where names are unique, the intersection
 * with the variables in scope leaves exactly the outer ones.
 */
export function freeVariables(expression: Expression): Set<string> {
  const free = new Set<string>();
  collectFree(expression, new Set(), free);
  return free;
}

function collectFree(tree: unknown, local: ReadonlySet<string>, free: Set<string>): void {
  walk(tree, (node) => {
    switch (node.kind) {
      case 'variable': {
        const { name } = node as Variable;
        if (!local.has(name)) free.add(name);
        return false;
      }
      case 'listComprehension':
      case 'quantifier':
      case 'reduce':
        collectComprehension(node as Comprehension, local, free);
        return false;
    }
    return true;
  });
}

type Comprehension = Extract<Expression, { kind: 'listComprehension' | 'quantifier' | 'reduce' }>;

function collectComprehension(node: Comprehension, local: ReadonlySet<string>, free: Set<string>): void {
  collectFree(node.list, local, free);
  const inner = new Set(local).add(node.variable.name);
  if (node.kind === 'reduce') {
    collectFree(node.initial, local, free);
    collectFree(node.expression, inner.add(node.accumulator.name), free);
  } else {
    collectFree(node.where, inner, free);
    if (node.kind === 'listComprehension') collectFree(node.projection, inner, free);
  }
}

/** Tells whether an expression has an aggregate; aggregates in its subqueries do not count. */
export function containsAggregate(expression: Expression, isAggregate: (name: string) => boolean): boolean {
  let found = false;
  walk(expression, (node) => {
    if (node.kind === 'countStar' || (node.kind === 'function' && isAggregate((node as Expression & { kind: 'function' }).name)))
      found = true;
    return !found && node.kind !== 'subquery';
  });
  return found;
}
