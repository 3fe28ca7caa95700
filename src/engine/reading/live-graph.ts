/**
 * Holds the graph that is read. A follower may put another graph in its place, and a read may find that files of its
 * graph are gone: it then looks for newer files and reads again.
 */
import type { Clock } from '../../base/index.ts';
import type { GraphStore } from '../../graph/index.ts';
import type { ObjectStore } from '../../object-store/index.ts';
import { type Manifest, type Namespace, openNamespace } from '../../storage/index.ts';
import type { ServedGraph } from '../statements/graph-version.ts';
import type { StatementRequest } from '../statements/request.ts';
import { withinTime } from '../statements/request.ts';
import { explainMissing, isCorruption } from './expired-snapshot.ts';

/** The options of a live graph. */
export interface LiveGraphOptions {
  readonly store: ObjectStore;
  readonly namespace: Namespace;
  /** The retained version that was opened; null for the newest version. */
  readonly version: number | null;
  readonly clock: Clock;
  readonly serve: (graph: GraphStore) => ServedGraph;
  /** Looks for news of the writer. @returns whether there was any */
  readonly catchUp: () => Promise<boolean>;
}

const READ_ATTEMPTS = 4;

/** Holds the graph that is read, and replaces it. */
export class LiveGraph {
  private readonly options: LiveGraphOptions;
  private current: ServedGraph;

  constructor(graph: GraphStore, options: LiveGraphOptions) {
    this.options = options;
    this.current = options.serve(graph);
  }

  /** The graph for statements that begin now. */
  get served(): ServedGraph {
    return this.current;
  }

  /** Statements that begin from now on read this graph; those that run go on with the former one. */
  replace(graph: GraphStore): void {
    this.close();
    this.current = this.options.serve(graph);
  }

  /** Stops the making of automatic indexes. */
  close(): void {
    this.current.automaticIndexer.close();
  }

  /**
   * Runs `read` over the served graph, and again if files that it needs are gone and there are newer ones. Looking for
   * these counts towards the time of the request. Returns without a promise if `read` does so and does not fail.
   */
  reading<T>(read: (served: ServedGraph, request: StatementRequest) => T | Promise<T>, request: StatementRequest): T | Promise<T> {
    const { served } = this;
    const { filesManifest } = served.graph;
    try {
      const answer = read(served, request);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => this.readingAgain(read, request, { served, filesManifest, error }));
    } catch (error) {
      return this.readingAgain(read, request, { served, filesManifest, error });
    }
  }

  /**
   * Repeats a failed read as long as there are newer files. `filesManifest` is the manifest of the files with which the
   * read began; the same graph may have taken over newer ones meanwhile.
   */
  private async readingAgain<T>(
    read: (served: ServedGraph, request: StatementRequest) => T | Promise<T>,
    request: StatementRequest,
    failed: { readonly served: ServedGraph; readonly filesManifest: Manifest; readonly error: unknown },
  ): Promise<T> {
    let { served, filesManifest, error } = failed;
    for (let attempt = 1; isCorruption(error); attempt++) {
      const isLast = attempt === READ_ATTEMPTS || !(await withinTime(this.hasNews(served, filesManifest), request));
      if (isLast) throw await this.explainMissing(error, filesManifest);
      served = this.served;
      filesManifest = served.graph.filesManifest;
      try {
        return await read(served, request);
      } catch (another) {
        error = another;
      }
    }
    throw error;
  }

  /** Returns the error to report for a failed read, since files of this manifest may be gone for good. */
  async explainMissing(error: unknown, manifest: Manifest): Promise<unknown> {
    const { namespace, clock } = this.options;
    return explainMissing(error, { namespace, manifest, nowMs: clock.now() });
  }

  private async hasNews(served: ServedGraph, { version }: Manifest): Promise<boolean> {
    const { store, namespace, catchUp } = this.options;
    if (this.options.version !== null) {
      await openNamespace(store, { name: namespace.name, version: this.options.version }); // NOT_FOUND says it better.
      return false;
    }
    const isNew = (): boolean => this.served !== served || served.graph.filesManifest.version > version;
    return isNew() || (await catchUp()) || isNew();
  }
}
