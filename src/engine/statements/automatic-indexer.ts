/**
 * Decides about indexes that nobody declared. Statements say how much they scan for values of a property
 * (`LookupMeter`); when that is as much work as making the index would have been, it is made, of which further
 * statements make use once it is there.
 *
 * It is the rule of one who rents skis until the rent paid would have bought them: not knowing what comes, the work is
 * at most twice that of one who knows (Karlin et al., "Competitive snoopy caching", 1988). What is dropped for want of
 * memory has to pay for itself anew.
 *
 * Cost: an index is filled between the turns of the event loop, a few thousand rows at a time. Later rows are read when
 * the index is asked next, as declared ones read them.
 */
import { type Logger, nextTurn } from '../../base/index.ts';
import type { LookupMeter, PropertyLookup } from '../../exec/index.ts';
import type { AutomaticIndex, GraphStore } from '../../graph/index.ts';
import type { StatementCounters } from './counters.ts';

/** The limits of automatic indexes. */
export interface AutomaticIndexLimits {
  /** Nodes with the label that there must be. */
  readonly leastNodes: number;
  /** Making an index of one row costs as much as comparing so many rows with a value. */
  readonly rowCost: number;
  /** Share of the nodes that may have the same value: a scan finds more of them faster than an index. */
  readonly mostOfOneValue: number;
  /** Memory of all of them; beyond it the one that was not asked for longest is dropped. */
  readonly bytes: number;
}

/** The options of the automatic indexer. */
export interface AutomaticIndexerOptions {
  readonly limits: AutomaticIndexLimits;
  readonly counters: StatementCounters;
  readonly logger: Logger | undefined;
}

/** The limits of every engine that is not given others. */
export const AUTOMATIC_INDEXES: AutomaticIndexLimits = { leastNodes: 1024, rowCost: 100, mostOfOneValue: 1 / 128, bytes: 256 * 2 ** 20 };

/** Some two milliseconds. */
const ROWS_PER_TURN = 4096;
/** The estimate for an entry before it is there. */
const BYTES_PER_ENTRY = 40;
/** An index with so many times as many entries as nodes is dropped: most are of values that nodes once had. */
const MOST_ENTRIES_PER_NODE = 4;
const SEEKS_PER_LOOK = 256;
const KNOWN_PROPERTIES = 1000;

interface PropertyUse {
  readonly label: string;
  readonly key: string;
  /** Since there was an index last, or since one was refused. */
  work: number;
  /** The work at which to look whether an index pays. */
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
  /** Uses by the object that generated code asks with, which is always the same one. */
  private readonly known = new WeakMap<PropertyLookup, PropertyUse>();
  /** Indexes that were built, by label and key; the one that was asked last comes last. */
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

  /** Indexes that are there. */
  get count(): number {
    this.forgetDropped();
    return this.built.size;
  }

  /** Their memory. */
  get bytes(): number {
    this.forgetDropped();
    let bytes = 0;
    for (const { index } of this.built.values()) bytes += index.statistics().bytes;
    return bytes;
  }

  private forgetDropped(): void {
    for (const built of [...this.built.values()]) if (built.index.isDropped) this.forget(built);
  }

  /** Begins no further index, and leaves the one that is being filled. */
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

  /** A scan begins for which an index may have paid. */
  private consider(use: PropertyUse): void {
    if (this.isBuilding || this.isClosed) return;
    const nodes = this.nodesWith(use.label);
    const cost = Math.max(nodes, this.limits.leastNodes) * this.limits.rowCost;
    if (use.work < cost) {
      use.dueAt = cost;
      return;
    }
    // Asked again when as much has been scanned once more: it may have become another one.
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
      // No answer depends on it.
      index.drop();
      this.logger?.warn({ error, label, key }, 'an index could not be made that would have answered look-ups faster');
    }
  }

  /** @returns whether there is room for so many bytes more now */
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

  /** Indexes grow as nodes are created and changed. */
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
