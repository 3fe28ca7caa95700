/**
 * Composes the background work of an open database: a writer commits, flushes, merges and collects garbage; a reader,
 * or a writer that was fenced, follows the writer. A writer that is fenced ends its own work for good and begins to
 * follow.
 */

import type { Clock, EngineFlags, Logger, Schedule } from '../../base/index.ts';
import { type GraphStore, openGraphStore, type PageLimits } from '../../graph/index.ts';
import type { Commit, Namespace } from '../../storage/index.ts';
import type { CompactOutcome, FlushOutcome } from '../api.ts';
import type { EngineSettings } from '../settings/engine-options.ts';
import { Committer } from '../writing/committer.ts';
import { WriteGate } from '../writing/write-gate.ts';
import { WriterTurns } from '../writing/writer-turn.ts';
import { WriterWatch } from '../writing/writer-watch.ts';
import { BackgroundCounters } from './counters.ts';
import { Flusher } from './flusher.ts';
import { Following } from './following.ts';
import { Maintenance } from './maintenance.ts';
import { Unloader } from './unloader.ts';

/** How long closing waits, in milliseconds, until it gives up what the store does not settle. */
const CLOSE_PATIENCE_MS = 10_000;

/** The options of the background work. */
export interface BackgroundOptions {
  readonly namespace: Namespace;
  /** The graph that is served. */
  readonly graph: () => GraphStore;
  readonly settings: EngineSettings;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly logger: Logger | undefined;
  readonly flags: EngineFlags;
  /** The limits of pages in memory; see `EngineParts`. */
  readonly pages: PageLimits;
  /** Called when another graph takes the place of the served one. */
  readonly onReplaced: (graph: GraphStore) => void;
  /** See `CommitterOptions.onTakenBack`. */
  readonly onTakenBack: (sequence: number) => void;
  /** Called when the writer was fenced: what is open can never be committed, and following needs the writer's turn. */
  readonly onFenced: () => void;
}

/** The background work of an open database. */
export class Background {
  readonly counters = new BackgroundCounters();
  readonly turns: WriterTurns;
  readonly following: Following;
  readonly watch: WriterWatch;
  private readonly namespace: Namespace;
  private readonly flusher: Flusher;
  private readonly maintenance: Maintenance;
  private readonly options: BackgroundOptions;
  readonly unloader: Unloader;

  /** The commits that are in the write-ahead log and in no SST: their bytes and their number. */
  get unflushed(): { readonly bytes: number; readonly commits: number } {
    return this.flusher.unflushed;
  }

  constructor(options: BackgroundOptions) {
    const { namespace, graph, settings, clock, schedule, pages, onReplaced, onTakenBack } = options;
    this.options = options;
    const logger = options.logger?.module('engine');
    const onFenced = (): void => this.becomeFenced();
    const { counters } = this;
    const { readOnly } = settings;
    const gate = new WriteGate();
    const isPinned = settings.version !== null;
    const committer = new Committer({
      graph,
      namespace,
      readOnly,
      logger,
      onFenced,
      onTakenBack,
      now: () => clock.now(),
      onDurable: (bytes) => this.flusher.wrote(bytes),
    });
    const turns = new WriterTurns(committer, gate);
    this.namespace = namespace;
    this.turns = turns;
    this.maintenance = new Maintenance({ ...settings, graph, namespace, counters, schedule, logger, onFenced, now: () => clock.now() });
    this.flusher = new Flusher({
      ...settings,
      graph,
      namespace,
      committer,
      turns,
      counters,
      schedule,
      logger,
      onFenced,
      intervalMs: settings.flushIntervalMs,
      onFlushed: () => {
        this.maintenance.flushed();
        this.unloader.noteFlushed();
      },
    });
    gate.add(this.flusher);
    gate.add(this.maintenance);
    this.following = new Following({
      graph,
      namespace,
      turns,
      schedule,
      logger,
      onReplaced,
      intervalMs: settings.pollIntervalMs,
      openGraph: (commits) => this.openGraph(commits),
    });
    this.unloader = new Unloader({
      namespace,
      graph,
      turns,
      flusher: this.flusher,
      following: this.following,
      counters,
      clock,
      logger,
      readOnly,
      isPinned,
      availableMemory: pages.availableMemory,
      openGraph: () => this.openGraph(isPinned ? namespace.recovered : []),
      onReplaced,
    });
    this.watch = new WriterWatch({ clock, schedule, namespace, onFenced, catchUp: () => this.following.catchUp() });
  }

  /**
   * Opens a graph from the newest files and these commits. The memory of the graph that it replaces counts as
   * available, since it is about to be freed.
   */
  private async openGraph(commits: readonly Commit[]): Promise<GraphStore> {
    const { namespace, graph, flags, pages } = this.options;
    let former: GraphStore | null = graph();
    const availableMemory = (): number => pages.availableMemory() + (former?.loadedBytes ?? 0);
    const fresh = await openGraphStore(namespace, { commits, adjacency: flags.adjacency, ...pages, availableMemory });
    former = null;
    return fresh;
  }

  /** Starts the background work: a reader begins to follow, a writer schedules a flush of the commits that opening found in the log. */
  start(): void {
    if (this.namespace.role === 'reader') this.following.start();
    else this.flusher.found(this.namespace.recovered);
  }

  flush(): Promise<FlushOutcome> {
    return this.flusher.flush();
  }

  async compact(): Promise<CompactOutcome> {
    return this.maintenance.compactNow(() => this.flusher.flush());
  }

  /**
   * Stops all background work, flushes if that is worthwhile, and closes the namespace. Answered writes are durable in
   * any case. What a store that does not answer leaves unsettled is given up after a while, so that closing ends.
   */
  async close(): Promise<void> {
    const cancelTimer = this.options.schedule(CLOSE_PATIENCE_MS, () => this.namespace.stopTrying());
    this.maintenance.stop();
    const [flushed] = await Promise.all([this.flusher.stop(), this.following.stop()]);
    if (flushed) await this.maintenance.tidyUp();
    await this.turns.drain();
    await this.namespace.close();
    cancelTimer();
    await this.maintenance.drain();
  }

  private becomeFenced(): void {
    this.maintenance.stop();
    this.flusher.cease();
    this.options.onFenced();
    this.following.start();
  }
}
