/** The graph that statements run against: the one that is served, and the version of it that one statement sees. */

import { systemTimeMs } from '../../base/index.ts';
import type { GraphStore, GraphTransaction, GraphView } from '../../graph/index.ts';
import { type Instant, instantOf } from '../../value/index.ts';
import type { AutomaticIndexer } from './automatic-indexer.ts';
import type { StatementCache } from './statement-cache.ts';

/**
 * A graph in memory with what was prepared for it. `Database` makes one when it opens and whenever a follower has read
 * another graph; `LiveGraph` holds the newest and ends its predecessor. Transactions and statements that began on a
 * former one go on with it.
 */
export interface ServedGraph {
  readonly graph: GraphStore;
  readonly statements: StatementCache;
  readonly automaticIndexer: AutomaticIndexer;
}

/**
 * The version of a served graph that one statement sees. Made for each statement by `Reads` (a snapshot) or `Writes`
 * (the view of a transaction that writes); a read transaction makes one, and all its statements share it. Nobody has to
 * end it: it holds memory only.
 */
export interface GraphVersion {
  readonly served: ServedGraph;
  readonly view: GraphView;
  /** The write transaction of the statement; null if it reads outside one. */
  readonly transaction: GraphTransaction | null;
  /** True if the transaction is the statement's alone, so that it may be committed in batches. */
  readonly ownsTransaction?: boolean | undefined;
  /** The start of the transaction; null for a statement that reads outside a transaction. */
  readonly transactionTime: Instant | null;
}

/** Returns the last durable state of a graph, for one read statement. */
export function snapshotOf(served: ServedGraph): GraphVersion {
  return { served, view: served.graph.snapshot(), transaction: null, transactionTime: null };
}

/** Returns the present time, for the start of a transaction. */
export function currentInstant(): Instant {
  return instantOf(systemTimeMs());
}
