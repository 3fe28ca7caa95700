/**
 * The graph that is read now. A reader that follows may get another one in its place; and it may find the files gone that the graph was opened with: it
 * then looks for newer ones, and reads again.
 */
import type { Clock } from '../base/index.ts';
import type { GraphStore } from '../graph/index.ts';
import type { ObjectStore } from '../object-store/index.ts';
import { type Manifest, type Namespace, openNamespace } from '../storage/index.ts';
import type { AutomaticIndexer } from './background/automatic-indexer.ts';
import { explainMissing, isCorruption } from './outlived.ts';
import type { StatementCache } from './statements/statement-cache.ts';

/** The graph to read, and what was prepared for it. */
export interface Live {
  readonly graph: GraphStore;
  readonly statements: StatementCache;
  readonly automaticIndexer: AutomaticIndexer;
}

export interface LiveGraphOptions {
  readonly store: ObjectStore;
  readonly namespace: Namespace;
  /** The retained version that was opened; null: the newest. */
  readonly version: number | null;
  readonly clock: Clock;
  readonly liveOf: (graph: GraphStore) => Live;
  /** Looks for what the writer has written since. Whether there was anything. */
  readonly catchUp: () => Promise<boolean>;
}

const READ_ATTEMPTS = 4;

export class LiveGraph {
  private readonly options: LiveGraphOptions;
  private live: Live;

  constructor(graph: GraphStore, options: LiveGraphOptions) {
    this.options = options;
    this.live = options.liveOf(graph);
  }

  get current(): Live {
    return this.live;
  }

  replace(graph: GraphStore): void {
    this.live.automaticIndexer.close();
    this.live = this.options.liveOf(graph);
  }

  /** Begins again when files are gone that the read needs, and there are newer ones. */
  reading<T, What = undefined>(read: (live: Live, what: What) => T | Promise<T>, what?: What): T | Promise<T> {
    const { live } = this;
    const { filesManifest } = live.graph;
    try {
      const answer = read(live, what as What);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => this.readingAgain((now) => read(now, what as What), { live, filesManifest, error }));
    } catch (error) {
      return this.readingAgain((now) => read(now, what as What), { live, filesManifest, error });
    }
  }

  /** `filesManifest`: of the files by which the read began; newer ones may have taken their place in the same graph meanwhile. */
  private async readingAgain<T>(
    read: (live: Live) => T | Promise<T>,
    failed: { readonly live: Live; readonly filesManifest: Manifest; readonly error: unknown },
  ): Promise<T> {
    let { live, filesManifest, error } = failed;
    for (let attempt = 1; isCorruption(error); attempt++) {
      if (attempt === READ_ATTEMPTS || !(await this.hasNews(live, filesManifest))) throw await this.explainMissing(error, filesManifest);
      live = this.live;
      filesManifest = live.graph.filesManifest;
      try {
        return await read(live);
      } catch (another) {
        error = another;
      }
    }
    throw error;
  }

  /** What to say of a read that failed: files of this manifest may be gone for good. */
  async explainMissing(error: unknown, manifest: Manifest): Promise<unknown> {
    const { namespace, clock } = this.options;
    return explainMissing(error, { namespace, manifest, nowMs: clock.now() });
  }

  private async hasNews(live: Live, { version }: Manifest): Promise<boolean> {
    const { store, namespace, catchUp } = this.options;
    if (this.options.version !== null) {
      await openNamespace(store, { name: namespace.name, version: this.options.version }); // NOT_FOUND says it better.
      return false;
    }
    const isNew = (): boolean => this.live !== live || live.graph.filesManifest.version > version;
    return isNew() || (await catchUp()) || isNew();
  }
}
