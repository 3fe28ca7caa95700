import { writing } from '../../../effects.ts';
import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Load } from '../../../loads.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noNames } from '../nothing.ts';
import { asInput } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly delete: Delete;
  }
}

/** Deletes the nodes, relationships and paths that the expressions give. */
export interface Delete extends OperatorBase {
  readonly kind: 'delete';
  readonly input: Operator;
  readonly expressions: readonly PlanExpression[];
  readonly detach: boolean;
}

/** The facts of DELETE. */
export const deletion: OperatorFacts<Delete> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { expressions: mapList(operator.expressions, map) }),
  reads: noNames,
  binds: noNames,
  effects: () => writing({ deletes: true }),
  updates: true,
  isSingleRow: asInput,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  // Whether a node may go is told by its relationships, of any type.
  loads: ({ expressions }) => [{ kind: 'types', types: null }, ...expressions.map((entity): Load => ({ kind: 'changed', entity }))],
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ detach, expressions }) => ({
    name: detach ? 'DetachDelete' : 'Delete',
    details: expressions.map(formatExpression).join(', '),
  }),
};
