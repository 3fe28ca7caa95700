/**
 * Projections with aggregates. Items without one are the grouping keys. From the others, and from ORDER BY, the
 * aggregates are taken out and become variables, equal ones the same variable; parts that equal a grouping key become
 * the key's variable. What is left of such an item is computed from the groups.
 *
 * DISTINCT changes nothing here: every row has its own keys.
 */

import type { Expression, Projection, ProjectionItem } from '../../cypher/index.ts';
import { aggregateNamed } from '../../functions/index.ts';
import type { PlanContext } from '../context.ts';
import { variable } from '../expressions/build.ts';
import { fingerprint } from '../expressions/fingerprint.ts';
import { asExpression } from '../expressions/mapping.ts';
import { hasPatterns, isVolatile, replaceExpressions, someExpression } from '../expressions/walk.ts';
import type { Aggregate } from '../operators/kinds/table.ts';
import { convertExpression } from '../pattern/convert.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { extend, type RowState } from '../row-state.ts';
import { orderAndLimit } from './order.ts';
import { planWhere, projectedState } from './projected-rows.ts';

/** Tells whether an expression contains an aggregate. */
export function isAggregating(expression: Expression): boolean {
  return someExpression(expression, isAggregate);
}

function isAggregate(part: PlanExpression): boolean {
  return part.kind === 'countStar' || (part.kind === 'function' && aggregateNamed(part.name) !== undefined);
}

/** Plans a projection with aggregates. */
export function planAggregation(context: PlanContext, state: RowState, projection: Projection, where: Expression | null): RowState {
  const keys = projection.items.filter((item) => !isAggregating(item.expression));
  const extraction = new Extraction(context, keys, state.scope);
  const mixed: { variable: string; expression: Expression }[] = [];
  for (const item of projection.items) {
    if (keys.includes(item) || extraction.claim(item)) continue;
    mixed.push({ variable: item.variable.name, expression: extraction.rest(item.expression) });
  }
  const itemNames = new Map(projection.items.map((item) => [fingerprint(item.expression), item.variable]));
  const order = projection.orderBy.map(({ expression, descending }) => ({
    expression: itemNames.get(fingerprint(expression)) ?? extraction.rest(expression),
    descending,
  }));
  const grouped = aggregate(context, state, keys, extraction);
  const aliases = needsAliases(mixed, order) ? keyAliases(keys) : [];
  const scope = new Set([...grouped.scope, ...aliases.map((alias) => alias.variable), ...mixed.map((item) => item.variable)]);
  let plan = addItems(grouped.plan, aliases);
  plan = addItems(
    plan,
    mixed.map((item) => ({ variable: item.variable, expression: convertExpression(context, item.expression, scope) })),
  );
  const ordered = order.map((item) => ({ expression: convertExpression(context, item.expression, scope), descending: item.descending }));
  const limited = orderAndLimit(context, { ...extend(grouped, plan), scope }, projection, ordered);
  const projected = projectedState(context, state, { ...limited, plan: narrowTo(limited.plan, projection, grouped, plan) }, projection);
  return planWhere(context, projected, projected.scope, where);
}

/** Tells whether an expression is an aggregate that gives an Integer, whatever its argument. */
function isInteger(call: PlanExpression): boolean {
  return call.kind === 'countStar' || (call.kind === 'function' && aggregateNamed(call.name)?.facts.returns === 'Integer');
}

/** Takes aggregates out of expressions. */
class Extraction {
  readonly #context: PlanContext;
  readonly #scope: ReadonlySet<string>;
  readonly #keys: ReadonlyMap<string, string>;
  readonly #known = new Map<string, string>();
  readonly aggregations: Aggregate['aggregations'][number][] = [];

  constructor(context: PlanContext, keys: readonly ProjectionItem[], scope: ReadonlySet<string>) {
    this.#context = context;
    this.#scope = scope;
    this.#keys = new Map(keys.map((key) => [fingerprint(key.expression), key.variable.name]));
  }

