import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noEffects, noNames } from '../nothing.ts';
import { never } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly loadCsv: LoadCsv;
  }
}

/** Gives, per input row, a row for each row of the CSV file and adds `variable`: a list or, with headers, a map. */
export interface LoadCsv extends OperatorBase {
  readonly kind: 'loadCsv';
  readonly input: Operator;
  readonly from: PlanExpression;
  readonly withHeaders: boolean;
  readonly variable: string;
  readonly fieldTerminator: string | null;
}

/** The facts of LOAD CSV. */
export const loadCsv: OperatorFacts<LoadCsv> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { from: map(operator.from) }),
  reads: noNames,
  binds: ({ variable }) => [variable],
  effects: noEffects,
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ variable }) => [{ kind: 'value', variable, expressions: [] }],
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ from, variable }) => ({ name: 'LoadCSV', details: `${formatExpression(from)} AS ${variable}` }),
};
