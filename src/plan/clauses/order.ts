/** ORDER BY, SKIP and LIMIT. A sort that is followed by a limit keeps no more rows than it needs. */
import type { Expression, Projection } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { convertExpression } from '../pattern/convert.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { extend, type RowState } from '../row-state.ts';

/** An expression by which rows are ordered. */
export interface RowOrder {
  readonly expression: PlanExpression;
  readonly descending: boolean;
}

/** Estimated rows of a LIMIT whose count is no literal. */
const UNKNOWN_COUNT = 25;

/** Plans ORDER BY, SKIP and LIMIT. */
export function orderAndLimit(context: PlanContext, state: RowState, projection: Projection, order: readonly RowOrder[]): RowState {
  const skip = countOf(context, projection.skip);
  const limit = countOf(context, projection.limit);
  const sorted = order.length === 0 ? state.plan : sortOf(state.plan, order, skip, limit);
  const skipped: Operator =
    skip === null
      ? sorted
      : { kind: 'skip', input: sorted, count: skip, estimatedRows: Math.max(0, sorted.estimatedRows - literalCount(skip, 0)) };
  // The Top of an earlier clause may lie on top of the plan, too: it keeps as many rows as that clause says.
  const isLimited = order.length > 0 && sorted.kind === 'top' && skip === null;
  const plan = limit === null || isLimited ? skipped : limitOf(skipped, limit);
  return { ...extend(state, plan), single: state.single || (limit !== null && literalCount(limit, 2) <= 1) };
}

function countOf(context: PlanContext, count: Expression | null): PlanExpression | null {
  return count === null ? null : convertExpression(context, count, new Set());
}

function limitOf(input: Operator, count: PlanExpression): Operator {
  return { kind: 'limit', input, count, estimatedRows: Math.min(input.estimatedRows, literalCount(count, UNKNOWN_COUNT)) };
}

function sortOf(input: Operator, items: readonly RowOrder[], skip: PlanExpression | null, limit: PlanExpression | null): Operator {
  if (limit === null) return { kind: 'sort', input, items, estimatedRows: input.estimatedRows };
  const rows = skip === null ? literalCount(limit, UNKNOWN_COUNT) : UNKNOWN_COUNT;
  return { kind: 'top', input, items, skip, count: limit, estimatedRows: Math.min(input.estimatedRows, rows) };
}

function literalCount(count: PlanExpression, unknown: number): number {
  return count.kind === 'literal' && typeof count.value === 'number' ? count.value : unknown;
}
