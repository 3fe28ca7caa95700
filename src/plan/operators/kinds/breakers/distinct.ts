import type { Operator, OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { asInput } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly distinct: Distinct;
  }
}

/** Keeps the first of all rows with equivalent values of `variables`, in the order of the input. Rows hold only `variables` afterwards. */
export interface Distinct extends OperatorBase {
  readonly kind: 'distinct';
  readonly input: Operator;
  readonly variables: readonly string[];
}

/** The facts of DISTINCT. */
export const distinct: OperatorFacts<Distinct> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: ({ variables }) => variables,
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
  describe: ({ variables }) => ({ name: 'Distinct', details: variables.join(', ') }),
};
