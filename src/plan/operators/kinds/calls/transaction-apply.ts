import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT, PLAN } from '../inputs.ts';
import { mapOrNull } from '../mapping.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { never } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly transactionApply: TransactionApply;
  }
}

/** Runs a sub-plan per input row and commits once per batch of rows: `CALL { … } IN TRANSACTIONS`. */
export interface TransactionApply extends OperatorBase {
  readonly kind: 'transactionApply';
  readonly input: Operator;
  readonly plan: Operator;
  readonly unit: boolean;
  /** An input row for which the sub-plan has no row is kept, with `nullVariables` null. */
  readonly optional: boolean;
  readonly batchSize: PlanExpression | null;
  readonly onError: 'fail' | 'continue' | 'break';
  readonly nullVariables: readonly string[];
  readonly reportStatus: string | null;
  /** Inside a transaction of the caller nothing is committed by itself. If false, the statement is refused there. */
  readonly joinsTransaction: boolean;
}

/** The facts of CALL … IN TRANSACTIONS. */
export const transactionApply: OperatorFacts<TransactionApply> = {
  inputs: ONE_INPUT,
  subplan: PLAN,
  mapExpressions: (operator, map) => changed(operator, { batchSize: mapOrNull(operator.batchSize, map) }),
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ onError, optional }) => ({
    name: 'TransactionApply',
    details: `${optional ? 'OPTIONAL, ' : ''}ON ERROR ${onError.toUpperCase()}`,
  }),
};
