/** SET and REMOVE. */
import type { RemoveItem, SetItem } from '../../../../cypher/index.ts';
import { uniteAll } from '../../../effects.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noNames } from '../nothing.ts';
import { asInput } from '../single-row.ts';
import { mapRemove, mapSet, removeEffects, removeLoad, removeText, setEffects, setLoads, setText } from './set-items.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly setProperties: SetProperties;
    readonly removeItems: RemoveItems;
  }
}

/** Sets properties and labels per row; items in order. */
export interface SetProperties extends OperatorBase {
  readonly kind: 'setProperties';
  readonly input: Operator;
  readonly items: readonly SetItem[];
}

/** The facts of SET. */
export const setProperties: OperatorFacts<SetProperties> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { items: mapList(operator.items, (item) => mapSet(item, map)) }),
  reads: noNames,
  binds: noNames,
  effects: ({ items }, types) => uniteAll(items.map((item) => setEffects(item, types))),
  updates: true,
  isSingleRow: asInput,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ items }) => items.flatMap(setLoads),
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ items }) => ({ name: 'SetProperty', details: items.map(setText).join(', ') }),
};

/** Removes properties and labels per row; items in order. */
export interface RemoveItems extends OperatorBase {
  readonly kind: 'removeItems';
  readonly input: Operator;
  readonly items: readonly RemoveItem[];
}

/** The facts of REMOVE. */
export const removeItems: OperatorFacts<RemoveItems> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { items: mapList(operator.items, (item) => mapRemove(item, map)) }),
  reads: noNames,
  binds: noNames,
  effects: ({ items }, types) => uniteAll(items.map((item) => removeEffects(item, types))),
  updates: true,
  isSingleRow: asInput,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ items }) => items.map(removeLoad),
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ items }) => ({ name: 'Remove', details: items.map(removeText).join(', ') }),
};
