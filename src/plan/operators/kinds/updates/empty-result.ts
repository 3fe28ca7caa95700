import type { Operator, OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { always } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly emptyResult: EmptyResult;
  }
}

/** Runs its input for its effects, and gives no rows. A statement that ends in an update has this operator on top. */
export interface EmptyResult extends OperatorBase {
  readonly kind: 'emptyResult';
  readonly input: Operator;
}

/** The facts of the end of a statement without rows. */
export const emptyResult: OperatorFacts<EmptyResult> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: always,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: () => ({ name: 'EmptyResult', details: '' }),
};
