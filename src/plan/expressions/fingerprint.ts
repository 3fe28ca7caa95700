/**
 * A text that two expressions share exactly when they have the same structure, places in the query text and names of
 * local variables left out. It tells which parts of a projection are grouping keys and which aggregates are the same.
 */
import { countWork } from '../../base/index.ts';
import type { Variable } from '../../cypher/index.ts';
import { literalText, type Value } from '../../value/index.ts';
import type { PlanExpression } from '../plan.ts';
import { isBinding, namesBoundBy } from './table.ts';

/** Returns a text that two expressions share exactly when they have the same structure. */
export function fingerprint(expression: PlanExpression): string {
  const local = new Map<string, string>();
  return JSON.stringify(expression, function (this: Holder, key: string, value: unknown) {
    countWork(1);
    if (key === 'span' || key === 'estimatedRows' || key === 'estimatedCost') return undefined;
    if (key === 'value' && this.kind === 'literal') return `literal:${literalText(value as Value)}`;
    if (key === 'name' && this.kind === 'function') return String(value).toLowerCase();
    if (key === 'name' && this.kind === 'variable') return local.get(String(value)) ?? value;
    declareLocals(value, local);
    return value;
  });
}

interface Holder {
  readonly kind?: unknown;
  readonly variable?: Variable | null;
}

const PATTERNS = new Set<unknown>(['pathPattern', 'nodePattern', 'relationshipPattern']);

/**
 * A generated name (`#n3`) is local to the pattern inside the expression that declares it; outside of one it stands for
 * a node of the pattern that the expression is about, like any other variable.
 */
function declareLocals(value: unknown, local: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (isBinding(value)) for (const name of namesBoundBy(value)) local.set(name, ` ${local.size}`);
  const { kind, variable } = value as Holder;
  if (PATTERNS.has(kind) && variable?.name.startsWith('#') && !local.has(variable.name)) local.set(variable.name, ` ${local.size}`);
}
