/**
 * The transactions of the server's clients: a transaction, or a statement by itself, for as long as it holds its
 * namespace. Its sender, and callers that govern its namespace, can list and terminate it; other callers do not see it.
 */
import { Bag, type Bagged, type Caller, type Clock, GraphDBError, may, maySee, NOT_IN_BAG } from '../../base/index.ts';
import type { Termination, TransactionDescription, Transactions } from '../../engine/index.ts';
import { type HeldNamespace, isSystem, type Namespaces, type Origin } from '../../namespaces/index.ts';
import type { ValueMap } from '../../value/index.ts';
import { type StatementsWatch, TrackedEngine } from './tracked-engine.ts';

const NO_METADATA: ValueMap = new Map();

/** An open transaction, or statement by itself. */
class OngoingTransaction implements Bagged, StatementsWatch {
  placeInBag = NOT_IN_BAG;
  readonly caller: Caller;
  readonly namespace: string;
  /** True in `system`, where every caller may be. */
  readonly isInSystem: boolean;
  readonly startedAtMs: number;
  /** The reason for which the transaction was terminated; null if it may go on. */
  terminated: GraphDBError | null = null;
  private readonly number: number;
  private readonly held: HeldNamespace;
  private readonly origin: Origin;
  private readonly protocol: string;
  private readonly clock: Clock;
  private statement: { readonly queryId: number; readonly query: string; readonly startedAtMs: number } | null = null;

  constructor(number: number, options: { held: HeldNamespace; caller: Caller; origin: Origin; protocol: string; clock: Clock }) {
    const { held, caller, origin, protocol, clock } = options;
    this.number = number;
    this.held = held;
    this.caller = caller;
    this.origin = origin;
    this.protocol = protocol;
    this.clock = clock;
    this.namespace = held.engine.status().namespace;
    this.isInSystem = isSystem(held);
    this.startedAtMs = clock.now();
  }

  get id(): string {
    return `${this.held.database}-transaction-${this.number}`;
  }

  /** Notes that a statement begins. @throws the reason if the transaction was terminated before. */
  begin(queryId: number, query: string): void {
    if (this.terminated !== null) throw this.terminated;
    this.statement = { queryId, query, startedAtMs: this.clock.now() };
  }

  end(): void {
    this.statement = null;
  }

  terminate(reason: GraphDBError): void {
    this.terminated ??= reason;
    this.origin.stop(reason);
  }

  describe(): TransactionDescription {
    const { id, startedAtMs, protocol, statement, origin, terminated } = this;
    const { requestId, address, metadata = NO_METADATA } = origin;
    return {
      id,
      database: this.held.database,
      namespace: this.namespace,
      username: this.caller.name,
      protocol,
      requestId,
      clientAddress: address,
      metadata,
      startedAtMs,
      elapsedMs: Math.max(0, this.clock.now() - startedAtMs),
      terminated: terminated?.message ?? null,
      statement:
        statement === null ? null : { id: `query-${statement.queryId}`, query: statement.query, startedAtMs: statement.startedAtMs },
    };
  }
}

/** The transactions of the server's clients. */
export class OngoingTransactions implements Transactions {
  private readonly clock: Clock;
  private readonly open = new Bag<OngoingTransaction>();
  private transactions = 0;
  private queries = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  list(caller: Caller | undefined): TransactionDescription[] {
    return [...this.open].filter((transaction) => isShownTo(caller, transaction)).map((transaction) => transaction.describe());
  }

  terminate(ids: readonly string[], caller: Caller | undefined): Termination[] {
    return ids.map((id) => {
      const found = [...this.open].find((transaction) => transaction.id === id && isShownTo(caller, transaction));
      const by = caller === undefined ? 'an admin' : caller.name;
      found?.terminate(new GraphDBError('CANCELLED', `the transaction was terminated by ${by}`));
      return { id, username: found?.caller.name ?? null };
    });
  }

  /** Wraps namespaces so that a transaction that holds one is listed until it releases it. */
  track(namespaces: Namespaces, protocol: string): Namespaces {
    const tracked = (held: HeldNamespace, caller: Caller, origin: Origin): HeldNamespace => {
      const transaction = new OngoingTransaction(++this.transactions, { held, caller, origin, protocol, clock: this.clock });
      this.open.add(transaction);
      const { address, requestId, metadata = NO_METADATA } = origin;
      const author = { user: caller.name, connectionType: protocol, clientAddress: address, requestId, metadata };
      const engine = new TrackedEngine(held.engine, { watch: transaction, author, nextQuery: () => ++this.queries });
      return {
        ...held,
        engine,
        release: () => {
          this.open.remove(transaction);
          held.release();
        },
      };
    };
    return {
      hold(wanted, caller, origin) {
        const held = namespaces.hold(wanted, caller, origin);
        return held instanceof Promise ? held.then((one) => tracked(one, caller, origin)) : tracked(held, caller, origin);
      },
      statusOf: (...asked) => namespaces.statusOf(...asked),
    };
  }
}

/** Returns whether a caller sees a transaction: its own, or one in a namespace that it governs. */
function isShownTo(caller: Caller | undefined, { caller: owner, namespace, isInSystem }: OngoingTransaction): boolean {
  if (caller === undefined) return true;
  if (owner.id === caller.id) return isInSystem || maySee(caller, namespace);
  return maySee(caller, namespace) && may(caller, 'govern');
}
