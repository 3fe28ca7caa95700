/**
 * A reader follows the writer: asks the bucket for what is new (B8), carries out the commits, and learns which files
 * there are. So does a writer that was fenced.
 *
 * - While something comes, it asks every `intervalMs`; when nothing does, more and more seldom, but at least every
 *   MOST_IDLE_MS; when the store fails, less often.
 * - Where the commits do not follow those that the graph has, or a table that they need is gone from the bucket, it
 *   begins again: another graph from the newest manifest takes the place of the old one. Statements that run go on with
 *   the old one.
 * - What fails leaves the graph as it was: a state that the writer had once.
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
  /** A graph from the namespace's manifest and these commits after it. */
  readonly openGraph: (commits: readonly Commit[]) => Promise<GraphStore>;
  /** There is another graph to read from now on. */
  readonly onReplaced: (graph: GraphStore) => void;
  /** 0: only when asked. */
  readonly intervalMs: number;
  readonly schedule: Schedule;
  readonly logger: Logger | undefined;
}

/** A commit of the writer shows here within a second. */
const MOST_IDLE_MS = 750;
const IDLE_GROWTH = 1.25;
const LONGEST_PAUSE_MS = 10_000;

/** Follows the writer of a namespace. */
export class Following {
  private readonly options: FollowingOptions;
  /** Given to us and not carried out yet; dense, after those of the graph. */
  private backlog: Commit[] = [];
  /**
   * The graph is of no use any more: its successor needs all commits after the newest manifest, those among them too
   * that this one has carried out.
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
   * Searches for what is new: files that the graph goes by are gone. So a writer learns that it was fenced.
   *
   * @returns whether anything is
   */
  async catchUp(): Promise<boolean> {
    await this.running?.catch(() => undefined);
    const isNew = await this.ask(true);
    if (this.options.namespace.role === 'reader') this.start();
    return isNew;
  }

  /** Puts another graph, from the newest files, in the place of the one that is served. */
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
    // One by one: more may have come than a call takes arguments.
    for (const commit of commits) this.backlog.push(commit);
    const isNew = this.beginAgain || this.backlog.length > 0 || manifest.version > before;
    if (this.beginAgain) await this.replace();
    else if (await this.carryOut()) {
      this.graph.takeFiles(manifest);
      this.graph.loadClusters().catch((error: unknown) => this.options.logger?.warn({ error }, 'clusters of vectors were not read'));
    } else return this.poll(search);
    return isNew;
  }

  /** Polls; where files are gone before a new graph has read them, again with the manifest that has come since. */
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

  /** False: the graph cannot go on. */
  private async carryOut(): Promise<boolean> {
    try {
      await this.graph.follow(this.backlog);
      this.backlog = [];
      return true;
    } catch (error) {
      this.backlog = this.backlog.filter(({ sequence }) => sequence > this.graph.publishedSequence);
      if (!isCorruption(error) && !(error instanceof NoRoomError)) throw error;
      // A file may have been replaced and removed that the commits need as it was before them; or memory is full of
      // what nobody asks for any more.
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
