/**
 * The graph that an import adds to: read from the store as far as the import asks for it, and changed in memory only.
 * What changes (properties and labels of nodes that rows have matched) becomes SSTs at the end, with what the
 * write-ahead log holds.
 *
 * Memory: the keys that nodes are matched by; where nodes are updated, all properties of the nodes with that label, and their new versions.
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

/** Changes that one transaction in memory gathers. */
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
  /** The last commit in it, and the count of the manifest's other changes: whoever publishes makes sure that these are still the last. */
  readonly sequence: number;
  readonly generation: number;
  readonly freeOrdinals: GraphStore['freeOrdinals'];
  /** Nodes that were updated. */
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

  /** Takes a namespace that is open for reading; `close` closes it. */
  static async open(namespace: Namespace): Promise<ExistingGraph> {
    return new ExistingGraph(namespace, await openGraphStore(namespace));
  }

  /** As it was before, until the first update. */
  get view(): GraphView {
    return this.#store.snapshot();
  }

  /** No node and no relationship has ever been there. */
  get hasOnlySchema(): boolean {
    return this.freeOrdinals.node === 0 && this.freeOrdinals.relationship === 0;
  }

  /** Has these things in memory. */
  async require(requirements: Partial<Requirements>): Promise<void> {
    await this.#store.require(this.view, { ...NOTHING, ...requirements });
  }

  /** Updates a node, which must be in memory, with `writes`. */
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

  /** Collects the changes that no file holds, updates included. */
  collectFlush(): Flush | null {
    this.#commit();
    return this.#store.collectFlush();
  }

  async close(): Promise<void> {
    this.#transaction?.rollback();
    await this.#namespace.close();
  }
}
