/**
 * A filter goes above an expand between known nodes that says no more often: for a triangle, `(c:Person)` where every
 * end of KNOWS is a person, and `b.id < c.id`, are tested for the pairs that close, not for each pair that might. An
 * expand between known nodes whose relationship nobody reads is one look at a mark that was made for a whole list of
 * neighbours, and nearly always says no; what a comparison of two properties says cannot be guessed by the processor.
 */
import type { PlanContext } from '../context.ts';
import { hasSubplans, isVolatile } from '../expressions/walk.ts';
import type { Expand, Filter } from '../operators/kinds/table.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { conjunctsOf } from './counted-expand.ts';
import { Readers } from './readers.ts';
import { mapOperators } from './traverse.ts';

/** Share of rows that a filter leaves at least to be called idle. */
const IDLE = 0.95;
/**
 * Share of rows that a filter of properties leaves at least to be asked after the expand: one that leaves fewer spares
 * more looks than it costs.
 */
const UNDECIDED = 0.05;
/** How much smaller a share the expand must leave. */
const MORE_SELECTIVE = 0.25;

/** @param outputs variables of the result */
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
 * The filter stands between the loop over neighbours that finds one of the two nodes and the look whether they are
 * connected, or behind another such look.
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
