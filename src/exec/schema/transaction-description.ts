/** Transactions as SHOW and TERMINATE TRANSACTIONS tell of them. A statement that was not sent in a transaction is one of its own. */
import type { ValueMap } from '../../value/index.ts';

/** A transaction, as SHOW TRANSACTIONS lists it. */
export interface TransactionDescription {
  /** Names it among all of the process for as long as that lasts. */
  readonly id: string;
  /** The name of the database, as clients are told, and of the namespace that it is. */
  readonly database: string;
  readonly namespace: string;
  /** The name of whoever sent it. */
  readonly username: string;
  /** `http` or `bolt`. */
  readonly protocol: string;
  readonly requestId: string;
  /** The network address of the client; null: it is not known. */
  readonly clientAddress: string | null;
  /** The client's metadata of it; empty where it says nothing. */
  readonly metadata: ValueMap;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly elapsedMs: number;
  /** Why it is being stopped; null: it is not. */
  readonly terminated: string | null;
  /** The statement that runs in it, or whose rows are being read; null: none. */
  readonly statement: RunningStatementDescription | null;
}

interface RunningStatementDescription {
  readonly id: string;
  /** Without its parameters. */
  readonly query: string;
  readonly startedAtMs: number;
}

/** The outcome of terminating a transaction. */
export interface Termination {
  readonly id: string;
  /** null: there is no such transaction, or none that the caller may terminate. */
  readonly username: string | null;
}
