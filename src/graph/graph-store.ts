/**
 * The graph in memory, with one writer and any number of readers.
 *
 * A transaction writes under the next sequence (`begin`); `commit` keeps its writes, and `publish` shows them to snapshots once they are
 * durable. Between the two, later transactions build on them; `rollbackTo` takes them back when they could not be made durable.
 */

import { assert, collectGarbage, finish, GraphDBError, nextTurn } from '../base/index.ts';
import type { Commit, Manifest } from '../storage/index.ts';
import { RelationshipTable } from './adjacency/relationship-table.ts';
import { type GraphCounts, GraphData } from './data/graph-data.ts';
import type { AutomaticIndex } from './indexes/automatic-indexes.ts';
import type { GraphIndex } from './indexes/graph-index.ts';
import { tablesChangedBy } from './loading/changed-tables.ts';
import { ClusterLoader } from './loading/cluster-loader.ts';
import { collectFlush, type Flush } from './loading/flush.ts';
import { type PageLimits, PageOpener } from './loading/page-opener.ts';
import { EVERYTHING, type Requirements, tableRequirements } from './loading/requirements.ts';
import { rewriteTables, rowsToRewrite } from './loading/rewrite-tables.ts';
import { type NamespaceFiles, TableLoader } from './loading/table-loader.ts';
import { isMissing, type TableRequirement } from './loading/table-requirement.ts';
import { PageFaults } from './paged/page-faults.ts';
import { GraphSnapshot } from './snapshot/graph-snapshot.ts';
import type { NodeTableSnapshot } from './snapshot/table-snapshots.ts';
import { largestShare } from './snapshot/value-sample.ts';
import type { RowTable } from './tables/row-table.ts';
import { replayChanges } from './transaction/replay.ts';
import { type CommittedTransaction, Transaction, type TransactionOwner, undoTransaction } from './transaction/transaction.ts';
import type { GraphTransaction, GraphView } from './view/view.ts';

/** The graph in memory, with its writer and its readers. */
export class GraphStore implements TransactionOwner {
  readonly data = new GraphData();
  /** Snapshots see the commits up to this sequence. */
  publishedSequence = 0;
  #publishedCounts: GraphCounts;
  /** Transactions that are committed and not published yet, ascending by sequence. */
  readonly #pending: CommittedTransaction[] = [];
  #open: Transaction | null = null;
  #snapshot: GraphSnapshot | null = null;

  readonly #loader: TableLoader | null;
  readonly #pageOpener: PageOpener | null;
  readonly #clusterLoader: ClusterLoader | null;
  readonly #availableMemory: () => number;
  #flushedSequence = 0;
  #rewriteIsDue = false;
  /** Whether a writer refers to relationships by their home rows beyond the end of its transaction. */
  #keepsHomeRows = false;
  /** The generation of the content that the store was opened with. */
  readonly #generation: number;
  /** The rewrite of tables that is under way; null while there is none. */
  #rewriting: Generator<number, boolean, void> | null = null;
  /** How many transactions this store has begun. */
  #begun = 0;

