/**
 * A filter that hardly ever says no goes above an expand between known nodes, which mostly does: `(c:Person)` where every end of KNOWS is a person is tested for the triangles
 * that close, not for each pair that might.
 */
import type { PlanContext } from '../context.ts';
import { hasSubplans } from '../expressions/walk.ts';
import type { Operator } from '../plan.ts';
import { mapOperators } from './traverse.ts';

/** Share of rows that a filter leaves at least to be called idle. */
const IDLE = 0.95;

export function delayFilters(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => {
    if (operator.kind !== 'expand' || !operator.into || operator.input.kind !== 'filter') return operator;
    const filter = operator.input;
    const isIdle = filter.estimatedRows >= IDLE * filter.input.estimatedRows && operator.estimatedRows < filter.estimatedRows;
    // Only tests of labels: one of a property may be what keeps a later one from failing.
    if (!isIdle || hasSubplans(filter.predicate) || !isAboutLabels(filter.predicate)) return operator;
    context.rewrites.add('late filters');
    return { ...filter, input: { ...operator, input: filter.input }, estimatedRows: operator.estimatedRows };
  });
}

function isAboutLabels(predicate: Extract<Operator, { kind: 'filter' }>['predicate']): boolean {
  if (predicate.kind === 'logical' && predicate.operator === 'and') return predicate.operands.every(isAboutLabels);
  return predicate.kind === 'hasLabels';
}
