/** SKIP and LIMIT: one gives all rows but the first, the other the first rows. */

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

/** Gives the rows after the first `count`. */
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

/** Gives the first `count` rows. Above updates the input still runs to its end, since the planner puts an `Eager` below. */
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
