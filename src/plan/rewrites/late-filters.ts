/**
 * Moves a filter above an expand between known nodes that drops more rows. For a triangle, `(c:Person)` where every end
 * of KNOWS is a person, and `b.id < c.id`, are tested for the pairs that close, not for each pair that might. An expand
 * between known nodes whose relationship nothing reads is one look at a mark that was made for a whole list of
 * neighbours, and nearly always fails; the result of comparing two properties cannot be predicted by the processor.
 */
import type { PlanContext } from '../context.ts';
import { hasSubplans, isVolatile } from '../expressions/walk.ts';
import type { Expand, Filter } from '../operators/kinds/table.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { conjunctsOf } from './counted-expand.ts';
import { Readers } from './readers.ts';
import { mapOperators } from './traverse.ts';

/** Least share of rows that an idle filter leaves. */
const IDLE = 0.95;
/** Least share of rows that a filter leaves to be tested after the expand: a filter that leaves fewer saves more looks than it costs. */
const UNDECIDED = 0.05;
/** The share of rows that the expand leaves must be less than that of the filter by this factor. */
const MORE_SELECTIVE = 0.25;

/** Moves filters above expands that drop more rows. `outputs`: the variables of the result. */
export function delayFilters(context: PlanContext, root: Operator, outputs: readonly string[]): Operator {
  const readers = new Readers(root, outputs);
  return mapOperators(root, (operator) => {
    if (operator.kind !== 'expand' || !operator.into || operator.input.kind !== 'filter') return operator;
    const filter = operator.input;
    if (hasSubplans(filter.predicate) || isVolatile(filter.predicate)) return operator;
    const isLate = isIdle(filter, operator) || (readers.of(operator.relationship) === 0 && isUndecided(filter, operator));
    if (!isLate) return operator;
    context.rewrites.add('late filters');
    return { ...filter, input: { ...operator, input: filter.input }, estimatedRows: operator.estimatedRows };
  });
}

function isIdle(filter: Filter, expand: Expand): boolean {
  return (
    filter.estimatedRows >= IDLE * filter.input.estimatedRows &&
    expand.estimatedRows < filter.estimatedRows &&
    isAboutLabels(filter.predicate)
  );
}

/**
 * Tells whether the filter stands between the expand that finds one of the two nodes and the test whether these are
 * connected, or behind another such test, and the test drops far more rows.
 */
function isUndecided(filter: Filter, expand: Expand): boolean {
  const { input } = filter;
  if (input.kind !== 'expand' || (input.to !== expand.to && input.to !== expand.from)) return false;
  // Neighbours that come after another node are the end of a sorted list: the others are not even looked at.
  if (conjunctsOf(filter.predicate).some((each) => each.kind === 'nodeOrder')) return false;
  const passes = filter.estimatedRows / input.estimatedRows;
  return passes >= UNDECIDED && expand.estimatedRows < MORE_SELECTIVE * passes * filter.estimatedRows;
}

function isAboutLabels(predicate: PlanExpression): boolean {
  if (predicate.kind === 'logical' && predicate.operator === 'and') return predicate.operands.every(isAboutLabels);
  return predicate.kind === 'hasLabels';
}
