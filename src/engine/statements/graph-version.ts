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
  /** null: the statement reads outside a transaction that writes. */
  readonly transaction: GraphTransaction | null;
  /** The transaction is the statement's alone, and may be committed in batches; absent: it is not. */
  readonly ownsTransaction?: boolean | undefined;
  /** The start of the explicit transaction; null: the statement is one of its own. */
  readonly transactionTime: Instant | null;
}

/** The last durable state of a graph, for one statement that reads. */
export function snapshotOf(served: ServedGraph): GraphVersion {
  return { served, view: served.graph.snapshot(), transaction: null, transactionTime: null };
}

/** The time at which a transaction begins. */
export function currentInstant(): Instant {
  return instantOf(systemTimeMs());
}
