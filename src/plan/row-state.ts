/** Where planning of a query has got to: the plan so far and what is known of its rows. */
import type { Operator } from './plan.ts';

/** The state of planning: a plan and what is known of its rows. */
export interface RowState {
  readonly plan: Operator;
  /** Variables of the rows. */
  readonly scope: ReadonlySet<string>;
  /** Never null in any row. */
  readonly nonNull: ReadonlySet<string>;
  /** At most one row, provably. */
  readonly single: boolean;
  /** Variables of the argument leaf: those that a second leaf beside the plan sees too. */
  readonly outer: ReadonlySet<string>;
}

/** A column of a query. */
export interface QueryColumn {
  readonly name: string;
  readonly variable: string;
}

/** A query that was planned. */
export interface PlannedQuery extends RowState {
  /** The columns of RETURN, in order; empty without one. */
  readonly columns: readonly QueryColumn[];
  /** The query ends in RETURN (or is a call that gives rows), so its rows mean something. */
  readonly returns: boolean;
}

/** The start of a sub-plan; with no variables, of a statement. */
export function argumentState(scope: ReadonlySet<string>): RowState {
  return {
    plan: { kind: 'argument', variables: [...scope], estimatedRows: 1 },
    scope,
    nonNull: new Set(),
    single: true,
    outer: scope,
  };
}

/** The rows of `state` with other operators on top, and more variables. */
export function extend(state: RowState, plan: Operator, variables: Iterable<string> = []): RowState {
  return { ...state, plan, scope: new Set([...state.scope, ...variables]) };
}
