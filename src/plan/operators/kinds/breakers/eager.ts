import type { Operator, OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { asInput } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly eager: Eager;
  }
}

/** Collects all input rows before the first one leaves, which keeps reads and writes in the order of their clauses. */
export interface Eager extends OperatorBase {
  readonly kind: 'eager';
  readonly input: Operator;
}

/** The facts of eager operators. */
export const eager: OperatorFacts<Eager> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: asInput,
  holdsAllRows: true,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: () => ({ name: 'Eager', details: '' }),
};
