/** ORDER BY: `Sort` gives all rows, `Top` the first of them. */

import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { mapItems } from '../mapping.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { asInput, atMostOne } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly sort: Sort;
    readonly top: Top;
  }
}

/** Sorts rows by the items, the first item first; rows with equal items stay in their order. */
export interface Sort extends OperatorBase {
  readonly kind: 'sort';
  readonly input: Operator;
  readonly items: readonly { readonly expression: PlanExpression; readonly descending: boolean }[];
}

/** The facts of sorts. */
export const sort: OperatorFacts<Sort> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { items: mapItems(operator.items, map) }),
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: asInput,
  holdsAllRows: true,
  followsRows: false,
  passesDuplicates: 'inputs',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ items }) => ({ name: 'Sort', details: orderText(items) }),
};

/** Gives the first `skip + count` rows of the sorted input, holding no more than that; `skip` null counts as 0. */
export interface Top extends OperatorBase {
  readonly kind: 'top';
  readonly input: Operator;
  readonly items: readonly { readonly expression: PlanExpression; readonly descending: boolean }[];
  readonly skip: PlanExpression | null;
  readonly count: PlanExpression;
}

/** The facts of sorts with a limit. */
export const top: OperatorFacts<Top> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) =>
    changed(operator, {
      items: mapItems(operator.items, map),
      skip: operator.skip === null ? null : map(operator.skip),
      count: map(operator.count),
    }),
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: ({ skip, count, input }, below) => (skip === null && atMostOne(count)) || below(input),
  holdsAllRows: true,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ items, skip, count }) => ({
    name: 'Top',
    details: `${orderText(items)} LIMIT ${skip === null ? '' : `${formatExpression(skip)} + `}${formatExpression(count)}`,
  }),
};

function orderText(items: Sort['items']): string {
  return items.map((item) => `${formatExpression(item.expression)} ${item.descending ? 'DESC' : 'ASC'}`).join(', ');
}
