/**
 * The facts of one kind of expression: all that generic walkers, barriers, estimates and the loader have to know about it, written once.
 *
 * Every member is required, and no record is made from another one: a kind that leaves a fact out does not compile, and
 * a new fact has to be thought about for every kind (`scripts/check-operator-facts.ts` deletes each of them and looks).
 * The records stand in `table.ts`. The text of an expression and the code that is generated for it are no facts: they
 * are different for every kind, and are switches over all kinds of their own.
 */
import type {
  BinaryExpression,
  ComparisonChain,
  Expression,
  LabelExpression,
  ListLiteral,
  Literal,
  MapLiteral,
  Parameter,
  PatternComprehension,
  PatternExpression,
  SubqueryExpression,
  UnaryExpression,
} from '../../cypher/index.ts';
import type { Determinism } from '../../functions/index.ts';
import type { Effects } from '../effects.ts';
import type { Load } from '../loads.ts';
import type { Operator, PlanExpression } from '../plan.ts';

/** The facts of a kind of expression. */
export interface ExpressionFacts<E> {
  /**
   * Returns the expression over other children, each visited once, in the order of its members; itself when none
   * changed. Null: the kind has no children.
   */
  readonly mapChildren: ((expression: E, map: ChildMapper) => E) | null;
  /** Variables that the expression reads by name, outside its children and its sub-plan. Null: none. */
  readonly reads: ((expression: E) => readonly string[]) | null;
  /** Variables that the expression gives values to while it computes its children. Null: none. */
  readonly binds: ((expression: E) => readonly string[]) | null;
  /** The plan that the expression runs; null for kinds that run none. */
  readonly subplan: ((expression: E) => Operator) | null;
  /** False for a pattern or a query that has to become a sub-plan; walkers do not see inside it. */
  readonly isPlanned: E extends UnplannedExpression ? false : true;
  /** The determinism of the expression itself, apart from its children. Null: that of its children alone. */
  readonly determinism: ((expression: E) => Determinism) | null;
  /** The effects of the expression itself; its children and its sub-plan have effects of their own. Null: none. */
  readonly effects: ((expression: E) => Effects) | null;
  /** The loads that must be in memory before the expression is computed, apart from those of its children and its sub-plan. Null: none. */
  readonly loads: ((expression: E) => readonly Load[]) | null;
  /** Tells whether the value can be, or contain, a node, a relationship or a path. */
  readonly mayHoldEntity: (expression: E, known: EntityKnowledge) => boolean;
  /** Estimates the share of rows, from 0 to 1, for which the expression is true as a predicate. */
  readonly selectivity: (expression: E, estimates: Estimates) => number;
  /** Tells how large the value can be. */
  readonly size: (expression: E, of: SizeOf) => ValueSize;
  /**
   * S1: tells whether computing the expression is of constant cost, apart from its children and its sub-plan. Reading a
   * stored value once counts as constant.
   */
  readonly isConstant: (expression: E, of: SizeOf) => boolean;
  /** The value is known before any row if those of the children are written out. */
  readonly isConstantForm: E extends ConstantForm ? true : false;
}

/**
 * The static size of a value: `small`, a number or at most as large as a small parameter (`isSmallValue`); `stored`, at
 * most as large as a value that the graph holds; `any`, which the statement can make as large as it likes.
 */
export type ValueSize = 'small' | 'stored' | 'any';

/** `ExpressionFacts.size` of a child. */
export type SizeOf = (child: PlanExpression) => ValueSize;

/** Returns the expression that takes the place of a child. */
export type ChildMapper = (child: Expression) => Expression;

/** Patterns and queries that have to become sub-plans. */
export type UnplannedExpression = PatternExpression | PatternComprehension | SubqueryExpression;

/** Literals, parameters, and what can be written out of them: lists, maps, signs. */
export type ConstantForm = Literal | Parameter | UnaryExpression | ListLiteral | MapLiteral;

/** The facts about entities that are known where the expression stands. */
export interface EntityKnowledge {
  /** Tells whether the value of the variable can be, or contain, an entity. */
  readonly ofVariable: (name: string) => boolean;
  /** Tells whether the variable is a node or a relationship, whose properties are no entities. */
  readonly isEntity: (name: string) => boolean;
  /** `ExpressionFacts.mayHoldEntity` of a child. */
  readonly of: (child: PlanExpression) => boolean;
}

/** Estimates of the shares of rows that depend on statistics. */
export interface Estimates {
  /** `ExpressionFacts.selectivity` of a child. */
  readonly selectivity: (child: PlanExpression) => number;
  readonly ofComparison: (expression: ComparisonChain) => number;
  readonly ofBinary: (expression: BinaryExpression) => number;
  readonly ofLabels: (labels: LabelExpression) => number;
}
