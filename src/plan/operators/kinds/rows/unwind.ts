import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noEffects, noNames } from '../nothing.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly unwind: Unwind;
  }
}

/** Adds `variable` for each element of the list. Null gives no rows; a value that is no list gives one row. */
export interface Unwind extends OperatorBase {
  readonly kind: 'unwind';
  readonly input: Operator;
  readonly variable: string;
  readonly list: PlanExpression;
}

/** The facts of UNWIND. */
export const unwind: OperatorFacts<Unwind> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { list: map(operator.list) }),
  reads: noNames,
  binds: ({ variable }) => [variable],
  effects: noEffects,
  updates: false,
  isSingleRow: ({ list, input }, below) => list.kind === 'list' && list.items.length <= 1 && below(input),
  holdsAllRows: false,
  followsRows: true,
  passesDuplicates: 'inputs',
  loads: ({ variable, list }) => [{ kind: 'value', variable, expressions: [list] }],
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ list, variable }) => ({ name: 'Unwind', details: `${formatExpression(list)} AS ${variable}` }),
};
