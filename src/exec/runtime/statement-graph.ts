/** The graph as one statement sees it: a snapshot, or the transaction in which it writes. */
import type { GraphTransaction, GraphView } from '../../graph/index.ts';

/** The graph as one statement sees it. */
export class StatementGraph {
  private ownView: GraphView;
  /** null: the statement only reads. */
  transaction: GraphTransaction | null;

  constructor(view: GraphView, transaction: GraphTransaction | null) {
    this.ownView = view;
    this.transaction = transaction;
  }

  /** The graph, with all that this statement has written: what was written since the last look is shown when somebody looks, not before. */
  get view(): GraphView {
    this.transaction?.refresh();
    return this.ownView;
  }

  /** The view for nodes and indexes of nodes alone: relationships that were written since the last look need not be in it. */
  get nodeView(): GraphView {
    this.transaction?.refreshNodes();
    return this.ownView;
  }

  /** True when the statement reads a snapshot, which stays as it is. */
  get readsSnapshot(): boolean {
    return this.transaction === null;
  }

  /** The next batch of a statement that writes. */
  continueWith(transaction: GraphTransaction): void {
    this.transaction = transaction;
    this.ownView = transaction.view;
  }
}
