/**
 * Keys of bound expressions, which are equal exactly for equal expressions. A key has the tree without places and with
 * the names of functions in lower case; the local variables of comprehensions and patterns are numbered in order of
 * appearance.
 */

import { countWork } from '../../../base/index.ts';
import { literalText } from '../../../value/index.ts';
import type { Expression, Literal } from '../../ast.ts';

/** Returns the key of an expression. `visible` has the unique names of the variables around the expression; others are local. */
export function expressionKey(expression: Expression, visible: ReadonlySet<string>): string {
  const locals = new Map<string, number>();
  const local = (name: string): string => {
    if (!locals.has(name)) locals.set(name, locals.size);
    return `local ${locals.get(name)}`;
  };
  const write = (tree: unknown): string => {
    countWork(1);
    if (Array.isArray(tree)) return `[${tree.map(write).join()}]`;
    if (typeof tree !== 'object' || tree === null) return JSON.stringify(tree);
    const node = tree as Record<string, unknown>;
    if (node['kind'] === 'literal') return `literal ${literalText(node['value'] as Literal['value'])}`;
    if (node['kind'] === 'variable') {
      const name = String(node['name']);
      return visible.has(name) ? JSON.stringify(name) : local(name);
    }
    return `{${Object.entries(node)
      .filter(([key]) => key !== 'span')
      .map(([key, member]) => `${key}:${node['kind'] === 'function' && key === 'name' ? String(member).toLowerCase() : write(member)}`)
      .join()}}`;
  };
  return write(expression);
}
