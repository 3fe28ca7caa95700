/**
 * Follows the writer of a namespace: a reader, or a writer that was fenced, polls the bucket (B8), applies new commits
 * and takes over the files of new manifests.
 *
 * - While there is news it polls every `intervalMs`. While there is none the pause grows, up to MOST_IDLE_MS; while the
 *   store fails, up to LONGEST_PAUSE_MS.
 * - If the commits do not continue those of the graph, or a table that they need is gone from the bucket, another graph
 *   is opened from the newest manifest and takes the place of the served one. Running statements go on with the former
 *   graph.
 * - A failure leaves the graph as it was: a state that the writer once had.
 */
import type { Logger, Schedule } from '../../base/index.ts';
import { type GraphStore, NoRoomError } from '../../graph/index.ts';
import type { Commit, Namespace } from '../../storage/index.ts';
import { isCorruption } from '../reading/expired-snapshot.ts';
import type { WriterTurns } from '../writing/writer-turn.ts';

/** The options of a follower. */
export interface FollowingOptions {
  readonly namespace: Namespace;
  readonly turns: WriterTurns;
  /** The graph that is served. */
  readonly graph: () => GraphStore;
  /** Opens a graph from the namespace's manifest and these later commits. */
  readonly openGraph: (commits: readonly Commit[]) => Promise<GraphStore>;
  /** Called when another graph takes the place of the served one. */
  readonly onReplaced: (graph: GraphStore) => void;
  /** Milliseconds between polls while there is news; 0: poll on request only. */
  readonly intervalMs: number;
  readonly schedule: Schedule;
  readonly logger: Logger | undefined;
}

/** The longest pause in milliseconds while there is no news, so that a commit of the writer shows here within a second. */
const MOST_IDLE_MS = 750;
const IDLE_GROWTH = 1.25;
const LONGEST_PAUSE_MS = 10_000;

/** Follows the writer of a namespace. */
export class Following {
  private readonly options: FollowingOptions;
  /** Commits that were received and not applied yet: without gaps, and following those of the graph. */
  private backlog: Commit[] = [];
  /**
   * True if the served graph cannot go on. Its successor needs all commits after the newest manifest, including those
   * that the served graph has applied.
   */
  private beginAgain = false;
  private pauseMs: number;
  private failures = 0;
  private isStarted = false;
  private stopped = false;
  private cancelTimer: (() => void) | null = null;
  private running: Promise<boolean> | null = null;

  constructor(options: FollowingOptions) {
    this.options = options;
    this.pauseMs = options.intervalMs;
  }

  private get graph(): GraphStore {
    return this.options.graph();
  }

  start(): void {
    if (this.isStarted || this.stopped || this.options.intervalMs <= 0) return;
    this.isStarted = true;
    this.askLater();
  }

  /**
   * Polls at once and searches the bucket for what is new, because files that the graph needs are gone. A writer learns
   * this way that it was fenced.
   *
   * @returns whether anything was new
   */
  async catchUp(): Promise<boolean> {
    await this.running?.catch(() => undefined);
    const isNew = await this.ask(true);
    if (this.options.namespace.role === 'reader') this.start();
    return isNew;
  }

  /** Opens another graph from the newest files and puts it in the place of the served one. */
  async beginAnew(): Promise<void> {
    await this.running?.catch(() => undefined);
    this.beginAgain = true;
    await this.ask(true);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelTimer?.();
    await this.running?.catch(() => undefined);
  }

  private askLater(): void {
    if (this.stopped) return;
    this.cancelTimer = this.options.schedule(this.pauseMs, () => void this.askInBackground());
  }

  private async askInBackground(): Promise<void> {
    const { intervalMs, logger } = this.options;
    try {
      const isNew = await this.ask(false);
      this.pauseMs = isNew ? intervalMs : Math.max(intervalMs, Math.min(this.pauseMs * IDLE_GROWTH, MOST_IDLE_MS));
      if (this.failures > 0) logger?.info({ failures: this.failures }, 'following the writer again');
      this.failures = 0;
    } catch (error) {
      if (this.failures++ === 0 && !this.stopped) {
        logger?.warn({ error }, 'the writer cannot be followed; what was read last is served until it can');
      }
      this.pauseMs = Math.min(intervalMs * 2 ** Math.min(this.failures, 16), LONGEST_PAUSE_MS);
    }
    this.askLater();
  }

  private ask(search: boolean): Promise<boolean> {
    this.running ??= this.options.turns
      .whileIdle(() => this.pollUntilRead(search))
      .finally(() => {
        this.running = null;
      });
    return this.running;
  }

  private async poll(search: boolean): Promise<boolean> {
    const before = this.options.namespace.manifest.version;
    const { manifest, commits, rebase } = await this.options.namespace.poll({ search, anew: this.beginAgain });
    if (rebase) {
      this.backlog = [];
      this.beginAgain = true;
    }
    // One by one: there may be more commits than a call can take arguments.
    for (const commit of commits) this.backlog.push(commit);
    const isNew = this.beginAgain || this.backlog.length > 0 || manifest.version > before;
    if (this.beginAgain) await this.replace();
    else if (await this.carryOut()) {
      this.graph.takeFiles(manifest);
      this.graph.loadClusters().catch((error: unknown) => this.options.logger?.warn({ error }, 'clusters of vectors were not read'));
    } else return this.poll(search);
    return isNew;
  }

  /** Polls, and polls again with the next manifest if files are gone before a new graph has read them. */
  private async pollUntilRead(search: boolean): Promise<boolean> {
    const { namespace } = this.options;
    let isNew = false;
    for (let isSearch = search; ; isSearch = true) {
      const { version } = namespace.manifest;
      try {
        return (await this.poll(isSearch)) || isNew;
      } catch (error) {
        isNew = true;
        if (!isCorruption(error)) throw error;
        if (namespace.manifest.version === version && isSearch) throw error;
      }
    }
  }

  /** Applies the backlog to the graph. Returns false if the graph cannot go on and must be replaced. */
  private async carryOut(): Promise<boolean> {
    try {
      await this.graph.follow(this.backlog);
      this.backlog = [];
      return true;
    } catch (error) {
      this.backlog = this.backlog.filter(({ sequence }) => sequence > this.graph.publishedSequence);
      if (!isCorruption(error) && !(error instanceof NoRoomError)) throw error;
      // The commits may need a file as it was before it was merged and removed, or memory may be full of data that no
      // statement asks for any more.
      this.options.logger?.debug({ error }, 'begins again with the newest files');
      this.beginAgain = true;
      return false;
    }
  }

  private async replace(): Promise<void> {
    const graph = await this.options.openGraph(this.backlog);
    this.backlog = [];
    this.beginAgain = false;
    this.options.onReplaced(graph);
  }
}
