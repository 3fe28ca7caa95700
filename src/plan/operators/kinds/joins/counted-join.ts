import type { Operator, OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT, PLAN } from '../inputs.ts';
import { noEffects, noLoads } from '../nothing.ts';
import { never } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly countedJoin: CountedJoin;
  }
}

/**
 * Adds `count`: how many rows of the sub-plan, which starts at `from` and binds `on` by itself, end in the `on` of this
 * row. Rows with a count of 0 are dropped, unless `keepsNone`, which is set where they make no difference. The sub-plan
 * runs once for consecutive rows with the same `from`: its rows are counted by `on`, and never joined with those of the
 * input.
 */
export interface CountedJoin extends OperatorBase {
  readonly kind: 'countedJoin';
  readonly input: Operator;
  readonly plan: Operator;
  readonly from: string;
  readonly on: string;
  readonly count: string;
  readonly keepsNone: boolean;
}

/** The facts of joins with counts of other rows. */
export const countedJoin: OperatorFacts<CountedJoin> = {
  inputs: ONE_INPUT,
  subplan: PLAN,
  mapExpressions: null,
  reads: ({ from, on }) => [from, on],
  binds: ({ count }) => [count],
  effects: noEffects,
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: true,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ count, from, on }) => ({ name: 'CountedJoin', details: `${count} ways from ${from} to ${on}` }),
};
