/**
 * Transactions as SHOW TRANSACTIONS and TERMINATE TRANSACTIONS list them. A statement sent outside a transaction is
 * listed as one of its own.
 */
import type { ValueMap } from '../../value/index.ts';

/** A transaction as SHOW TRANSACTIONS lists it. */
export interface TransactionDescription {
  /** Identifies the transaction within the process, and is never reused there. */
  readonly id: string;
  /** The name of the database that clients see; `namespace` is the name of its namespace. */
  readonly database: string;
  readonly namespace: string;
  /** The name of the user who began the transaction. */
  readonly username: string;
  /** The protocol, `http` or `bolt`. */
  readonly protocol: string;
  readonly requestId: string;
  /** The network address of the client; null if unknown. */
  readonly clientAddress: string | null;
  /** The metadata that the client gave; empty if it gave none. */
  readonly metadata: ValueMap;
  /** The time of its beginning, in milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly elapsedMs: number;
  /** The reason why the transaction is being stopped; null if it is not. */
  readonly terminated: string | null;
  /** The statement that runs, or whose rows are being read; null if there is none. */
  readonly statement: RunningStatementDescription | null;
}

interface RunningStatementDescription {
  readonly id: string;
  /** The query text, without its parameters. */
  readonly query: string;
  readonly startedAtMs: number;
}

/** The outcome of terminating a transaction. */
export interface Termination {
  readonly id: string;
  /** Null if there is no such transaction, or none that the caller may terminate. */
  readonly username: string | null;
}
