/**
 * The graph that an import adds to. It is read from the store as far as the import needs it, and changed in memory
 * only. Its changes (properties and labels of matched nodes) become SSTs at the end, together with what the write-ahead
 * log holds.
 *
 * Memory: the keys by which nodes are matched; where nodes are updated, all properties of the nodes with that label,
 * and their new versions.
 */
import {
  type Flush,
  type GraphStore,
  type GraphTransaction,
  type GraphView,
  openGraphStore,
  type Requirements,
} from '../../graph/index.ts';
import type { Namespace } from '../../storage/index.ts';
import type { Value } from '../../value/index.ts';

/** How many updates one transaction in memory gathers. */
const CHANGES_PER_TRANSACTION = 10_000;

const NOTHING: Requirements = {
  labels: [],
  ends: [],
  types: [],
  nodeKeys: [],
  relationshipKeys: [],
  ids: false,
  lookups: false,
  writes: false,
};

/** The graph that an import adds to. */
export class ExistingGraph {
  /**
   * The last commit of the graph, and `generation` the count of other changes of its manifest: both must be unchanged
   * when the import is published.
   */
  readonly sequence: number;
  readonly generation: number;
  readonly freeOrdinals: GraphStore['freeOrdinals'];
  /** How many updates were made. */
  updated = 0;
  readonly #namespace: Namespace;
  readonly #store: GraphStore;
  #transaction: GraphTransaction | null = null;
  #changes = 0;

  private constructor(namespace: Namespace, store: GraphStore) {
    this.#namespace = namespace;
    this.#store = store;
    this.sequence = store.publishedSequence;
    this.generation = namespace.manifest.generation;
    this.freeOrdinals = store.freeOrdinals;
  }

  /** Opens the graph of a namespace that is open for reading; `close` closes the namespace too. */
  static async open(namespace: Namespace): Promise<ExistingGraph> {
    return new ExistingGraph(namespace, await openGraphStore(namespace));
  }

  /** The graph with the updates that were committed in memory so far. */
  get view(): GraphView {
    return this.#store.snapshot();
  }

  /** Whether the graph has no nodes and no relationships, and no files that have held some: so it is after a drop, too. */
  get hasOnlySchema(): boolean {
    const { nodeCount, relationshipCount } = this.view;
    return this.#namespace.manifest.tables.length === 0 && nodeCount === 0 && relationshipCount === 0;
  }

  /** Reads into memory what the requirements name. */
  async require(requirements: Partial<Requirements>): Promise<void> {
    await this.#store.require(this.view, { ...NOTHING, ...requirements });
  }

  /** Updates a node; it must have been required with `writes`. */
  updateNode(node: number, labels: readonly string[], properties: Iterable<readonly [string, Value]>): void {
    this.#transaction ??= this.#store.begin();
    const transaction = this.#transaction;
    for (const [key, value] of properties) transaction.setNodeProperty(node, transaction.internKey(key), value);
    const symbols = labels.map((label) => transaction.internLabel(label));
    transaction.addLabels(node, symbols);
    this.updated++;
    if (++this.#changes >= CHANGES_PER_TRANSACTION) this.#commit();
  }

  #commit(): void {
    this.#transaction?.commit();
    this.#transaction = null;
    this.#changes = 0;
    this.#store.publish(this.#store.committedSequence);
  }

  /** Collects the changes that no file holds, the updates included; null: there are none. */
  collectFlush(): Flush | null {
    this.#commit();
    return this.#store.collectFlush();
  }

  async close(): Promise<void> {
    this.#transaction?.rollback();
    await this.#namespace.close();
  }
}
