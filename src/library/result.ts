/** The result of a statement as programs have it. */
import type { StatementNotification, StatementResult, WriteOutcome } from '../engine/index.ts';
import type { PlanDescription } from '../plan/index.ts';
import { rowsOf } from './rows.ts';
import type { GraphValue, IntegerForm } from './values.ts';

/** Every column is a key. */
export type Row = { [column: string]: GraphValue };

/**
 * `T` is the type of the rows that a program expects: its word to the compiler, nothing is checked when the statement
 * runs. A column may be anything that `GraphValue` is.
 */
export class QueryResult<T extends object = Row> {
  static readonly name = 'QueryResult';
  /** In the order of RETURN. */
  readonly columns: readonly string[];
  readonly rows: T[];
  /** Present on every statement that can write, even when it changed nothing. */
  declare readonly writeOutcome?: WriteOutcome;
  /** Warnings about a statement that ran nevertheless; absent where there are none. */
  declare readonly notifications?: readonly StatementNotification[];
  /** The plan, of EXPLAIN and PROFILE. */
  declare readonly plan?: PlanDescription;
  /** The plan with the rows and the time of each operator, of PROFILE. */
  declare readonly profile?: PlanDescription;

  constructor({ columns, rows: found, writeOutcome, notifications, planTree }: StatementResult, integers: IntegerForm) {
    const toRow = rowsOf(columns, found.length, integers);
    const rows = new Array<T>(found.length);
    for (let i = 0; i < found.length; i++) rows[i] = toRow(found[i]!) as T; // as: what the caller says they are
    this.columns = columns;
    this.rows = rows;
    if (writeOutcome !== undefined) this.writeOutcome = writeOutcome;
    if (notifications !== undefined && notifications.length > 0) this.notifications = notifications;
    if (planTree === undefined) return;
    this.plan = planTree;
    if (planTree.rows !== undefined) this.profile = planTree;
  }

  /** The first row; undefined where there is none. */
  first(): T | undefined {
    return this.rows[0];
  }

  /** The first column of the first row; undefined where there is no row. */
  value<V = GraphValue>(): V | undefined {
    const row = this.rows[0] as { readonly [column: string]: unknown } | undefined;
    return row === undefined ? undefined : (row[this.columns[0] ?? ''] as V); // as: what the caller says it is
  }
}
