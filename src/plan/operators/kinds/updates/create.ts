import { uniteAll } from '../../../effects.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { asInput } from '../single-row.ts';
import {
  type CreateNode,
  type CreateRelationship,
  createdEnds,
  createEffects,
  createLoads,
  createText,
  mapCreated,
} from './create-items.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly create: Create;
  }
}

/** Creates the items in order, per input row, and adds their variables. */
export interface Create extends OperatorBase {
  readonly kind: 'create';
  readonly input: Operator;
  readonly items: readonly (CreateNode | CreateRelationship)[];
}

/** The facts of CREATE. */
export const create: OperatorFacts<Create> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { items: mapList(operator.items, (item) => mapCreated(item, map)) }),
  reads: ({ items }) => items.flatMap(createdEnds),
  binds: ({ items }) => items.map((item) => item.variable),
  effects: ({ items }) => uniteAll(items.map(createEffects)),
  updates: true,
  isSingleRow: asInput,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ items }) => items.flatMap(createLoads),
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ items }) => ({ name: 'Create', details: items.map(createText).join(', ') }),
};
