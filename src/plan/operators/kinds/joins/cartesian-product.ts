import type { Operator, OperatorBase } from '../../../plan.ts';
import { PRODUCT_ROW } from '../../cost-units.ts';
import type { OperatorFacts } from '../facts.ts';
import { LEFT_AND_RIGHT } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly cartesianProduct: CartesianProduct;
  }
}

/** Joins each row of `left` with each row of `right`, which does not depend on the rows of `left`. */
export interface CartesianProduct extends OperatorBase {
  readonly kind: 'cartesianProduct';
  readonly left: Operator;
  readonly right: Operator;
}

/** The facts of cartesian products. */
export const cartesianProduct: OperatorFacts<CartesianProduct> = {
  inputs: LEFT_AND_RIGHT,
  subplan: null,
  mapExpressions: null,
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: ({ left, right }, below) => below(left) && below(right),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'inputs',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: ({ estimatedRows }) => estimatedRows * PRODUCT_ROW,
  describe: () => ({ name: 'CartesianProduct', details: '' }),
};