  /** @param namespace the files of the tables that are not in memory; null when everything is in memory */
  constructor(
    namespace: NamespaceFiles | null = null,
    { availableMemory = () => process.availableMemory(), ...limits }: Partial<PageLimits> = {},
  ) {
    this.#publishedCounts = this.data.counts();
    this.#availableMemory = availableMemory;
    this.#generation = namespace?.manifest.generation ?? 0;
    this.#loader = namespace === null ? null : new TableLoader(namespace, this.data, availableMemory);
    this.#clusterLoader =
      namespace === null
        ? null
        : new ClusterLoader({ namespace, data: this.data, availableMemory, manifest: () => this.#newestManifest(namespace) });
    this.#pageOpener = namespace === null ? null : new PageOpener(namespace, this.data, this.#loader!, { ...limits, availableMemory });
  }

  /** Declares that the data is the graph at `sequence`, all of it in files. */
  startAt(sequence: number): void {
    this.publishedSequence = sequence;
    this.#flushedSequence = sequence;
    this.#publishedCounts = this.data.counts();
  }

  /** Returns the newest manifest whose files hold nothing that is not published in this store. */
  #newestManifest({ manifest }: NamespaceFiles): Manifest {
    return manifest.sequence <= this.publishedSequence ? manifest : this.filesManifest;
  }

  /** Loads the clusters of the vectors that are in memory, from those artefacts that have not been loaded yet. */
  async loadClusters(): Promise<void> {
    await this.#clusterLoader?.load();
  }

  /** Whether everything that the requirements name is in memory. */
  hasLoaded(view: GraphView, requirements: Requirements): boolean {
    return (view as GraphSnapshot).hasLoaded(requirements) || !tableRequirements(this.data, requirements).some(isMissing);
  }

  /** Loads what the requirements name, and shows it to the view. @returns null when there is nothing to load */
  require(view: GraphView, requirements: Requirements = EVERYTHING): Promise<void> | null {
    const snapshot = view as GraphSnapshot;
    if (snapshot.hasLoaded(requirements)) return null;
    const tables = tableRequirements(this.data, requirements);
    const take = (): void => {
      snapshot.takeLoaded();
      snapshot.noteLoaded(requirements);
    };
    if (tables.some(isMissing))
      return this.load(tables)
        .then(() => this.#loadSearched(requirements))
        .then(take);
    take();
    return null;
  }

  async #loadSearched({ searched }: Requirements): Promise<void> {
    if (searched?.some(({ kind }) => kind === 'vector')) await this.loadClusters();
  }

  /** Returns about how many bytes of memory `require` would take. */
  bytesToLoad(requirements: Requirements): number {
    return this.#loader?.bytesToLoad(tableRequirements(this.data, requirements).filter(isMissing)) ?? 0;
  }

  /**
   * Makes what the requirements name readable by page where it is not in memory. Returns false when that is not possible or
   * not worth it; then use `require`. A statement that reads by page must be watched by `PageFaults` and able to begin again.
   */
  async openPages(view: GraphView, requirements: Requirements): Promise<boolean> {
    const snapshot = view as GraphSnapshot;
    const missing = tableRequirements(this.data, requirements).filter(isMissing);
    if (this.#pageOpener === null || !(await this.#pageOpener.open(missing))) return false;
    snapshot.takeLoaded();
    return true;
  }

  /** The bytes of the pages in memory, and how many pages have been evicted. */
  get pages(): { readonly bytes: number; readonly evictions: number } {
    return this.#pageOpener?.cache ?? { bytes: 0, evictions: 0 };
  }

  /** Returns an object that notes the pages of this graph that a statement finds missing. `toEnd`: it reads by page to its end. */
  pageFaults(toEnd: boolean): PageFaults {
    assert(this.#pageOpener !== null, 'a store without files has no pages');
    return new PageFaults(this.#pageOpener.cache, { toEnd, orders: () => this.#loader!.orders });
  }

  /** Resolves when all of the required tables are in memory. @throws NoRoomError when there is no memory for them */
  async load(requirements: readonly TableRequirement[]): Promise<void> {
    if (!requirements.some(isMissing)) return;
    assert(this.#loader !== null, 'a table of a store without files is not in memory');
    await this.#loader.load(requirements);
  }

  /** Bytes of memory that the process may still take. */
  get availableMemory(): number {
    return this.#availableMemory();
  }

  /**
   * Returns how many bytes of memory the process may still take. Where that is less than `bytes`, pages of the graph are
   * evicted and garbage is collected first.
   */
  roomFor(bytes: number): number {
    const available = this.#availableMemory();
    if (bytes <= available) return available;
    this.#pageOpener?.cache.giveWay(bytes - available);
    collectGarbage();
    return this.#availableMemory();
  }

  /** Bytes of memory that the tables take, read from files or written; 0 for a store without files. */
  get loadedBytes(): number {
    return this.#loader?.loadedBytes ?? 0;
  }

  /** Whether every commit is published and flushed, so that a graph opened from the files holds the same. */
  get isFlushed(): boolean {
    return this.#open === null && this.#pending.length === 0 && this.publishedSequence === this.#flushedSequence;
  }

  /**
   * Reads tables that are not in memory yet from the files of this manifest from the call on. All commits of the
   * manifest must be published in this store.
   */
  takeFiles(manifest: Manifest): void {
    assert(manifest.sequence <= this.publishedSequence, 'the files are ahead of the graph');
    this.#loader?.takeFiles(manifest);
  }

  /** The manifest from whose files tables that are not in memory yet are read. */
  get filesManifest(): Manifest {
    assert(this.#loader !== null, 'a store without files');
    return this.#loader.manifest;
  }

  /**
   * Collects the published changes that are in no file; null when there are none. When the flush has become part of
   * the namespace, `flushed` must be called before the next flush is collected.
   */
  collectFlush(): Flush | null {
    const steps = this.collectFlushInSteps();
    for (let step = steps?.next(); step !== undefined; step = steps?.next()) if (step.done === true) return step.value;
    return null;
  }

  /**
   * Collects a flush in steps; each step yields how many rows the next one looks at. It must be begun between transactions;
   * transactions may run between its steps.
   *
   * @param manifest the current one: files of a table without any live row are dropped; without it, deletions become tombstones
   */
  collectFlushInSteps(manifest?: Manifest): Generator<number, Flush> | null {
    if (this.publishedSequence === this.#flushedSequence) return null;
    const { data, publishedSequence: sequence } = this;
    // Another generation has content that no commit has brought here.
    const own = manifest?.generation === this.#generation ? manifest : null;
    return collectFlush({ data, counts: this.#publishedCounts, sequence, flushedSequence: this.#flushedSequence, manifest: own ?? null });
  }

  /** Notes that a flush has become part of the namespace. */
  flushed(flush: Flush): void {
    for (const { table, rows, changes } of flush.tables) table.setFlushed(rows, changes);
    this.#flushedSequence = flush.sequence;
  }

  /**
   * The first ordinals for rows that arrive in another way than by transactions: no entity has these or higher ones,
   * and no user-set identifier looks like the computed identifier of one of them.
   */
  get freeOrdinals(): { readonly node: number; readonly relationship: number } {
    const { directory, nodeIds, relationshipLimit } = this.data;
    return { node: Math.max(directory.limit, nodeIds.freeFrom), relationship: relationshipLimit };
  }

  /** The sequence of the last commit, published or not. */
  get committedSequence(): number {
    return this.publishedSequence + this.#pending.length;
  }

  /** Returns a view of the graph as last published: the same object until there is something new to see. */
  snapshot(): GraphView {
    const known = this.#snapshot;
    const { version } = this.data.automaticIndexes;
    if (known !== null && known.sequence === this.publishedSequence && known.indexesVersion === version) return known;
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
    return this.beginTransaction(this.data.capturesChanges);
  }

  /** `begin` for callers within the graph layer. Replaying the log captures no changes. */
  beginTransaction(capture = false): Transaction {
    assert(this.#open === null, 'a second write transaction beside the open one');
    this.#begun++;
    this.#open = new Transaction(this, this.committedSequence + 1, capture);
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
      for (const { table, counts } of transaction.tables) {
        table.publish(counts);
        if (this.#isToRewrite(table)) this.#rewriteIsDue = true;
      }
      this.#publishedCounts = transaction.counts;
      this.publishedSequence = transaction.sequence;
    }
    this.#dropCovered();
    if (this.canDropDeadRows && rowsToRewrite({ data: this.data, wants: this.#isToRewrite }) <= FEW_ROWS) this.dropDeadRows();
  }

  #dropCovered(): void {
    for (const index of this.data.automaticIndexes.coveredBy(this.#publishedCounts.indexes)) this.#dropIndex(index);
  }

  /**
   * Begins an index on a property that has no declared one. The caller fills it, then shows it.
   * @param mostOfOneValue the largest share of the nodes that may have the same value
   * @returns null when a sample shows a value with a larger share, or when no node has the property
   */
  beginIndex(label: string, key: string, mostOfOneValue: number): AutomaticIndex | null {
    const { data } = this;
    const view = this.snapshot() as GraphSnapshot;
    const [labelId, keyId] = [view.labels.find(label), view.keys.find(key)];
    if (labelId < 0 || keyId < 0) return null;
    const share = largestShare(view.tablesWithLabel(labelId) as readonly NodeTableSnapshot[], keyId);
    if (share === null || share > mostOfOneValue) return null;
    const index = data.automaticIndexes.add(labelId, keyId);
    return {
      fill: (rows) => index.fill(rows, data.nodeTables),
      show: () => data.automaticIndexes.show(index),
      drop: () => this.#dropIndex(index),
      get isDropped() {
        return !data.automaticIndexes.keeps(index);
      },
      statistics: () => index.statistics(data.nodeTables),
    };
  }

  #dropIndex(index: GraphIndex): boolean {
    const { automaticIndexes } = this.data;
    if (this.#open !== null && automaticIndexes.has(index)) return false;
    automaticIndexes.drop(index);
    return true;
  }

  /** Whether relationships keep their home rows between transactions; see `keepHomeRows`. */
  get keepsHomeRows(): boolean {
    return this.#keepsHomeRows;
  }

  /**
   * Keeps the home rows of all relationships until `releaseHomeRows`: their tables are not rewritten. A statement whose
   * work is committed in batches holds relationships by their home rows from one transaction to the next.
   */
  keepHomeRows(): void {
    this.#keepsHomeRows = true;
  }

  /** Ends `keepHomeRows`: tables of relationships with a large share of dead rows are rewritten again. */
  releaseHomeRows(): void {
    if (!this.#keepsHomeRows) return;
    this.#keepsHomeRows = false;
    if (this.data.relationshipTables.some((table) => table !== undefined && isMostlyDead(table))) this.#rewriteIsDue = true;
  }

  readonly #isToRewrite = (table: RowTable): boolean => isMostlyDead(table) && !(this.#keepsHomeRows && table instanceof RelationshipTable);

  /**
   * Whether dead rows have piled up because some commit was always waiting to be published. The writer should then wait
   * until all commits are published before it begins the next transaction.
   */
  get isOverdue(): boolean {
    return (
      this.#rewriteIsDue &&
      this.#pending.some(({ tables }) => tables.some(({ table }) => table.rowCount > table.liveCount * OVERDUE_FACTOR))
    );
  }

  /**
   * Whether `dropSomeDeadRows` has something to do: a table with a large share of dead rows waits to be rewritten, and no
   * transaction is open or waits to be published.
   */
  get canDropDeadRows(): boolean {
    return this.#rewriteIsDue && this.#open === null && this.#pending.length === 0;
  }

  /** Runs one step of rewriting tables with dead rows, of a few milliseconds. @returns whether nothing is left to do */
  dropSomeDeadRows(): boolean {
    this.#rewriting ??= this.dropDeadRowsInSteps();
    const isOver = this.#rewriting.next().done === true;
    if (isOver) this.#rewriting = null;
    return isOver && !this.canDropDeadRows;
  }

  /**
   * Rewrites, in one go, the tables that `wants` accepts; by default those with a large share of dead rows. Does nothing
   * while a transaction is open or waits to be published.
   */
  dropDeadRows(wants?: (table: RowTable) => boolean): void {
    finish(this.dropDeadRowsInSteps(wants));
  }

  /**
   * `dropDeadRows` in steps, each of which yields how many rows the next one handles. Readers do not notice it. When a
   * transaction begins between two steps, the steps end and their work is discarded.
   * @returns false when the steps ended early; true when the tables are rewritten or did not need it
   */
  *dropDeadRowsInSteps(wants: (table: RowTable) => boolean = this.#isToRewrite): Generator<number, boolean, void> {
    const begun = this.#begun;
    const steps = rewriteTables({ data: this.data, sequence: this.publishedSequence, wants });
    while (this.#open === null && this.#pending.length === 0 && this.#begun === begun) {
      const step = steps.next();
      if (step.done === true) {
        this.#rewriteIsDue = false;
        if (step.value) this.#publishedCounts = this.data.counts();
        if (step.value) this.#snapshot = null;
        return true;
      }
      yield step.value;
    }
    return false;
  }

  /** Replays the next commit of the log and publishes it. @throws CORRUPTION when it cannot be replayed; it is rolled back then */
  applyChanges(commit: Commit): void {
    finish(this.#applyInSteps(commit));
  }

  /** `applyChanges` in steps, between which its transaction is open; readers see the commit only after the last step. */
  *#applyInSteps(commit: Commit): Generator<number, void, void> {
    const source = `commit ${commit.sequence}`;
    if (commit.sequence !== this.committedSequence + 1) {
      throw new GraphDBError('CORRUPTION', `${source} follows commit ${this.committedSequence}: commits are missing or doubled`);
    }
    const transaction = this.beginTransaction();
    try {
      yield* replayChanges(commit.changes, source, this.data, transaction);
    } catch (error) {
      transaction.rollback();
      throw error;
    }
    transaction.commitEvenEmpty();
    this.publish(commit.sequence);
  }

  /** Replays commits of the log, loading the tables that they change. Yields to the event loop between the steps of a large commit. */
  async follow(commits: readonly Commit[]): Promise<void> {
    for (const commit of commits) {
      await this.load(await inTurns(tablesChangedBy(commit.changes, `commit ${commit.sequence}`, this.data)));
      await inTurns(this.#applyInSteps(commit));
    }
    while (this.canDropDeadRows && !this.dropSomeDeadRows()) await nextTurn();
  }

  /** Undoes the commits above `sequence`, none of which may be published. No transaction may be open. */
  rollbackTo(sequence: number): void {
    assert(this.#open === null, 'rolling back under an open transaction');
    assert(sequence >= this.publishedSequence, 'rolling back what is published');
    while (this.committedSequence > sequence) {
      const transaction = this.#pending.pop() as CommittedTransaction;
      const before = this.#pending.at(-1)?.counts ?? this.#publishedCounts;
      undoTransaction(this.data, before, transaction.undo, transaction.log);
    }
    // An index that is there again may have been asked by a reader while it was dropped, and know rows that are gone.
    const { automaticIndexes, indexes, nodeTables, relationshipTables } = this.data;
    const tables = [...nodeTables, ...relationshipTables].filter((table) => table !== undefined);
    for (const index of [...indexes, ...automaticIndexes]) for (const table of tables) index.truncate(table, table.rowCount);
  }
}

/** Runs all steps, with a turn of the event loop between any two. The number of turns does not depend on the clock. */
async function inTurns<T>(steps: Generator<number, T, void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

const FEW_DEAD_ROWS = 1024;
/** Dead rows are dropped right after a publish when there are no more rows than this to rewrite: some milliseconds of work. */
const FEW_ROWS = 1 << 15;
const DEAD_SHARE = 0.25;
const OVERDUE_FACTOR = 2;

function isMostlyDead(table: RowTable): boolean {
  const dead = table.rowCount - table.liveCount;
  return dead > FEW_DEAD_ROWS && dead > table.liveCount * DEAD_SHARE;
}

/** An empty graph, in memory only. */
export function createGraphStore(): GraphStore {
  return new GraphStore();
}
