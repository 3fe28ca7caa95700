/** Operators that run a sub-plan per row: joined with each of its rows, joined with at least one row, and as a condition. */

import type { Operator, OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT, PLAN } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { asInput } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly apply: Apply;
    readonly optionalApply: OptionalApply;
    readonly semiApply: SemiApply;
  }
}

/** Joins each outer row with each row of the sub-plan. */
export interface Apply extends OperatorBase {
  readonly kind: 'apply';
  readonly input: Operator;
  readonly plan: Operator;
  /** A unit subquery: the sub-plan runs for its effects, and the outer row is kept once. */
  readonly unit: boolean;
}

/** The facts of sub-plans for each row. */
export const apply: OperatorFacts<Apply> = {
  inputs: ONE_INPUT,
  subplan: PLAN,
  mapExpressions: null,
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: ({ input, unit, plan }, below) => below(input) && (unit || below(plan)),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ unit }) => ({ name: unit ? 'SubqueryForeach' : 'Apply', details: '' }),
};

/** Joins each outer row with each row of the sub-plan or, if that has none, with one row in which `nullVariables` are null. */
export interface OptionalApply extends OperatorBase {
  readonly kind: 'optionalApply';
  readonly input: Operator;
  readonly plan: Operator;
  readonly nullVariables: readonly string[];
}

/** The facts of optional sub-plans for each row. */
export const optionalApply: OperatorFacts<OptionalApply> = {
  inputs: ONE_INPUT,
  subplan: PLAN,
  mapExpressions: null,
  reads: noNames,
  binds: ({ nullVariables }) => nullVariables,
  effects: noEffects,
  updates: false,
  isSingleRow: ({ input, plan }, below) => below(input) && below(plan),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'inputsAndSubplan',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ nullVariables }) => ({ name: 'OptionalApply', details: nullVariables.join(', ') }),
};

/** Keeps the outer rows for which the sub-plan has a row (`anti`: has none). */
export interface SemiApply extends OperatorBase {
  readonly kind: 'semiApply';
  readonly input: Operator;
  readonly plan: Operator;
  readonly anti: boolean;
}

/** The facts of sub-plans as conditions. */
export const semiApply: OperatorFacts<SemiApply> = {
  inputs: ONE_INPUT,
  subplan: PLAN,
  mapExpressions: null,
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: asInput,
  holdsAllRows: false,
  followsRows: true,
  passesDuplicates: 'inputs',
  loads: noLoads,
  readsByPage: true,
  hasConstantSteps: true,
  cost: rowCost,
  describe: ({ anti }) => ({ name: anti ? 'AntiSemiApply' : 'SemiApply', details: '' }),
};
