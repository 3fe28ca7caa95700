import type { AggregateName } from '../../../../functions/index.ts';
import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Load } from '../../../loads.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { mapItems } from '../mapping.ts';
import { noEffects, noNames } from '../nothing.ts';
import { itemsText } from '../texts.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly aggregate: Aggregate;
  }
}

/**
 * Groups rows and aggregates each group: one row per group, with grouping and aggregation variables only. Without
 * grouping there is exactly one row. Grouping is by equivalence (nulls are equal).
 */
export interface Aggregate extends OperatorBase {
  readonly kind: 'aggregate';
  readonly input: Operator;
  readonly grouping: readonly { readonly variable: string; readonly expression: PlanExpression }[];
  readonly aggregations: readonly {
    readonly variable: string;
    readonly function: AggregateName;
    readonly distinct: boolean;
    readonly arguments: readonly PlanExpression[];
  }[];
}

/** The facts of grouping and aggregation. */
export const aggregate: OperatorFacts<Aggregate> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) =>
    changed(operator, {
      grouping: mapItems(operator.grouping, map),
      aggregations: mapList(operator.aggregations, (item) => changed(item, { arguments: mapList(item.arguments, map) })),
    }),
  reads: noNames,
  binds: ({ grouping, aggregations }) => [...grouping, ...aggregations].map((item) => item.variable),
  effects: noEffects,
  updates: false,
  isSingleRow: ({ grouping, input }, below) => grouping.length === 0 || below(input),
  holdsAllRows: true,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ grouping, aggregations }) => [
    ...grouping.map(({ variable, expression }): Load => ({ kind: 'value', variable, expressions: [expression] })),
    ...aggregations.map((aggregation): Load => ({ kind: 'aggregation', aggregation })),
  ],
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: (operator) => ({
    name: operator.grouping.length === 0 ? 'Aggregation' : 'EagerAggregation',
    details: detailsOf(operator),
  }),
};

function detailsOf({ grouping, aggregations }: Aggregate): string {
  const results = aggregations.map((each) => {
    const argument = each.function === 'count' && each.arguments.length === 0 ? '*' : each.arguments.map(formatExpression).join(', ');
    return `${each.function}(${each.distinct ? 'DISTINCT ' : ''}${argument}) AS ${each.variable}`;
  });
  return [itemsText(grouping), results.join(', ')].filter((part) => part !== '').join(', ');
}
