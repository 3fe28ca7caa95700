/**
 * The projected graphs of one engine, by name. They stay until they are dropped or the engine is closed. The bytes of
 * all graphs together are bounded, and are checked whenever a graph is added or grows.
 */
import { GraphDBError, KnownGarbage } from '../../base/index.ts';
import { argumentFault, quoted, type ValueMap } from '../../value/index.ts';
import { AlgorithmThreads } from '../threads/algorithm-threads.ts';
import type { ProjectedGraph } from './projected-graph.ts';

/** A projected graph in the catalog. */
export interface CatalogEntry {
  readonly name: string;
  readonly graph: ProjectedGraph;
  /** The request for the projection, as `gds.graph.list` shows it. */
  readonly configuration: ValueMap;
  /** When the graph was projected, in milliseconds since 1970. */
  readonly createdMs: number;
  modifiedMs: number;
}

/** A task that works on a graph, as `gds.listProgress` shows it. */
export interface Task {
  readonly jobId: string;
  readonly name: string;
  readonly startedMs: number;
  /** How far the task is, as a fraction from 0 to 1. */
  progress: number;
  /** Bytes that the graph holds now. */
  bytes: number;
}

/** The projected graphs of one engine, by user-given names. */
export class GraphCatalog {
  private readonly entries = new Map<string, CatalogEntry>();
  readonly tasks = new Set<Task>();
  readonly threads = new AlgorithmThreads();
  /** Counts the shared memory that ended tasks have left to be collected. */
  private readonly garbage = new KnownGarbage();
  private readonly mostBytes: number;
  private jobs = 0;

  /** @param mostBytes the most bytes that all graphs may take together */
  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** Returns the graphs, sorted by name. */
  list(): CatalogEntry[] {
    return [...this.entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  find(name: string): CatalogEntry | undefined {
    return this.entries.get(name);
  }

  /** Returns the graph of a name. @throws ARGUMENT_ERROR when there is none */
  get(name: string): CatalogEntry {
    const entry = this.entries.get(name);
    if (entry === undefined) throw argumentFault(`Graph with name ${quoted(name)} does not exist; gds.graph.list() shows those there are`);
    return entry;
  }

  /** Checks that a new graph may have the name. @throws ARGUMENT_ERROR when the name is blank or taken */
  checkNew(name: string): void {
    if (name.trim() === '') throw argumentFault('a graph is given a name that is not blank');
    if (this.entries.has(name)) throw argumentFault(`A graph with name ${quoted(name)} already exists; drop it, or take another name`);
  }

  /** Adds a graph. @throws ARGUMENT_ERROR when its name is blank or taken, MEMORY_LIMIT when all graphs would take too many bytes */
  add(entry: CatalogEntry): void {
    this.checkNew(entry.name);
    this.checkBytes(entry.graph.bytes);
    this.entries.set(entry.name, entry);
  }

  /** Checks that a graph may grow by this many bytes. @throws MEMORY_LIMIT */
  checkBytes(added: number): void {
    if (this.bytes + added <= this.mostBytes) return;
    throw new GraphDBError(
      'MEMORY_LIMIT',
      `projected graphs would take more than ${this.mostBytes} bytes together; drop some with gds.graph.drop()`,
    );
  }

  drop(name: string): CatalogEntry {
    const entry = this.get(name);
    this.entries.delete(name);
    return entry;
  }

  get bytes(): number {
    let bytes = 0;
    for (const { graph } of this.entries.values()) bytes += graph.bytes;
    return bytes;
  }

  /** Records that a task which has allocated this many bytes in all has ended. */
  leave(bytes: number): void {
    this.garbage.add(bytes);
  }

  /** Collects the garbage of ended tasks once there is much of it, in this thread and in the ones that help. */
  collect(): void {
    if (this.garbage.collectIfMuch()) this.threads.collect();
  }

  /** Returns a new job id: `job-1`, `job-2` and so on. */
  nextJobId(): string {
    this.jobs++;
    return `job-${this.jobs}`;
  }

  /** Drops all graphs; resolves when the threads have ended. */
  async close(): Promise<void> {
    this.entries.clear();
    await this.threads.close();
  }
}
