/** SKIP and LIMIT: all rows but the first, the first rows. */

import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { asInput, atMostOne } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly skip: Skip;
    readonly limit: Limit;
  }
}

/** Rows after the first `count`. */
export interface Skip extends OperatorBase {
  readonly kind: 'skip';
  readonly input: Operator;
  readonly count: PlanExpression;
}

/** The facts of SKIP. */
export const skip: OperatorFacts<Skip> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { count: map(operator.count) }),
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: asInput,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ count }) => ({ name: 'Skip', details: formatExpression(count) }),
};

/** Above updates the input is run to its end all the same (the planner puts an eager below). */
export interface Limit extends OperatorBase {
  readonly kind: 'limit';
  readonly input: Operator;
  readonly count: PlanExpression;
}

/** The facts of LIMIT. */
export const limit: OperatorFacts<Limit> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { count: map(operator.count) }),
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: ({ count, input }, below) => atMostOne(count) || below(input),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ count }) => ({ name: 'Limit', details: formatExpression(count) }),
};
