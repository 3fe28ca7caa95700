/**
 * The projected graphs, tasks and threads of one engine, which all its statements share. Graphs stay until they are
 * dropped, the engine is closed, or the changes that they were made from are taken back. Statements reach them through a
 * `GraphCatalog` of their own.
 *
 * A graph that a write transaction projects may show nodes that only this transaction sees. It depends on the commit of
 * the transaction; other transactions see it once that commit is published. When commits are taken back, so are the
 * graphs that depend on them (`takeBack`): the next transaction gives their ordinals to other nodes.
 */
import { KnownGarbage } from '../../base/index.ts';
import type { ValueMap } from '../../value/index.ts';
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

/** A graph of the catalog, and what it depends on. */
export interface SharedEntry {
  readonly entry: CatalogEntry;
  /** The sequence of the newest commit that the graph may show; 0 if all that it shows was published. */
  readonly sequence: number;
}

/** The options of a shared catalog. */
export interface SharedCatalogOptions {
  /** The most bytes that all graphs may take together. */
  readonly mostBytes: number;
  /** Returns the sequence of the last published commit. */
  readonly publishedSequence: () => number;
  /** False if statements must learn nothing of each other: graphs are refused, and a statement sees its own tasks alone. */
  readonly isShared: boolean;
}

/** The projected graphs of one engine, by user-given names, with the tasks and threads that work on them. */
export class SharedCatalog {
  readonly entries = new Map<string, SharedEntry>();
  readonly tasks = new Set<Task>();
  readonly threads = new AlgorithmThreads();
  /** Counts the shared memory that ended tasks have left to be collected. */
  readonly garbage = new KnownGarbage();
  readonly mostBytes: number;
  readonly publishedSequence: () => number;
  readonly isShared: boolean;
  private jobs = 0;

  constructor({ mostBytes, publishedSequence, isShared }: SharedCatalogOptions) {
    this.mostBytes = mostBytes;
    this.publishedSequence = publishedSequence;
    this.isShared = isShared;
  }

  /** Returns a new job id: `job-1`, `job-2` and so on. */
  nextJobId(): string {
    this.jobs++;
    return `job-${this.jobs}`;
  }

  /** Drops the graphs that depend on commits after this one, all of which are taken back. */
  takeBack(sequence: number): void {
    for (const [name, each] of this.entries) if (each.sequence > sequence) this.entries.delete(name);
  }

  /** Drops all graphs; resolves when the threads have ended. */
  async close(): Promise<void> {
    this.entries.clear();
    await this.threads.close();
  }
}
