import type { Operator, OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { INPUTS_IN_TURN } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { never } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly unionAll: UnionAll;
  }
}

/** Gives the rows of the first input, then of the second, …; each input has been projected to the same `variables`. */
export interface UnionAll extends OperatorBase {
  readonly kind: 'unionAll';
  readonly inputs: readonly Operator[];
  readonly variables: readonly string[];
}

/** The facts of UNION ALL. */
export const unionAll: OperatorFacts<UnionAll> = {
  inputs: INPUTS_IN_TURN,
  subplan: null,
  mapExpressions: null,
  reads: ({ variables }) => variables,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ variables }) => ({ name: 'Union', details: variables.join(', ') }),
};
