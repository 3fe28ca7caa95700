import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { asInput } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly filter: Filter;
  }
}

/** Keeps the rows for which the predicate is true. */
export interface Filter extends OperatorBase {
  readonly kind: 'filter';
  readonly input: Operator;
  readonly predicate: PlanExpression;
}

/** The facts of filters. */
export const filter: OperatorFacts<Filter> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { predicate: map(operator.predicate) }),
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: asInput,
  holdsAllRows: false,
  followsRows: true,
  passesDuplicates: 'inputs',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ predicate }) => ({ name: 'Filter', details: formatExpression(predicate) }),
};