  /**
   * Takes an item that is nothing but an aggregate: the aggregate gets the item's variable. False for other items and
   * repeated aggregates.
   */
  claim(item: ProjectionItem): boolean {
    if (!isAggregate(item.expression)) return false;
    const text = fingerprint(item.expression);
    if (this.#known.has(text)) return false;
    this.#known.set(text, item.variable.name);
    this.#add(item.variable.name, item.expression);
    return true;
  }

  /** Returns the expression with grouping keys and aggregates replaced by their variables. */
  rest(expression: Expression): Expression {
    const replaced = replaceExpressions(expression, (part) => {
      if (isAggregate(part)) return variable(this.#variableOf(part));
      const key = part.kind === 'literal' ? undefined : this.#keys.get(fingerprint(part));
      return key === undefined ? null : variable(key);
    });
    return asExpression(replaced);
  }

  #variableOf(call: PlanExpression): string {
    const text = fingerprint(call);
    const known = isVolatile(call) ? undefined : this.#known.get(text);
    if (known !== undefined) return known;
    const name = this.#context.fresh('aggregate', isInteger(call) ? 'integer' : 'any');
    this.#known.set(text, name);
    this.#add(name, call);
    return name;
  }

  #add(name: string, call: PlanExpression): void {
    if (call.kind === 'countStar') this.aggregations.push({ variable: name, function: 'count', distinct: false, arguments: [] });
    else if (call.kind === 'function') {
      this.aggregations.push({
        variable: name,
        function: aggregateNamed(call.name)!.name,
        distinct: call.distinct,
        arguments: call.arguments.map((argument) => convertExpression(this.#context, argument, this.#scope)),
      });
    }
  }
}

function aggregate(context: PlanContext, state: RowState, keys: readonly ProjectionItem[], extraction: Extraction): RowState {
  const rows = keys.length === 0 ? 1 : Math.max(1, state.plan.estimatedRows ** 0.75);
  const plan: Operator = {
    kind: 'aggregate',
    input: state.plan,
    grouping: keys.map((key) => ({ variable: key.variable.name, expression: convertExpression(context, key.expression, state.scope) })),
    aggregations: extraction.aggregations,
    estimatedRows: Math.min(rows, Math.max(1, state.plan.estimatedRows)),
  };
  const names = [...plan.grouping, ...plan.aggregations].map((item) => item.variable);
  return { ...state, plan, scope: new Set(names), single: keys.length === 0 || state.single };
}

/**
 * Tells whether the rows need grouping keys under their old names as well: a pattern inside a mixed expression refers
 * to the variables from before the projection.
 */
function needsAliases(
  mixed: readonly { readonly expression: Expression }[],
  order: readonly { readonly expression: Expression }[],
): boolean {
  return [...mixed, ...order].some((item) => hasPatterns(item.expression));
}

function keyAliases(keys: readonly ProjectionItem[]): readonly { variable: string; expression: PlanExpression }[] {
  return keys.flatMap((key) =>
    key.expression.kind === 'variable' && key.expression.name !== key.variable.name
      ? [{ variable: key.expression.name, expression: variable(key.variable.name) }]
      : [],
  );
}

function addItems(input: Operator, items: readonly { variable: string; expression: PlanExpression }[]): Operator {
  return items.length === 0 ? input : { kind: 'project', input, items, discard: false, estimatedRows: input.estimatedRows };
}

/** Drops variables that were computed only for the order or for mixed items. */
function narrowTo(plan: Operator, projection: Projection, grouped: RowState, unordered: Operator): Operator {
  const names = projection.items.map((item) => item.variable.name);
  const isExact = unordered === grouped.plan && names.length === grouped.scope.size && names.every((name) => grouped.scope.has(name));
  if (isExact) return plan;
  return {
    kind: 'project',
    input: plan,
    items: names.map((name) => ({ variable: name, expression: variable(name) })),
    discard: true,
    estimatedRows: plan.estimatedRows,
  };
}
