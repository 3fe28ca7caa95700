/**
 * Decides which automatic indexes are made. Statements report how much they scan for values of a property
 * (`LookupMeter`); once that is as much work as making an index would have been, the index is made, and later
 * statements use it.
 *
 * This is the ski rental rule: without knowing the future, the work is at most twice that of one who knows it (Karlin
 * et al., "Competitive snoopy caching", 1988). An index that was dropped for lack of memory has to pay for itself
 * again.
 *
 * Cost: an index is filled between the turns of the event loop, a few thousand rows at a time. Later rows are read when
 * the index is asked next, as declared indexes read them.
 */
import { type Logger, nextTurn } from '../../base/index.ts';
import type { LookupMeter, PropertyLookup } from '../../exec/index.ts';
import type { AutomaticIndex, GraphStore } from '../../graph/index.ts';
import type { StatementCounters } from './counters.ts';

/** The limits of automatic indexes. */
export interface AutomaticIndexLimits {
  /** The least number of nodes with the label for an index to be made. */
  readonly leastNodes: number;
  /** The cost of indexing one row, in rows that a scan compares with a value. */
  readonly rowCost: number;
  /** The largest share of the nodes that may have one value: a scan finds more of them faster than an index. */
  readonly mostOfOneValue: number;
  /** The most bytes of all automatic indexes; beyond them the index that was not asked for longest is dropped. */
  readonly bytes: number;
}

/** The options of the automatic indexer. */
export interface AutomaticIndexerOptions {
  readonly limits: AutomaticIndexLimits;
  readonly counters: StatementCounters;
  readonly logger: Logger | undefined;
}

/** The default limits of automatic indexes. */
export const AUTOMATIC_INDEXES: AutomaticIndexLimits = { leastNodes: 1024, rowCost: 100, mostOfOneValue: 1 / 128, bytes: 256 * 2 ** 20 };

/** Rows that are added to an index between two turns of the event loop: some two milliseconds. */
const ROWS_PER_TURN = 4096;
/** The estimated bytes of an entry, before the index is made. */
const BYTES_PER_ENTRY = 40;
/** An index with more entries per node than this is dropped: most of them are for values that nodes no longer have. */
const MOST_ENTRIES_PER_NODE = 4;
const SEEKS_PER_LOOK = 256;
const KNOWN_PROPERTIES = 1000;

interface PropertyUse {
  readonly label: string;
  readonly key: string;
  /** Rows that scans have compared since an index over the property was last made or dropped. */
  work: number;
  /** The work at which to check whether an index pays. */
  dueAt: number;
}

interface BuiltIndex extends PropertyLookup {
  readonly index: AutomaticIndex;
}

/** Builds indexes that statements ask for by their look-ups. */
export class AutomaticIndexer implements LookupMeter {
  private readonly graph: GraphStore;
  private readonly limits: AutomaticIndexLimits;
  private readonly counters: StatementCounters;
  private readonly logger: Logger | undefined;
  /** Uses of properties, indexed by label and key. */
  private readonly uses = new Map<string, PropertyUse>();
  /** Uses by the object that generated code passes, which is the same one each time. */
  private readonly known = new WeakMap<PropertyLookup, PropertyUse>();
  /** Indexes that were built, by label and key; the most recently used one comes last. */
  private readonly built = new Map<string, BuiltIndex>();
  private isBuilding = false;
  private isClosed = false;
  private seeks = 0;

  constructor(graph: GraphStore, { limits, counters, logger }: AutomaticIndexerOptions) {
    this.graph = graph;
    this.limits = limits;
    this.counters = counters;
    this.logger = logger;
  }

  /** The number of automatic indexes. */
  get count(): number {
    this.forgetDropped();
    return this.built.size;
  }

  /** The memory of all automatic indexes in bytes. */
  get bytes(): number {
    this.forgetDropped();
    let bytes = 0;
    for (const { index } of this.built.values()) bytes += index.statistics().bytes;
    return bytes;
  }

  private forgetDropped(): void {
    for (const built of [...this.built.values()]) if (built.index.isDropped) this.forget(built);
  }

  /** Begins no further index, and abandons the one that is being filled. */
  close(): void {
    this.isClosed = true;
  }

