/**
 * A vector index in memory: the clusters that were read from artefacts, by table (decision 0041). It has no entries for
 * rows that are in no cluster: a search compares their vectors in the column, so that a vector is found from the statement
 * on that wrote it.
 */
import type { ClusteredRows } from '../clusters/clustered-rows.ts';
import { openShared, type SharedClusteredRows, type SharedClusters } from '../clusters/shared-clusters.ts';
import { isReadingByPage } from '../paged/page-faults.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { ClusterLookup, IndexState, IndexSubject, IndexView } from '../view/index-view.ts';
import type { GraphIndex, IndexStatistics, SharedIndexForm } from './graph-index.ts';

const NONE: SharedClusters = { size: 0, tables: [] };

/** A vector index. */
export class VectorIndex implements GraphIndex, ClusterLookup {
  readonly subject: IndexSubject;
  #shared = NONE;
  /** The clustered rows in memory, by identity of the table. */
  #rows: ReadonlyMap<number, ClusteredRows> = new Map();
  readonly #paged = new Map<number, ClusteredRows>();
  #percent = 100;

  constructor(subject: IndexSubject) {
    this.subject = subject;
  }

  /** All vectors are found in every state; the percentage tells how many of them are in clusters. */
  get state(): IndexState {
    return { state: 'ONLINE', populationPercent: this.#percent };
  }

  clusteredRows(table: number): ClusteredRows | null {
    return this.#rows.get(table) ?? (isReadingByPage() ? (this.#paged.get(table) ?? null) : null);
  }

  /** Tells whether the clusters of a table are in memory or can be read by page. */
  hasClusters(table: number): boolean {
    return this.#rows.has(table) || this.#paged.has(table);
  }

  /** Takes the clusters of a table that are read by page, for use until clusters of the table are in memory. */
  takePaged(table: number, rows: ClusteredRows): void {
    this.#paged.set(table, rows);
  }

  /** Takes the clusters of a table, in memory; they replace all others of the table. */
  takeClusters(rows: SharedClusteredRows): void {
    this.#paged.delete(rows.table);
    const others = this.#shared.tables.filter(({ table }) => table !== rows.table);
    this.#take({ size: this.#shared.size + 1, tables: [...others, rows] });
  }

  /** Drops the clusters in memory of all tables that `isKept` does not accept. */
  keepTables(isKept: (table: number) => boolean): void {
    const tables = this.#shared.tables.filter(({ table }) => isKept(table));
    if (tables.length < this.#shared.tables.length) this.#take({ size: this.#shared.size + 1, tables });
  }

  takePercent(percent: number): void {
    this.#percent = percent;
  }

  #take(shared: SharedClusters): void {
    const before = new Map(this.#shared.tables.map((each) => [each, this.#rows.get(each.table)]));
    this.#shared = shared;
    this.#rows = new Map(shared.tables.map((each) => [each.table, before.get(each) ?? openShared(each)]));
  }

  statistics(): IndexStatistics {
    let [entries, bytes] = [0, 0];
    for (const { count, marks, parts } of this.#shared.tables) {
      entries += count;
      bytes += marks.length;
      for (const { pages, rows } of parts) {
        bytes += pages.groups.length + (rows?.byteLength ?? 0);
        for (const page of [...pages.centroids, ...pages.entries]) bytes += page.length;
      }
    }
    return { entries, bytes };
  }

  seenBy(): IndexView {
    const index = this;
    return {
      subject: this.subject,
      answers: { nearest: { isExact: false, lookup: this } },
      get state() {
        return index.state;
      },
    };
  }

  fill(): boolean {
    return true;
  }

  rowChanged(): void {}

  truncate(): void {}

  /** Does nothing: older readers keep the clusters of the old table, and the new table gets clusters of its own. */
  tableReplaced(_table: RowTable): void {}

  share(): SharedIndexForm | null {
    return this.#shared;
  }

  follow(shared: SharedIndexForm): void {
    if ('tables' in shared) this.#take(shared);
  }
}
