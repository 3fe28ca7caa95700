/**
 * Walking and rewriting of syntax trees. Bare recursion over the members of plain objects: a tree node is an object with a `kind`; what has
 * none (map entries, CASE branches, projections, yields) is passed through.
 */
import { countWork } from '../base/index.ts';
import type { Expression, Variable } from './ast.ts';

/** Any node of the tree: expressions, patterns, clauses, label expressions. */
export interface TreeNode {
  readonly kind: string;
}

/** Calls `visit` for each node, outer before inner, in order of the text; answering false leaves out what is below. */
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
 * The tree with nodes replaced: `replace` sees each node, outer before inner, and answers another one (whose inside is left alone) or
 * undefined (its inside is rewritten). Parts in which nothing changes are shared with the old tree. The caller replaces nodes only by nodes
 * that fit in their place.
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

/** Values (Map, CypherFloat, temporal values, bytes) are no part of the tree. */
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

function isNode(value: object): value is TreeNode {
  return 'kind' in value && typeof value.kind === 'string';
}

/**
 * The variables that an expression mentions and does not bind itself in a comprehension, quantifier or reduce. Patterns
 * and subqueries inside count with all their variables: in a bound tree, where names are unique, those that are bound
 * in there are known to nobody outside, so that an intersection with what is in scope gives the outer ones.
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

/** Is there an aggregate in the expression, subqueries not looked into (their aggregates are their own)? */
export function containsAggregate(expression: Expression, isAggregate: (name: string) => boolean): boolean {
  let found = false;
  walk(expression, (node) => {
    if (node.kind === 'countStar' || (node.kind === 'function' && isAggregate((node as Expression & { kind: 'function' }).name)))
      found = true;
    return !found && node.kind !== 'subquery';
  });
  return found;
}
