/**
 * WITH and RETURN. Three forms, by what the items contain:
 *
 * - plain: items are computed as late as possible, after sorting and limiting; those that ORDER BY reads, before;
 * - DISTINCT: items first, then the distinct rows, then their order;
 * - aggregation: groups by the items without aggregates; what mixes both is computed from the groups.
 *
 * ORDER BY, SKIP and LIMIT come before the WHERE of a WITH. Rows have only the items' variables in the end.
 */
import type { Expression, Projection, ProjectionItem } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { variable } from '../expressions/build.ts';
import { fingerprint } from '../expressions/fingerprint.ts';
import { asExpression } from '../expressions/mapping.ts';
import { isVolatile, replaceExpressions } from '../expressions/walk.ts';
import { namesIn } from '../operators/free-variables.ts';
import { convertExpression } from '../pattern/convert.ts';
import type { Operator } from '../plan.ts';
import { extend, type RowState } from '../row-state.ts';
import { isAggregating, planAggregation } from './aggregation.ts';
import { orderAndLimit, type RowOrder } from './order.ts';
import { planWhere, projectedState } from './projected-rows.ts';

/** Plans WITH or RETURN. */
export function planProjection(context: PlanContext, state: RowState, projection: Projection, where: Expression | null): RowState {
  const sorts = projection.orderBy.map((item) => item.expression);
  if ([...projection.items.map((item) => item.expression), ...sorts].some(isAggregating)) {
    return planAggregation(context, state, projection, where);
  }
  const after = projection.distinct ? planDistinct(context, state, projection) : null;
  if (after !== null) return planWhere(context, after, after.scope, where);
  return planPlain(context, state, projection, where);
}

function planPlain(context: PlanContext, state: RowState, projection: Projection, where: Expression | null): RowState {
  const order = sharedOrder(projection);
  const read = new Set(order.flatMap((item) => [...namesIn(item.expression)]));
  const isEarly = (item: ProjectionItem): boolean => read.has(item.variable.name) || isVolatile(item.expression);
  const early = projection.items.filter((item) => isEarly(item) && !isItself(item));
  const scope = new Set([...state.scope, ...early.map((item) => item.variable.name)]);
  let plan = addItems(context, state.plan, early, state.scope);
  const ordered = order.map((item) => ({ expression: convertExpression(context, item.expression, scope), descending: item.descending }));
  const limited = orderAndLimit(context, { ...extend(state, plan), scope }, projection, ordered);
  plan = limited.plan;
  const hidden = where === null ? [] : hiddenNames(where, projection, scope);
  const items = projection.items.map((item) => ({
    variable: item.variable.name,
    expression: early.includes(item) ? variable(item.variable.name) : convertExpression(context, item.expression, state.scope),
  }));
  const kept = hidden.map((name) => ({ variable: name, expression: variable(name) }));
  plan = { kind: 'project', input: plan, items: [...items, ...kept], discard: true, estimatedRows: plan.estimatedRows };
  const projected = projectedState(context, state, { ...limited, plan }, projection);
  const filtered = planWhere(context, projected, new Set([...projected.scope, ...hidden]), where);
  return hidden.length === 0 ? filtered : narrow(filtered, projected.scope);
}

/** Returns the sort keys; a key that equals an item becomes the item's variable. */
function sharedOrder(projection: Projection): readonly { readonly expression: Expression; readonly descending: boolean }[] {
  const items = new Map(projection.items.map((item) => [fingerprint(item.expression), item.variable]));
  return projection.orderBy.map(({ expression, descending }) => ({
    expression: items.get(fingerprint(expression)) ?? expression,
    descending,
  }));
}

const isItself = (item: ProjectionItem): boolean => item.expression.kind === 'variable' && item.expression.name === item.variable.name;

function addItems(context: PlanContext, input: Operator, items: readonly ProjectionItem[], scope: ReadonlySet<string>): Operator {
  if (items.length === 0) return input;
  return {
    kind: 'project',
    input,
    items: items.map((item) => ({ variable: item.variable.name, expression: convertExpression(context, item.expression, scope) })),
    discard: false,
    estimatedRows: input.estimatedRows,
  };
}

/** Returns the variables from before the projection that its WHERE reads. */
function hiddenNames(where: Expression, projection: Projection, scope: ReadonlySet<string>): readonly string[] {
  const visible = new Set(projection.items.map((item) => item.variable.name));
  return [...namesIn(where)].filter((name) => scope.has(name) && !visible.has(name));
}

function planDistinct(context: PlanContext, state: RowState, projection: Projection): RowState {
  const items = projection.items.map((item) => ({
    variable: item.variable.name,
    expression: convertExpression(context, item.expression, state.scope),
  }));
  const rows = state.plan.estimatedRows;
  const projected: Operator = { kind: 'project', input: state.plan, items, discard: true, estimatedRows: rows };
  const plan: Operator = {
    kind: 'distinct',
    input: projected,
    variables: items.map((item) => item.variable),
    estimatedRows: Math.max(1, rows * 0.5),
  };
  const after = projectedState(context, state, extend(state, plan), projection);
  return orderAndLimit(context, after, projection, orderOverItems(context, projection, after.scope));
}

/** Returns the sort keys over rows that hold the items only: parts equal to an item become the item's variable. */
function orderOverItems(context: PlanContext, projection: Projection, scope: ReadonlySet<string>): readonly RowOrder[] {
  const items = new Map(projection.items.map((item) => [fingerprint(item.expression), item.variable]));
  return projection.orderBy.map(({ expression, descending }) => {
    const replaced = replaceExpressions(expression, (part) => items.get(fingerprint(part)) ?? null);
    return { expression: convertExpression(context, asExpression(replaced), scope), descending };
  });
}

function narrow(state: RowState, names: ReadonlySet<string>): RowState {
  const items = [...names].map((name) => ({ variable: name, expression: variable(name) }));
  return extend(state, { kind: 'project', input: state.plan, items, discard: true, estimatedRows: state.plan.estimatedRows });
}
