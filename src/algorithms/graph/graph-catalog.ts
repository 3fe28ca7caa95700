/**
 * The projected graphs of one engine, by name, as one statement sees them: those made of published commits, and in a
 * write transaction also those made of its own changes. The bytes of all graphs together are bounded, and are checked
 * whenever a graph is added or grows.
 */
import { GraphDBError, systemTimeMs } from '../../base/index.ts';
import { argumentFault, quoted } from '../../value/index.ts';
import type { AlgorithmThreads } from '../threads/algorithm-threads.ts';
import type { ProjectedGraph } from './projected-graph.ts';
import type { CatalogEntry, SharedCatalog, SharedEntry, Task } from './shared-catalog.ts';

/** From so many bytes on (32 MiB), what a task has allocated is collected by the threads that have seen it as soon as it ends. */
const MUCH_BYTES = 2 ** 25;

/** The statement that a catalog belongs to. */
export interface CatalogStatement {
  /** The write transaction that the statement runs in now; null if it reads a snapshot. */
  readonly transaction: { readonly sequence: number; readonly hasChanges: boolean } | null;
}

/** The projected graphs of one engine, by user-given names, as a statement sees them. */
export class GraphCatalog {
  /** The running tasks of the engine, or those of the statement alone if the catalog is not shared. */
  readonly tasks: Set<Task>;
  /** Whether the statement has added, changed or dropped a graph. Run again, it would meet what it has done itself. */
  hasChanged = false;
  private readonly shared: SharedCatalog;
  private readonly statement: CatalogStatement;

  constructor(shared: SharedCatalog, statement: CatalogStatement) {
    this.shared = shared;
    this.statement = statement;
    this.tasks = shared.isShared ? shared.tasks : new Set();
  }

  get threads(): AlgorithmThreads {
    return this.shared.threads;
  }

  /** Returns the graphs, sorted by name. */
  list(): CatalogEntry[] {
    const seen = [...this.shared.entries.values()].filter((each) => this.sees(each));
    return seen.map(({ entry }) => entry).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  private find(name: string): CatalogEntry | undefined {
    const found = this.shared.entries.get(name);
    return found !== undefined && this.sees(found) ? found.entry : undefined;
  }

  /** A writer builds on commits that are not published yet; if these are taken back, so is what it writes. */
  private sees({ sequence }: SharedEntry): boolean {
    return this.statement.transaction !== null || sequence <= this.shared.publishedSequence();
  }

  /** Returns the graph of a name. @throws ARGUMENT_ERROR when there is none */
  get(name: string): CatalogEntry {
    const entry = this.find(name);
    if (entry === undefined) throw argumentFault(`Graph with name ${quoted(name)} does not exist; gds.graph.list() shows those there are`);
    return entry;
  }

  /** Returns the graph of a name that was `graph` when the call began. @throws ARGUMENT_ERROR when it was dropped since then */
  getSame(name: string, graph: ProjectedGraph): CatalogEntry {
    const entry = this.find(name);
    if (entry?.graph !== graph) throw argumentFault(`Graph with name ${quoted(name)} was dropped while the call was running`);
    return entry;
  }

  /** Notes that the statement has changed a graph, now. */
  noteChange(entry: CatalogEntry): void {
    entry.modifiedMs = systemTimeMs();
    this.hasChanged = true;
  }

  /**
   * Checks that a new graph may have the name. @throws ARGUMENT_ERROR when the name is blank or taken, UNSUPPORTED when
   * the catalog takes no graphs
   */
  checkNew(name: string): void {
    if (!this.shared.isShared)
      throw new GraphDBError('UNSUPPORTED', 'graphs are projected in a database that holds data; this one takes commands about databases');
    if (name.trim() === '') throw argumentFault('a graph is given a name that is not blank');
    if (this.shared.entries.has(name))
      throw argumentFault(`A graph with name ${quoted(name)} already exists; drop it, or take another name`);
  }

  /** Adds a graph. @throws the errors of `checkNew`; MEMORY_LIMIT when all graphs would take too many bytes */
  add(entry: CatalogEntry): void {
    this.checkNew(entry.name);
    this.checkBytes(entry.graph.bytes);
    this.shared.entries.set(entry.name, { entry, sequence: this.newestSequence });
    this.hasChanged = true;
  }

  /** The sequence of the newest commit that the statement sees; 0 if it sees only published ones. */
  private get newestSequence(): number {
    const { transaction } = this.statement;
    if (transaction === null) return 0;
    return transaction.hasChanges ? transaction.sequence : transaction.sequence - 1;
  }

  /** Checks that a graph may grow by this many bytes. @throws MEMORY_LIMIT */
  checkBytes(added: number): void {
    const { mostBytes } = this.shared;
    if (this.bytes + added <= mostBytes) return;
    throw new GraphDBError(
      'MEMORY_LIMIT',
      `projected graphs would take more than ${mostBytes} bytes together; drop some with gds.graph.drop()`,
    );
  }

  drop(name: string): CatalogEntry {
    const entry = this.get(name);
    this.shared.entries.delete(name);
    this.hasChanged = true;
    return entry;
  }

  /** The bytes of all graphs of the engine. */
  get bytes(): number {
    let bytes = 0;
    for (const { entry } of this.shared.entries.values()) bytes += entry.graph.bytes;
    return bytes;
  }

  /** Records that a task which has allocated this many bytes in all has ended; the threads that have helped with much let it go. */
  leave(bytes: number): void {
    this.shared.garbage.add(bytes);
    if (bytes >= MUCH_BYTES) this.threads.collect();
  }

  /** Collects the garbage of ended tasks once there is much of it, in this thread and in the ones that help. */
  collect(): void {
    if (this.shared.garbage.collectIfMuch()) this.threads.collect();
  }

  /** Returns a new job id: `job-1`, `job-2` and so on. */
  nextJobId(): string {
    return this.shared.nextJobId();
  }
}