  scanning(property: PropertyLookup): PropertyUse {
    const use = this.known.get(property) ?? this.useOf(property);
    if (use.work >= use.dueAt) this.consider(use);
    return use;
  }

  private useOf(property: PropertyLookup): PropertyUse {
    const { label, key } = property;
    const name = nameOf(property);
    let use = this.uses.get(name);
    if (use === undefined) {
      if (this.uses.size >= KNOWN_PROPERTIES) this.uses.clear();
      use = { label, key, work: 0, dueAt: this.limits.leastNodes * this.limits.rowCost };
      this.uses.set(name, use);
    }
    this.known.set(property, use);
    return use;
  }

  seeking(property: PropertyLookup): void {
    this.counters.automaticIndexSeeks++;
    const name = nameOf(property);
    const built = this.built.get(name);
    if (built === undefined) return;
    this.built.delete(name);
    this.built.set(name, built);
    if (++this.seeks % SEEKS_PER_LOOK === 0) this.tidyUp();
  }

  /** Begins to build an index if it would have paid for the scans of the property so far. */
  private consider(use: PropertyUse): void {
    if (this.isBuilding || this.isClosed) return;
    const nodes = this.nodesWith(use.label);
    const cost = Math.max(nodes, this.limits.leastNodes) * this.limits.rowCost;
    if (use.work < cost) {
      use.dueAt = cost;
      return;
    }
    // Considered again after as much work once more: the label may have other nodes by then.
    use.dueAt = 2 * use.work;
    if (nodes < this.limits.leastNodes || this.built.has(nameOf(use))) return;
    const index = this.graph.beginIndex(use.label, use.key, this.limits.mostOfOneValue);
    if (index === null) return;
    if (!this.makeRoom(nodes * BYTES_PER_ENTRY)) {
      index.drop();
      return;
    }
    this.isBuilding = true;
    void this.build(use, index).finally(() => {
      this.isBuilding = false;
    });
  }

  private nodesWith(label: string): number {
    return this.graph.snapshot().statistics.nodesWithLabel(label);
  }

  private async build(use: PropertyUse, index: AutomaticIndex): Promise<void> {
    const { label, key } = use;
    try {
      do {
        await nextTurn();
        if (this.isClosed) return;
      } while (!index.fill(ROWS_PER_TURN));
      index.show();
      this.built.set(nameOf(use), { label, key, index });
      this.counters.automaticIndexesMade++;
      use.work = 0;
      use.dueAt = 0;
      this.tidyUp();
    } catch (error) {
      // No answer depends on the index.
      index.drop();
      this.logger?.warn({ error, label, key }, 'an index could not be made that would have answered look-ups faster');
    }
  }

  /** Drops indexes that were not asked for longest until this many bytes more have room. @returns whether they have */
  private makeRoom(bytes: number): boolean {
    if (bytes > this.limits.bytes) return false;
    let taken = this.bytes;
    for (const built of [...this.built.values()]) {
      if (taken + bytes <= this.limits.bytes) return true;
      const { bytes: freed } = built.index.statistics();
      if (!this.drop(built)) return false;
      taken -= freed;
    }
    return taken + bytes <= this.limits.bytes;
  }

  /** Drops indexes that have grown too large, as they do when nodes are created and changed. */
  private tidyUp(): void {
    this.forgetDropped();
    for (const built of [...this.built.values()]) {
      const { entries } = built.index.statistics();
      if (entries > MOST_ENTRIES_PER_NODE * Math.max(this.nodesWith(built.label), this.limits.leastNodes)) this.drop(built);
    }
    this.makeRoom(0);
  }

  private drop(built: BuiltIndex): boolean {
    if (!built.index.drop()) return false;
    this.forget(built);
    return true;
  }

  private forget(built: BuiltIndex): void {
    this.built.delete(nameOf(built));
    const use = this.uses.get(nameOf(built));
    if (use !== undefined) use.work = use.dueAt = 0;
    this.counters.automaticIndexesDropped++;
  }
}

function nameOf({ label, key }: PropertyLookup): string {
  return JSON.stringify([label, key]);
}
