/** The result of a statement, as the library returns it. */
import type { StatementNotification, StatementResult, WriteOutcome } from '../engine/index.ts';
import type { PlanDescription } from '../plan/index.ts';
import { rowsOf } from './rows.ts';
import type { GraphValue, IntegerForm } from './values.ts';

/** A row of a result: the value of each column by the name of the column. */
export type Row = { [column: string]: GraphValue };

/**
 * The result of a statement, with all of its rows. `T` is the type of rows that the program expects; nothing checks it
 * when the statement runs. By default a column may hold any `GraphValue`.
 */
export class QueryResult<T extends object = Row> {
  static readonly name = 'QueryResult';
  /** Names of the columns, in the order of RETURN. */
  readonly columns: readonly string[];
  readonly rows: T[];
  /** The changes made; present for every statement that can write, even if it changed nothing. */
  declare readonly writeOutcome?: WriteOutcome;
  /** Warnings about the statement, which ran nevertheless; absent if there are none. */
  declare readonly notifications?: readonly StatementNotification[];
  /** The plan; present for EXPLAIN and PROFILE. */
  declare readonly plan?: PlanDescription;
  /** The plan with the rows and the time of each operator; present for PROFILE. */
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

  /** Returns the first row; undefined if there is none. */
  first(): T | undefined {
    return this.rows[0];
  }

  /** Returns the first column of the first row; undefined if there is no row. */
  value<V = GraphValue>(): V | undefined {
    const row = this.rows[0] as { readonly [column: string]: unknown } | undefined;
    return row === undefined ? undefined : (row[this.columns[0] ?? ''] as V); // as: what the caller says it is
  }
}
