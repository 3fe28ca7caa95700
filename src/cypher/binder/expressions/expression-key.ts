/**
 * When are two bound expressions the same? When their keys are equal: the tree without places, names of functions in
 * one case, and variables that only the expression itself knows (of its comprehensions and patterns) numbered in order
 * of appearance.
 */

import { countWork } from '../../../base/index.ts';
import { literalText } from '../../../value/index.ts';
import type { Expression, Literal } from '../../ast.ts';

/** `visible`: unique names of the variables that exist around the expression. */
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
