/**
 * The physical plan: a tree of operators over bound expressions, made by the planner, compiled to JavaScript by src/exec.
 *
 * A row is an assignment of values to variables (unique names of the bound tree). Every operator, in its file in
 * operators/kinds/, says in its comment which variables its rows have; `input` rows keep theirs unless said otherwise.
 * Order of rows is kept by every operator but those that say so. A *sub-plan* runs once per row of an outer operator,
 * starts with an `argument` leaf and sees the outer row's variables.
 */
import type { Expression, Variable, VariableType } from '../cypher/index.ts';

/** A physical plan. */
export interface Plan {
  readonly root: Operator;
  readonly columns: readonly { readonly name: string; readonly variable: string }[];
  readonly writes: boolean;
  readonly variableTypes: ReadonlyMap<string, VariableType>;
  readonly mode: 'run' | 'explain' | 'profile';
  /** The scan of which each thread takes a share (`splitPlan`). Rows then leave the plan as they are, with references into the graph. */
  readonly partitioned?: OperatorsByKind['allNodesScan' | 'labelScan' | 'relationshipScan'];
  /** Names of the rewrites that changed something; for EXPLAIN. */
  readonly rewrites?: readonly string[];
  /** Indexes on single properties that the planner asked for. */
  readonly askedIndexes?: readonly AskedIndex[];
}

/**
 * An index that the planner asked for. If there is an automatic one where there was none, or the other way round,
 * another plan may be better.
 */
export interface AskedIndex {
  readonly label: string;
  readonly key: string;
  /** The planner found an index, and it was an automatic one. */
  readonly automatic: boolean;
}

/** Expressions of a plan: those of the bound tree in which patterns and subqueries have become plans, and aggregates variables. */
export type PlanExpression = Expression | PlanSubquery | PathBuild | NodeOrder;

/**
 * A sub-plan as a value. `exists`: Boolean; `count`: Integer; `collect`: list of `variable` of each row (pattern
 * comprehension, COLLECT).
 */
export interface PlanSubquery {
  readonly kind: 'planSubquery';
  readonly mode: 'exists' | 'count' | 'collect';
  readonly plan: Operator;
  readonly variable: string | null;
}

/**
 * A path from node and relationship variables, alternating; a relationship element of variable length holds a list. The
 * path is null if any of these is null.
 */
export interface PathBuild {
  readonly kind: 'pathBuild';
  readonly elements: readonly string[];
}

/**
 * A condition: the ordinal of node `low` is less than that of node `high`. Only rewrites make it, to take one of
 * several matches that differ in the order of their nodes.
 */
export interface NodeOrder {
  readonly kind: 'nodeOrder';
  readonly low: Variable;
  readonly high: Variable;
}

/**
 * The operators by their kinds. Each file in operators/kinds/ adds its own (`declare module`), so that this module imports none of them.
 * The table of facts in operators/kinds/table.ts covers exactly these kinds, or does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: The files of the kinds fill it.
export interface OperatorsByKind {}

/** A kind of operator. */
export type OperatorKind = keyof OperatorsByKind;

/** One operator of a plan. */
export type Operator = OperatorsByKind[OperatorKind];

/** The fields of every operator. */
export interface OperatorBase {
  /** Estimated rows out, for EXPLAIN and for choices between plans. */
  readonly estimatedRows: number;
}

export type { Variable };
