/**
 * The graph in memory, with one writer and any number of readers.
 *
 * A transaction writes under the next sequence (`begin`); `commit` keeps its writes, and `publish` shows them to snapshots once they are
 * durable. Between the two, later transactions build on them; `rollbackTo` takes them back when they could not be made durable.
 */
import { assert, finish, GraphDBError, nextTurn } from '../base/index.ts';
import type { Commit, Manifest } from '../storage/index.ts';
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
  /** The last sequence that snapshots see. */
  publishedSequence = 0;
  #publishedCounts: GraphCounts;
  /** Committed, not published; ascending. */
  readonly #pending: CommittedTransaction[] = [];
  #open: Transaction | null = null;
  #snapshot: GraphSnapshot | null = null;

  readonly #loader: TableLoader | null;
  readonly #pageOpener: PageOpener | null;
  readonly #clusterLoader: ClusterLoader | null;
  #flushedSequence = 0;
  #rewriteIsDue = false;
  /** The generation of the content that the store was opened with. */
  readonly #generation: number;
  /** Tables that are being written anew. */
  #rewriting: Generator<number, boolean, void> | null = null;
  /** Transactions that were begun. */
  #begun = 0;

  /** @param namespace where tables lie that are not in memory; null: everything is */
  constructor(
    namespace: NamespaceFiles | null = null,
    { availableMemory = () => process.availableMemory(), ...limits }: Partial<PageLimits> = {},
  ) {
    this.#publishedCounts = this.data.counts();
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

  /** The newest whose files say nothing that is not published here. */
  #newestManifest({ manifest }: NamespaceFiles): Manifest {
    return manifest.sequence <= this.publishedSequence ? manifest : this.filesManifest;
  }

  /** Brings the clusters of vectors that are in memory into memory, as far as there are artefacts of them that it has not got. */
  async loadClusters(): Promise<void> {
    await this.#clusterLoader?.load();
  }

  /** Whether all that is named is in memory. */
  hasLoaded(view: GraphView, requirements: Requirements): boolean {
    return (view as GraphSnapshot).hasLoaded(requirements) || !tableRequirements(this.data, requirements).some(isMissing);
  }

  /** Has what is named in memory, and in the view. @returns null when it is there already */
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

  /**
   * Has what is named in memory and in the view, or readable by page where that is not so. Returns whether it is;
   * otherwise `require` does it. A statement over it must be watched by `PageFaults`, and be ready to begin again.
   */
  async openPages(view: GraphView, requirements: Requirements): Promise<boolean> {
    const snapshot = view as GraphSnapshot;
    const missing = tableRequirements(this.data, requirements).filter(isMissing);
    if (this.#pageOpener === null || !(await this.#pageOpener.open(missing))) return false;
    snapshot.takeLoaded();
    return true;
  }

  /** Bytes of pages that are in memory, and how many pages have left for others. */
  get pages(): { readonly bytes: number; readonly evictions: number } {
    return this.#pageOpener?.cache ?? { bytes: 0, evictions: 0 };
  }

  /** Notes what a statement that reads pages of this graph finds missing. */
  pageFaults(): PageFaults {
    assert(this.#pageOpener !== null, 'a store without files has no pages');
    return new PageFaults(this.#pageOpener.cache);
  }

  /** Resolves when all of it is in memory. `NoRoomError`: there is no room for it. */
  async load(requirements: readonly TableRequirement[]): Promise<void> {
    if (!requirements.some(isMissing)) return;
    assert(this.#loader !== null, 'a table of a store without files is not in memory');
    await this.#loader.load(requirements);
  }

  /** Bytes of memory that the tables take, read from files or written; 0 for a store without files. */
  get loadedBytes(): number {
    return this.#loader?.loadedBytes ?? 0;
  }

  /** All that was committed is published, and lies in files: a graph that is opened anew with these holds the same. */
  get isFlushed(): boolean {
    return this.#open === null && this.#pending.length === 0 && this.publishedSequence === this.#flushedSequence;
  }

  /**
   * Tables that are not in memory yet are read from the files of this manifest from now on: of one whose commits are
   * all published here.
   */
  takeFiles(manifest: Manifest): void {
    assert(manifest.sequence <= this.publishedSequence, 'the files are ahead of the graph');
    this.#loader?.takeFiles(manifest);
  }

  /** That names the files from which tables are read that are not in memory yet. */
  get filesManifest(): Manifest {
    assert(this.#loader !== null, 'a store without files');
    return this.#loader.manifest;
  }

  /**
   * Collects the changes that are published now and in no file; null when there are none. Before the next one,
   * `flushed` says how it ended.
   */
  collectFlush(): Flush | null {
    const steps = this.collectFlushInSteps();
    for (let step = steps?.next(); step !== undefined; step = steps?.next()) if (step.done === true) return step.value;
    return null;
  }

  /**
   * Collects a flush little by little: to be called between transactions; anything may happen between the steps. Each
   * tells how many rows the next one looks at.
   *
   * `manifest`: the one in force, whose files leave where no row of their table is left; absent: all that is gone is told by tombstones.
   */
  collectFlushInSteps(manifest?: Manifest): Generator<number, Flush> | null {
    if (this.publishedSequence === this.#flushedSequence) return null;
    const { data, publishedSequence: sequence } = this;
    // Another generation has content that no commit has brought here.
    const own = manifest?.generation === this.#generation ? manifest : null;
    return collectFlush({ data, counts: this.#publishedCounts, sequence, flushedSequence: this.#flushedSequence, manifest: own ?? null });
  }

  /** The flush is part of the namespace. */
  flushed(flush: Flush): void {
    for (const { table, rows, changes } of flush.tables) table.setFlushed(rows, changes);
    this.#flushedSequence = flush.sequence;
  }

  /**
   * Rows that another way than by transactions are to come get ordinals from here on: nobody has them, or has set an
   * identifier of theirs.
   */
  get freeOrdinals(): { readonly node: number; readonly relationship: number } {
    const { directory, nodeIds, relationshipLimit } = this.data;
    return { node: Math.max(directory.limit, nodeIds.freeFrom), relationship: relationshipLimit };
  }

  /** The last sequence that was committed. */
  get committedSequence(): number {
    return this.publishedSequence + this.#pending.length;
  }

  /** The graph as last published. The same object until something new is. */
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

  /** `begin`, with what only the store's own parts may ask of a transaction. Where the log is carried out, nothing is captured. */
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
        if (isMostlyDead(table)) this.#rewriteIsDue = true;
      }
      this.#publishedCounts = transaction.counts;
      this.publishedSequence = transaction.sequence;
    }
    this.#dropCovered();
    if (this.canDropDeadRows && rowsToRewrite({ data: this.data, wants: isMostlyDead }) <= FEW_ROWS) this.dropDeadRows();
  }

  #dropCovered(): void {
    for (const index of this.data.automaticIndexes.coveredBy(this.#publishedCounts.indexes)) this.#dropIndex(index);
  }

  /**
   * An index on a property that nobody declared one on: to be filled, then shown.
   * @param mostOfOneValue share of the nodes that may have the same value
   * @returns null where more have, as far as a sample tells, or where none has the property
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

  /**
   * Dead rows have piled up because there is always a commit waiting to be published: the writer should let all of them
   * be before the next one.
   */
  get isOverdue(): boolean {
    return (
      this.#rewriteIsDue &&
      this.#pending.some(({ tables }) => tables.some(({ table }) => table.rowCount > table.liveCount * OVERDUE_FACTOR))
    );
  }

  /**
   * Large tables wait to be written anew, of which a large part is dead, and no transaction is open or waits to be
   * published: `dropSomeDeadRows` has something to do.
   */
  get canDropDeadRows(): boolean {
    return this.#rewriteIsDue && this.#open === null && this.#pending.length === 0;
  }

  /** A step of writing them anew, of a few milliseconds. @returns whether there is nothing more to do now */
  dropSomeDeadRows(): boolean {
    this.#rewriting ??= this.dropDeadRowsInSteps();
    const isOver = this.#rewriting.next().done === true;
    if (isOver) this.#rewriting = null;
    return isOver && !this.canDropDeadRows;
  }

  /**
   * Writes tables anew, at once: those of which a large part is dead. Does nothing while a transaction is open or waits
   * to be published.
   */
  dropDeadRows(wants?: (table: RowTable) => boolean): void {
    finish(this.dropDeadRowsInSteps(wants));
  }

  /**
   * `dropDeadRows` in steps, each of which tells how many rows the next one handles; readers see nothing of it. The
   * steps are over, and were for nothing, as soon as a transaction has begun meanwhile.
   * @returns whether tables were written anew, or need not be
   */
  *dropDeadRowsInSteps(wants: (table: RowTable) => boolean = isMostlyDead): Generator<number, boolean, void> {
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

  /** Carries out a commit of the log, the one after the last, and publishes it. CORRUPTION: it cannot be; nothing of it is left. */
  applyChanges(commit: Commit): void {
    finish(this.#applyInSteps(commit));
  }

  /** `applyChanges` in steps, between which the transaction is open: readers see nothing of it. */
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

  /** Carries out commits of the log, with what they change in memory. Others have their turn between the steps of a large one. */
  async follow(commits: readonly Commit[]): Promise<void> {
    for (const commit of commits) {
      await this.load(await inTurns(tablesChangedBy(commit.changes, `commit ${commit.sequence}`, this.data)));
      await inTurns(this.#applyInSteps(commit));
    }
    while (this.canDropDeadRows && !this.dropSomeDeadRows()) await nextTurn();
  }

  /** Takes back all that was committed above `sequence` and is not published. No transaction may be open. */
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

/** Runs steps to their end, with a turn of the event loop between any two: how many there are does not depend on the clock. */
async function inTurns<T>(steps: Generator<number, T, void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

const FEW_DEAD_ROWS = 1024;
/** Tables of so many rows are written anew at once, in some milliseconds, with the commit that leaves them so. */
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
