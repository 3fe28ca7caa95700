/**
 * The graphs that a worker follows, as the main thread sees them. A followed graph holds its last snapshot here and a
 * replica in the worker, so it is dropped when no statement will ask for it any more.
 *
 * A graph that another one has replaced is forgotten, but transactions and statements that began on it may still read
 * it: it is then followed anew, and dropped as soon as no read of it runs.
 */
import { GraphSharer, type GraphStore, type GraphView } from '../../graph/index.ts';

/** The most graphs that a worker follows; beyond them the one that was not asked for longest is dropped. */
const MOST_FOLLOWED = 4;

/** A graph that a worker follows. */
export interface FollowedGraph {
  readonly id: number;
  readonly sharer: GraphSharer;
  /** The number of its reads that have not ended. */
  reads: number;
}

/** The graphs that a worker follows. */
export class FollowedGraphs {
  /** The most recently used graph comes last. */
  private graphs: FollowedGraph[] = [];
  /** The stores of the graphs that were replaced. */
  private readonly forgotten = new WeakSet<object>();
  private readonly nextId: () => number;
  private readonly onDropped: (graph: FollowedGraph) => void;

  /** @param onDropped called for a graph that the worker has to forget */
  constructor({ nextId, onDropped }: { readonly nextId: () => number; readonly onDropped: (graph: FollowedGraph) => void }) {
    this.nextId = nextId;
    this.onDropped = onDropped;
  }

  /** Begins a read. Returns the newest of the followed graphs that can be brought to the view; a new one if there is none. */
  begin(view: GraphView): FollowedGraph {
    const fitting = this.graphs.filter(({ sharer }) => sharer.takes(view));
    const graph = fitting.toSorted((a, b) => b.sharer.sequence - a.sharer.sequence)[0] ?? this.added();
    this.graphs = [...this.graphs.filter((one) => one !== graph), graph];
    graph.reads++;
    return graph;
  }

  private added(): FollowedGraph {
    const dropped = this.graphs.length === MOST_FOLLOWED ? this.graphs.shift() : undefined;
    if (dropped !== undefined) this.onDropped(dropped);
    return { id: this.nextId(), sharer: new GraphSharer(), reads: 0 };
  }

  /** Ends a read. */
  end(graph: FollowedGraph): void {
    graph.reads--;
    const { store } = graph.sharer;
    if (graph.reads === 0 && store !== null && this.forgotten.has(store)) this.drop(graph);
  }

  /** Drops a graph that another one has replaced; its running reads go on. */
  forget(graph: GraphStore): void {
    this.forgotten.add(graph.data);
    for (const followed of [...this.graphs]) if (followed.sharer.store === graph.data) this.drop(followed);
  }

  private drop(graph: FollowedGraph): void {
    const at = this.graphs.indexOf(graph);
    if (at < 0) return;
    this.graphs.splice(at, 1);
    this.onDropped(graph);
  }

  /** Forgets all graphs with the thread that followed them. */
  clear(): void {
    this.graphs = [];
  }
}
