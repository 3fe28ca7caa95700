/**
 * The graph in memory, with one writer and any number of readers.
 *
 * A transaction writes under the next sequence (`begin`); `commit` keeps its writes, and `publish` shows them to snapshots once they are
 * durable. Between the two, later transactions build on them; `rollbackTo` takes them back when they could not be made durable.
 */
import { assert } from '../base/index.ts';
import { GraphData, type GraphCounts } from './graph-data.ts';
import { GraphSnapshot } from './graph-snapshot.ts';
import { type CommittedTransaction, Transaction, type TransactionOwner, undoTransaction } from './transaction.ts';
import type { GraphTransaction, GraphView } from './view.ts';

export class GraphStore implements TransactionOwner {
  readonly data = new GraphData();
  /** The last sequence that snapshots see. */
  publishedSequence = 0;
  #publishedCounts: GraphCounts;
  /** Committed, not published; ascending. */
  readonly #pending: CommittedTransaction[] = [];
  #open: Transaction | null = null;
  #snapshot: GraphSnapshot | null = null;

  constructor() {
    this.#publishedCounts = this.data.counts();
  }

  /** The last sequence that was committed. */
  get committedSequence(): number {
    return this.publishedSequence + this.#pending.length;
  }

  /** The graph as last published. The same object until something new is. */
  snapshot(): GraphView {
    const known = this.#snapshot;
    if (known !== null && known.sequence === this.publishedSequence) return known;
    this.#snapshot = new GraphSnapshot(
      {
        data: this.data,
        counts: this.#publishedCounts,
        sequence: this.publishedSequence,
        publishedSequence: this.publishedSequence,
        horizon: 'published',
      },
      known,
    );
    return this.#snapshot;
  }

  begin(): GraphTransaction {
    return this.beginTransaction();
  }

  /** `begin`, with what only the store's own parts may ask of a transaction. */
  beginTransaction(): Transaction {
    assert(this.#open === null, 'a second write transaction beside the open one');
    this.#open = new Transaction(this, this.committedSequence + 1);
    return this.#open;
  }

  ended(transaction: CommittedTransaction | null): void {
    this.#open = null;
    if (transaction !== null) this.#pending.push(transaction);
  }

  /** Shows everything up to `sequence` to snapshots taken from now on. */
  publish(sequence: number): void {
    assert(sequence <= this.committedSequence, 'publishing what was not committed');
    while (this.publishedSequence < sequence) {
      const transaction = this.#pending.shift() as CommittedTransaction;
      for (const { table, counts } of transaction.tables) table.publish(counts);
      this.#publishedCounts = transaction.counts;
      this.publishedSequence = transaction.sequence;
    }
  }

  /** Takes back all that was committed above `sequence` and is not published. No transaction may be open. */
  rollbackTo(sequence: number): void {
    assert(this.#open === null, 'rolling back under an open transaction');
    assert(sequence >= this.publishedSequence, 'rolling back what is published');
    while (this.committedSequence > sequence) {
      const transaction = this.#pending.pop() as CommittedTransaction;
      const before = this.#pending.at(-1)?.counts ?? this.#publishedCounts;
      undoTransaction(this.data, before, transaction.undo, transaction.log);
    }
  }
}

/** An empty graph, in memory only. */
export function createGraphStore(): GraphStore {
  return new GraphStore();
}
