import type { OperatorBase } from '../../../plan.ts';
import type { OperatorFacts } from '../facts.ts';
import { NO_INPUT } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { always } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly argument: Argument;
  }
}

/** Leaf: gives the outer row once, with its `variables`; at the start of a statement, one empty row. */
export interface Argument extends OperatorBase {
  readonly kind: 'argument';
  readonly variables: readonly string[];
}

/** The facts of the rows that a sub-plan is given. */
export const argument: OperatorFacts<Argument> = {
  inputs: NO_INPUT,
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
  readsByPage: true,
  hasConstantSteps: true,
  cost: () => 0,
  describe: ({ variables }) => ({ name: 'Argument', details: variables.join(', ') }),
};
