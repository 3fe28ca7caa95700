import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT, PLAN } from '../inputs.ts';
import { noEffects, noNames } from '../nothing.ts';
import { asInput } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly foreach: Foreach;
  }
}

/** Runs `plan` for its effects, per input row and element of the list (argument: outer variables and `variable`). */
export interface Foreach extends OperatorBase {
  readonly kind: 'foreach';
  readonly input: Operator;
  readonly variable: string;
  readonly list: PlanExpression;
  readonly plan: Operator;
}

/** The facts of FOREACH. */
export const foreach: OperatorFacts<Foreach> = {
  inputs: ONE_INPUT,
  subplan: PLAN,
  mapExpressions: (operator, map) => changed(operator, { list: map(operator.list) }),
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: true,
  isSingleRow: asInput,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ variable, list }) => [{ kind: 'value', variable, expressions: [list] }],
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ variable, list }) => ({ name: 'Foreach', details: `${variable} IN ${formatExpression(list)}` }),
};
