/** The graph as one statement sees it: a snapshot, or the view of the transaction in which it writes. */
import type { GraphTransaction, GraphView } from '../../graph/index.ts';

/** The view that a statement reads, and the transaction in which it writes. */
export class StatementGraph {
  private ownView: GraphView;
  /** Null if the statement only reads. */
  transaction: GraphTransaction | null;

  constructor(view: GraphView, transaction: GraphTransaction | null) {
    this.ownView = view;
    this.transaction = transaction;
  }

  /** The graph with everything that this statement has written; writes are applied to the view when it is read. */
  get view(): GraphView {
    this.transaction?.refresh();
    return this.ownView;
  }

  /** The view for reading only nodes and indexes of nodes: relationships written recently may be missing from it. */
  get nodeView(): GraphView {
    this.transaction?.refreshNodes();
    return this.ownView;
  }

  /** Whether the statement reads a snapshot, which never changes. */
  get readsSnapshot(): boolean {
    return this.transaction === null;
  }

  /** Continues with the transaction of the next batch. */
  continueWith(transaction: GraphTransaction): void {
    this.transaction = transaction;
    this.ownView = transaction.view;
  }
}
