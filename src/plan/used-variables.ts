/**
 * The variables of a bound statement whose values are read: by an expression, a projection, an update. A name in the
 * pattern that binds the variable does not count as reading, nor does a name in two patterns, since joins and expands
 * work on the patterns themselves.
 *
 * The walk is generic over the tree: every `variable` node below counts except those in binding positions, which are
 * listed here.
 */
import { countWork } from '../base/index.ts';
import type { BoundStatement } from '../cypher/index.ts';

/** Members in which a variable is bound, not read, by kind of tree node. */
const BINDING: Readonly<Record<string, readonly string[]>> = {
  nodePattern: ['variable'],
  relationshipPattern: ['variable'],
  pathPattern: ['variable'],
  unwind: ['variable'],
  foreach: ['variable'],
  loadCsv: ['variable'],
  listComprehension: ['variable'],
  quantifier: ['variable'],
  reduce: ['variable', 'accumulator'],
};

/** Returns the variables whose values are read. */
export function usedVariables(bound: BoundStatement): Set<string> {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    countWork(1);
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    if (value instanceof Map || ArrayBuffer.isView(value)) return;
    const node = value as Record<string, unknown>;
    if (node['kind'] === 'literal') return;
    if (node['kind'] === 'variable') used.add(String(node['name']));
    const binding = BINDING[String(node['kind'])] ?? [];
    for (const [key, member] of Object.entries(node)) if (key !== 'span' && !binding.includes(key)) visit(member);
  };
  visit(bound.statement);
  for (const column of bound.columns) used.add(column.variable);
  return used;
}
