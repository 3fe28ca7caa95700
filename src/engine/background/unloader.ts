/**
 * Unloads the served graph when a statement needs its memory: a graph with nothing loaded, opened from the newest
 * files, takes its place. Running statements go on with the former graph, whose memory is freed when the last of them
 * has ended.
 *
 * A statement may need the new graph itself: tables whose files have been replaced cannot be read by page in a graph that
 * was opened with the former ones.
 *
 * A writer's graph can be replaced only if files hold all of it, so it is flushed first; a reader replaces its graph as
 * it does when files are gone. One replacement runs at a time.
 */
import { assert, type Clock, collectGarbage, type Logger } from '../../base/index.ts';
import { type GraphStore, hasRoom, type RoomNeed } from '../../graph/index.ts';
import type { Namespace } from '../../storage/index.ts';
import type { WriterTurns } from '../writing/writer-turn.ts';
import type { BackgroundCounters } from './counters.ts';
import type { Flusher } from './flusher.ts';
import type { Following } from './following.ts';

/** The options of unloading. */
export interface UnloaderOptions {
  readonly namespace: Namespace;
  /** The graph that is served. */
  readonly graph: () => GraphStore;
  readonly turns: WriterTurns;
  readonly flusher: Pick<Flusher, 'flush'>;
  readonly following: Pick<Following, 'beginAnew'>;
  readonly counters: BackgroundCounters;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
  readonly readOnly: boolean;
  /** True if a retained version is served, which never changes. */
  readonly isPinned: boolean;
  /** Returns the bytes that the process may still take. */
  readonly availableMemory: () => number;
  /** Opens a graph from the newest files, with nothing loaded. */
  readonly openGraph: () => Promise<GraphStore>;
  /** Called when another graph takes the place of the served one. */
  readonly onReplaced: (graph: GraphStore) => void;
}

/** Attempts to replace a graph: a commit between the flush and the turn of the replacement makes another flush necessary. */
const FLUSH_ATTEMPTS = 3;
/**
 * The number of checks, LOOK_MS milliseconds apart, for the memory to be freed: that happens some time after the last
 * reference is gone.
 */
const LOOKS = 100;
const LOOK_MS = 10;
/** A graph is unloaded after a flush if the available memory is less than this share of what the graph takes. */
const SHARE_FOR_WRITES = 1 / 4;

/** Unloads the served graph when a statement needs its memory. */
export class Unloader {
  private readonly options: UnloaderOptions;
  private running: Promise<boolean> = Promise.resolve(true);

  constructor(options: UnloaderOptions) {
    this.options = options;
  }

  /**
   * Makes room for a statement that reads `bytesInAll` bytes, for which this graph had no room.
   *
   * @returns true if the statement may run again, over the graph that is then served; false if unloading would not free
   * enough memory, nor make its tables readable by page, or is not possible now
   */
  makeRoom(graph: GraphStore, { bytesInAll, readsReplacedFiles }: RoomNeed): Promise<boolean> {
    const making = this.running.then(async () => {
      if (this.options.graph() !== graph) return true;
      if (hasRoom(bytesInAll, this.options.availableMemory() + graph.loadedBytes))
        return this.unload(graph, (available) => hasRoom(bytesInAll, available));
      return readsReplacedFiles && (await this.unload(graph, () => true));
    });
    this.running = making.catch(() => false);
    return making;
  }

  /** To be called after a flush. If the graph fills most of the memory it is unloaded, so that writing can go on for ever. */
  noteFlushed(): void {
    const graph = this.options.graph();
    const takesMost = (): boolean => this.options.availableMemory() < graph.loadedBytes * SHARE_FOR_WRITES;
    if (!takesMost()) return;
    this.running = this.running
      .then(async () => {
        if (this.options.graph() !== graph || !takesMost()) return true;
        return this.unload(graph, (available) => available >= graph.loadedBytes * SHARE_FOR_WRITES);
      })
      .catch((error: unknown) => {
        this.options.logger?.warn({ error }, 'what has been flushed could not be given back');
        return false;
      });
  }

  private async unload(graph: GraphStore, isEnough: (available: number) => boolean): Promise<boolean> {
    const { clock, logger, counters, availableMemory } = this.options;
    const bytes = graph.loadedBytes;
    if (!(await this.replace(graph))) return false;
    counters.unloads++;
    logger?.info({ bytes }, 'what the graph had in memory was given back');
    for (let look = 0; look < LOOKS; look++) {
      if (look % (LOOKS / 2) === 0) collectGarbage();
      if (isEnough(availableMemory())) break;
      await clock.sleep(LOOK_MS);
    }
    return true;
  }

  /** Replaces the served graph by one with nothing loaded. @returns whether another graph is served now */
  private async replace(graph: GraphStore): Promise<boolean> {
    const { namespace, turns, readOnly, isPinned, following, flusher } = this.options;
    const isStill = (): boolean => this.options.graph() === graph;
    if (isPinned) {
      this.options.onReplaced(await this.options.openGraph());
      return true;
    }
    for (let attempt = 0; attempt < FLUSH_ATTEMPTS && isStill(); attempt++) {
      if (readOnly || namespace.role === 'reader') await following.beginAnew();
      else {
        if (!graph.isFlushed) await flusher.flush();
        await turns.whileIdle(() => this.replaceFlushed(graph));
      }
    }
    return !isStill();
  }

  /**
   * Replaces a graph that is flushed completely. Does nothing if a commit came after the flush, another writer has taken
   * over, or a statement is between two batches and holds rows of the graph. No transaction may be open.
   */
  private async replaceFlushed(graph: GraphStore): Promise<void> {
    const { namespace } = this.options;
    if (namespace.role !== 'writer' || !graph.isFlushed || graph.keepsHomeRows || this.options.graph() !== graph) return;
    const fresh = await this.options.openGraph();
    assert(fresh.publishedSequence === graph.publishedSequence, 'files that hold all that is published');
    // Files may have been merged while the new graph was opened.
    fresh.takeFiles(namespace.manifest);
    this.options.onReplaced(fresh);
  }
}
