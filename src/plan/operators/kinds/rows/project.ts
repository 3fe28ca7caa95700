import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { mapItems } from '../mapping.ts';
import { noEffects, noNames } from '../nothing.ts';
import { asInput } from '../single-row.ts';
import { itemsText } from '../texts.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly project: Project;
  }
}

/** Computes items, which see the input row only. `discard`: rows hold only the items' variables afterwards; otherwise items are added. */
export interface Project extends OperatorBase {
  readonly kind: 'project';
  readonly input: Operator;
  readonly items: readonly { readonly variable: string; readonly expression: PlanExpression }[];
  readonly discard: boolean;
}

/** The facts of projections. */
export const project: OperatorFacts<Project> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { items: mapItems(operator.items, map) }),
  reads: noNames,
  binds: ({ items }) => items.map((item) => item.variable),
  effects: noEffects,
  updates: false,
  isSingleRow: asInput,
  holdsAllRows: false,
  followsRows: true,
  passesDuplicates: 'inputs',
  loads: ({ items }) => items.map(({ variable, expression }) => ({ kind: 'value', variable, expressions: [expression] })),
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ items }) => ({ name: 'Projection', details: itemsText(items) }),
};
