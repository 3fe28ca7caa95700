/** How far the planning of a query has got: the plan so far, and facts about its rows. */
import type { Operator } from './plan.ts';

/** The state of planning: a plan, and facts about its rows. */
export interface RowState {
  readonly plan: Operator;
  /** Variables of the rows. */
  readonly scope: ReadonlySet<string>;
  /** Variables that are not null in any row. */
  readonly nonNull: ReadonlySet<string>;
  /** The plan provably gives at most one row. */
  readonly single: boolean;
  /** Variables of the argument leaf, which a second leaf beside the plan sees too. */
  readonly outer: ReadonlySet<string>;
}

/** A column of a query. */
export interface QueryColumn {
  readonly name: string;
  readonly variable: string;
}

/** A query that was planned: its state after the last clause, and its columns. */
export interface PlannedQuery extends RowState {
  /** The columns of RETURN, in order; empty without one. */
  readonly columns: readonly QueryColumn[];
  /** The query ends in RETURN (or is a call that gives rows), so its rows mean something. */
  readonly returns: boolean;
}

/** Returns the state at the start of a sub-plan with these variables or, without any, of a statement. */
export function argumentState(scope: ReadonlySet<string>): RowState {
  return {
    plan: { kind: 'argument', variables: [...scope], estimatedRows: 1 },
    scope,
    nonNull: new Set(),
    single: true,
    outer: scope,
  };
}

/** Returns a state with another plan, which stands on top of that of `state`, and with more variables. */
export function extend(state: RowState, plan: Operator, variables: Iterable<string> = []): RowState {
  return { ...state, plan, scope: new Set([...state.scope, ...variables]) };
}
