/**
 * Decides about indexes that nobody declared. Statements say how much they scan for values of a property (`LookupMeter`); when that is as much work as making the index would have
 * been, it is made, of which further statements make use once it is there.
 *
 * It is the rule of one who rents skis until the rent paid would have bought them: not knowing what comes, the work is at most twice that of one who knows (Karlin et al.,
 * "Competitive snoopy caching", 1988). What is dropped for want of memory has to pay for itself anew.
 *
 * Cost: an index is filled between the turns of the event loop, a few thousand rows at a time. Later rows are read when the index is asked next, as declared ones read them.
 */
import { type Logger, nextTurn } from '../../base/index.ts';
import type { LookedUp, LookupMeter } from '../../exec/index.ts';
import type { AutomaticIndex, GraphStore } from '../../graph/index.ts';
import type { StatementCounters } from './counters.ts';

export interface AutomaticIndexLimits {
  /** Nodes with the label that there must be. */
  readonly leastNodes: number;
  /** Making an index of one row costs as much as comparing so many rows with a value. */
  readonly rowCost: number;
  /** Share of the nodes that may have the same value: a scan finds more of them faster than an index. */
  readonly mostOfOneValue: number;
  /** Of all of them; the one that was not asked for longest is dropped. */
  readonly bytes: number;
}

export interface AutomaticIndexerOptions {
  readonly limits: AutomaticIndexLimits;
  readonly counters: StatementCounters;
  readonly logger: Logger | undefined;
}

export const AUTOMATIC_INDEXES: AutomaticIndexLimits = { leastNodes: 1024, rowCost: 100, mostOfOneValue: 1 / 128, bytes: 256 * 2 ** 20 };

/** Some two milliseconds. */
const ROWS_PER_TURN = 4096;
/** What is taken for an entry before it is there. */
const BYTES_PER_ENTRY = 40;
/** With so many times as many entries as nodes an index is dropped: most are of values that nodes once had. */
const MOST_ENTRIES_PER_NODE = 4;
const SEEKS_PER_LOOK = 256;
const KNOWN_PROPERTIES = 1000;

interface Looked {
  readonly label: string;
  readonly key: string;
  /** Since there was an index last, or since one was refused. */
  work: number;
  /** The work at which to look whether an index pays. */
  dueAt: number;
}

interface Made extends LookedUp {
  readonly index: AutomaticIndex;
}

export class AutomaticIndexer implements LookupMeter {
  private readonly graph: GraphStore;
  private readonly limits: AutomaticIndexLimits;
  private readonly counters: StatementCounters;
  private readonly logger: Logger | undefined;
  /** By label and key. */
  private readonly looked = new Map<string, Looked>();
  /** What generated code asks by is always the same object. */
  private readonly known = new WeakMap<LookedUp, Looked>();
  /** By label and key; the one that was asked last comes last. */
  private readonly made = new Map<string, Made>();
  private isBuilding = false;
  private isClosed = false;
  private seeks = 0;

  constructor(graph: GraphStore, { limits, counters, logger }: AutomaticIndexerOptions) {
    this.graph = graph;
    this.limits = limits;
    this.counters = counters;
    this.logger = logger;
  }

  get count(): number {
    this.forgetDropped();
    return this.made.size;
  }

  get bytes(): number {
    this.forgetDropped();
    let bytes = 0;
    for (const { index } of this.made.values()) bytes += index.byteLength;
    return bytes;
  }

  private forgetDropped(): void {
    for (const made of [...this.made.values()]) if (made.index.isDropped) this.forget(made);
  }

  close(): void {
    this.isClosed = true;
  }

  scanning(property: LookedUp): Looked {
    const looked = this.known.get(property) ?? this.lookedUp(property);
    if (looked.work >= looked.dueAt) this.consider(looked);
    return looked;
  }

  private lookedUp(property: LookedUp): Looked {
    const { label, key } = property;
    const name = nameOf(property);
    let looked = this.looked.get(name);
    if (looked === undefined) {
      if (this.looked.size >= KNOWN_PROPERTIES) this.looked.clear();
      looked = { label, key, work: 0, dueAt: this.limits.leastNodes * this.limits.rowCost };
      this.looked.set(name, looked);
    }
    this.known.set(property, looked);
    return looked;
  }

  seeking(property: LookedUp): void {
    this.counters.automaticIndexSeeks++;
    const name = nameOf(property);
    const made = this.made.get(name);
    if (made === undefined) return;
    this.made.delete(name);
    this.made.set(name, made);
    if (++this.seeks % SEEKS_PER_LOOK === 0) this.tidyUp();
  }

  /** A scan begins for which an index may have paid. */
  private consider(looked: Looked): void {
    if (this.isBuilding || this.isClosed) return;
    const nodes = this.nodesWith(looked.label);
    const cost = Math.max(nodes, this.limits.leastNodes) * this.limits.rowCost;
    if (looked.work < cost) {
      looked.dueAt = cost;
      return;
    }
    // Asked again when as much has been scanned once more: it may have become another one.
    looked.dueAt = 2 * looked.work;
    if (nodes < this.limits.leastNodes || this.made.has(nameOf(looked))) return;
    const index = this.graph.beginIndex(looked.label, looked.key, this.limits.mostOfOneValue);
    if (index === null) return;
    if (!this.makeRoom(nodes * BYTES_PER_ENTRY)) {
      index.drop();
      return;
    }
    this.isBuilding = true;
    void this.build(looked, index).finally(() => {
      this.isBuilding = false;
    });
  }

  private nodesWith(label: string): number {
    return this.graph.snapshot().statistics.nodesWithLabel(label);
  }

  private async build(looked: Looked, index: AutomaticIndex): Promise<void> {
    const { label, key } = looked;
    try {
      do {
        await nextTurn();
        if (this.isClosed) return;
      } while (!index.fill(ROWS_PER_TURN));
      index.show();
      this.made.set(nameOf(looked), { label, key, index });
      this.counters.automaticIndexesMade++;
      looked.work = 0;
      looked.dueAt = 0;
      this.tidyUp();
    } catch (error) {
      // Whether it is there changes no answer.
      index.drop();
      this.logger?.warn({ error, label, key }, 'an index could not be made that would have answered look-ups faster');
    }
  }

  /** @returns whether there is room for so many bytes more now */
  private makeRoom(bytes: number): boolean {
    if (bytes > this.limits.bytes) return false;
    let taken = this.bytes;
    for (const made of [...this.made.values()]) {
      if (taken + bytes <= this.limits.bytes) return true;
      const { byteLength } = made.index;
      if (!this.drop(made)) return false;
      taken -= byteLength;
    }
    return taken + bytes <= this.limits.bytes;
  }

  /** Indexes grow as nodes are created and changed. */
  private tidyUp(): void {
    this.forgetDropped();
    for (const made of [...this.made.values()]) {
      const { entryCount } = made.index;
      if (entryCount > MOST_ENTRIES_PER_NODE * Math.max(this.nodesWith(made.label), this.limits.leastNodes)) this.drop(made);
    }
    this.makeRoom(0);
  }

  private drop(made: Made): boolean {
    if (!made.index.drop()) return false;
    this.forget(made);
    return true;
  }

  private forget(made: Made): void {
    this.made.delete(nameOf(made));
    const looked = this.looked.get(nameOf(made));
    if (looked !== undefined) looked.work = looked.dueAt = 0;
    this.counters.automaticIndexesDropped++;
  }
}

function nameOf({ label, key }: LookedUp): string {
  return JSON.stringify([label, key]);
}
