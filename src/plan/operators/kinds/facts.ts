/**
 * The facts of one kind of operator: all that walkers, EXPLAIN, barriers, the cost model and the loader have to know
 * about it, written once, beside its type.
 *
 * Every member is required, and no record is made from another one: a kind that leaves a fact out does not compile, and
 * a new fact has to be thought about for every kind (`scripts/check-operator-facts.ts` deletes each of them and looks).
 * The records stand in `table.ts`; code is generated from operators in `exec/`.
 */
import type { VariableType } from '../../../cypher/index.ts';
import type { Effects } from '../../effects.ts';
import type { Load } from '../../loads.ts';
import type { Operator, PlanExpression } from '../../plan.ts';

/** The facts of a kind of operator. */
export interface OperatorFacts<O> {
  /** The operators whose rows flow into this one, left to right. */
  readonly inputs: Inputs<O>;
  /** The plan that the operator runs once per row of its input; null for kinds that have none. Plans inside expressions do not count. */
  readonly subplan: Subplan<O> | null;
  /**
   * Returns the operator with other expressions, each visited once, in the order of its members; itself when none
   * changed. Null: the kind computes none.
   */
  readonly mapExpressions: ((operator: O, map: ExpressionMapper) => O) | null;
  /** Variables that the operator reads by name, outside its expressions. */
  readonly reads: (operator: O) => readonly string[];
  /** Variables that the operator gives a value to. */
  readonly binds: (operator: O) => readonly string[];
  /** The reads and changes of the operator itself; its inputs, sub-plan and expressions have effects of their own. */
  readonly effects: (operator: O, types: VariableTypes) => Effects;
  /** The operator changes data whenever it runs. */
  readonly updates: boolean;
  /** Tells whether the operator provably gives at most one row per row of its argument; `below` tells it of inputs and sub-plan. */
  readonly isSingleRow: (operator: O, below: (operator: Operator) => boolean) => boolean;
  /** The operator takes all its input rows before it gives one. */
  readonly holdsAllRows: boolean;
  /** The operator handles each input row without the others, so that threads may share the rows. */
  readonly followsRows: boolean;
  /** The parts below in which duplicate rows do not matter if they do not matter above: equal rows in mean equal rows out. */
  readonly passesDuplicates: 'nowhere' | 'inputs' | 'inputsAndSubplan';
  /** The loads that must be in memory before the operator runs, apart from those of its expressions. */
  readonly loads: (operator: O) => readonly Load[];
  /**
   * The operator reads no more than what its rows lead to, all of it in ways that notice what is not in memory, so that
   * it can run where tables are read by page.
   */
  readonly readsByPage: boolean | ((operator: O) => boolean);
  /**
   * S1: each of its steps, after which it may look at the clock, is of constant cost; its inputs, its sub-plan and its
   * expressions apart.
   */
  readonly hasConstantSteps: boolean;
  /** The work of the operator itself, in units of `operators/cost-units.ts`. `rowsIn`: the estimated rows of its first input. */
  readonly cost: (operator: O, rowsIn: number) => number;
  /** Name and details as EXPLAIN prints them. */
  readonly describe: (operator: O) => Description;
}

/** Maps an expression of an operator. */
export type ExpressionMapper = (expression: PlanExpression) => PlanExpression;

/** The types of variables. */
export type VariableTypes = ReadonlyMap<string, VariableType>;

/** The name and details of an operator. */
export interface Description {
  readonly name: string;
  readonly details: string;
}

/** How inputs are reached and replaced. */
export interface Inputs<O> {
  readonly of: (operator: O) => readonly Operator[];
  readonly with: <T extends O>(operator: T, inputs: readonly Operator[]) => T;
  /** The first input starts only when the others have run to their end. */
  readonly othersFirst: boolean;
}

/** How a sub-plan is reached and replaced. */
export interface Subplan<O> {
  readonly of: (operator: O) => Operator | null;
  readonly with: <T extends O>(operator: T, plan: Operator) => T;
}
