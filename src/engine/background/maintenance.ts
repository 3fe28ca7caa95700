/**
 * Maintains the namespace of a writer: merges files after a flush (storage decides which), and some time later removes
 * objects that are no longer needed (B6).
 *
 * - An idle database makes no requests: garbage collections follow flushes and merges, and end when no grace time and
 *   no lease of a reader is left to wait for.
 * - A namespace that is only ever opened briefly is maintained too: a flush at closing is followed by a merge and a
 *   collection.
 * - A failure is logged, and the work is left for the next time. A fenced writer does nothing any more.
 * - Writers wait while merges are too far behind (write-gate.ts).
 */
import { abortAfter, GraphDBError, type Logger, type Schedule } from '../../base/index.ts';
import type { GraphStore } from '../../graph/index.ts';
import {
  type CompactionOptions,
  type CompactionOutcome,
  type GarbageOutcome,
  isFenced,
  type Manifest,
  type Namespace,
} from '../../storage/index.ts';
import type { CompactOutcome, FlushOutcome } from '../api.ts';
import type { Backlog } from '../writing/write-gate.ts';
import type { BackgroundCounters } from './counters.ts';

/** The options of maintenance. */
export interface MaintenanceOptions {
  readonly counters: BackgroundCounters;
  /** The graph that is served. */
  readonly graph: () => GraphStore;
  readonly namespace: Namespace;
  readonly logger: Logger | undefined;
  readonly schedule: Schedule;
  readonly now: () => number;
  /** Milliseconds for which files that no retained manifest names are kept for readers. */
  readonly graceMs: number;
  readonly retainVersions: number;
  readonly onFenced: () => void;
}

/**
 * Milliseconds for which unneeded objects of the log are kept for followers. A follower that polls less often begins
 * again with the newest manifest.
 */
const WAL_GRACE_MS = 30_000;
const COLLECTION_INTERVAL_MS = 60_000;
const MARGIN_MS = 1_000;
/** Writers wait for the merge while one table has at least this many flushed files. */
const STALL_FILES = 32;
const ATTEMPTS = 5;
/** The longest time in milliseconds that closing waits for merges. */
const TIDY_UP_MS = 5_000;

/** Merges files, and collects garbage. */
export class Maintenance implements Backlog {
  private readonly options: MaintenanceOptions;
  private merging: Promise<void> | null = null;
  private mergeAgain = false;
  private compacting: Promise<CompactOutcome> | null = null;
  private collecting: Promise<unknown> = Promise.resolve();
  private nextCollection: { readonly atMs: number; readonly cancel: () => void } | null = null;
  /** The time at which objects last became garbage; opening makes some too. */
  private changedAtMs: number;
  private stopped = false;

  constructor(options: MaintenanceOptions) {
    this.options = options;
    this.changedAtMs = options.now();
  }

  /** To be called after a flush: merges the new files in the background and schedules a collection. */
  flushed(): void {
    this.changedAtMs = this.options.now();
    if (this.compacting === null) this.mergeInBackground();
    this.collectLater();
  }

  get isTooLong(): boolean {
    return this.merging !== null && mostFlushedFiles(this.options.namespace.manifest) >= STALL_FILES;
  }

  async workOff(): Promise<void> {
    await this.merging;
  }

  /** Flushes, merges every table, then collects garbage, with no grace time for objects of the log. @throws READ_ONLY, WRITER_FENCED. */
  async compactNow(flush: () => Promise<FlushOutcome>): Promise<CompactOutcome> {
    while (this.compacting !== null) await this.compacting.catch(() => undefined);
    this.compacting = this.compact(flush).finally(() => {
      this.compacting = null;
    });
    return this.compacting;
  }

  private async compact(flush: () => Promise<FlushOutcome>): Promise<CompactOutcome> {
    await this.merging;
    const { sstsWritten } = await flush();
    try {
      const merged = await this.merge({ everything: true });
      const removed = await this.collectAfterMerge();
      this.collectLater();
      return {
        sstsWritten,
        tablesMerged: merged.tablesMerged,
        sstsRemoved: merged.filesRemoved,
        sstsAdded: merged.filesAdded,
        rowsWritten: merged.rowsWritten,
        objectsRemoved: removed.manifests + removed.walObjects + removed.files,
        bytesRemoved: removed.bytes,
        manifestVersion: merged.manifest.version,
      };
    } catch (error) {
      if (isFenced(error)) this.options.onFenced();
      throw error;
    }
  }

  /**
   * Collects garbage after a merge. The merge is in force in any case: if the manifest keeps changing, or the store is
   * unavailable, the collection is only put off.
   */
  private async collectAfterMerge(): Promise<GarbageOutcome> {
    try {
      return await this.collect(0);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.options.logger?.info({ error }, 'what was merged is removed later');
      return { manifests: 0, walObjects: 0, files: 0, leased: 0, bytes: 0 };
    }
  }

  /**
   * Cancels the next collection, and lets running work end at its next step. To be called before the namespace is
   * closed, which interrupts merges.
   */
  stop(): void {
    this.stopped = true;
    this.nextCollection?.cancel();
    this.nextCollection = null;
  }

  /** Merges and collects after the flush at closing; the merge is stopped after TIDY_UP_MS. */
  async tidyUp(): Promise<void> {
    try {
      await this.merge({ signal: abortAfter(TIDY_UP_MS) });
      await this.collect(WAL_GRACE_MS);
    } catch (error) {
      this.options.logger?.debug({ error }, 'closed without tidying up');
    }
  }

  async drain(): Promise<void> {
    await Promise.allSettled([this.merging, this.compacting, this.collecting]);
  }

  // ------------------------------------------------------------ merging

  private mergeInBackground(): void {
    this.mergeAgain = true;
    this.merging ??= this.mergeWhileAsked().finally(() => {
      this.merging = null;
    });
  }

  private async mergeWhileAsked(): Promise<void> {
    while (this.mergeAgain && !this.stopped) {
      this.mergeAgain = false;
      try {
        await this.merge({});
      } catch (error) {
        this.report(error, 'merging files failed; the next flush tries again');
        return;
      }
    }
  }

  private async merge(options: CompactionOptions): Promise<CompactionOutcome> {
    const { graph, namespace } = this.options;
    // At once: merging the next table may take longer than the grace time of the files that this merge has replaced.
    const onMerged = (): void => {
      if (namespace.role === 'writer') graph().takeFiles(namespace.manifest);
    };
    const outcome = await this.options.counters.during(() => namespace.compact({ ...options, onMerged }));
    await graph().loadClusters();
    if (outcome.filesRemoved > 0) this.changedAtMs = this.options.now();
    this.options.counters.mergedTables += outcome.tablesMerged;
    this.options.counters.mergedRows += outcome.rowsWritten;
    return outcome;
  }

  // ------------------------------------------------------------ collecting

  private collectLater(delayMs = COLLECTION_INTERVAL_MS): void {
    const atMs = this.options.now() + delayMs;
    if (this.stopped || (this.nextCollection !== null && this.nextCollection.atMs <= atMs)) return;
    this.nextCollection?.cancel();
    const cancel = this.options.schedule(delayMs, () => {
      this.nextCollection = null;
      void this.collectInBackground();
    });
    this.nextCollection = { atMs, cancel };
  }

  private async collectInBackground(): Promise<void> {
    const { now, graceMs } = this.options;
    const dueAtMs = this.changedAtMs + Math.max(graceMs, WAL_GRACE_MS) + MARGIN_MS;
    const startedAtMs = now();
    let leased: number;
    try {
      ({ leased } = await this.collect(WAL_GRACE_MS));
    } catch (error) {
      if (!this.report(error, 'removing what nobody needs failed; it is tried again')) return;
      this.collectLater();
      return;
    }
    if (leased > 0) this.collectLater();
    else if (startedAtMs < dueAtMs) this.collectLater(Math.max(dueAtMs - now(), COLLECTION_INTERVAL_MS));
  }

  /**
   * Collects garbage once the collection under way has ended. If the manifest changes meanwhile, or the store is
   * unavailable, it begins again, at most ATTEMPTS times in all.
   */
  private collect(walGraceMs: number): Promise<GarbageOutcome> {
    const { namespace, graceMs, retainVersions, counters } = this.options;
    const run = async (): Promise<GarbageOutcome> => {
      for (let attempt = 1; ; attempt++) {
        try {
          const removed = await namespace.collectGarbage({ graceMs, walGraceMs, retainVersions });
          counters.collectedObjects += removed.manifests + removed.walObjects + removed.files;
          counters.collectedBytes += removed.bytes;
          return removed;
        } catch (error) {
          if (!isUnavailable(error) || attempt === ATTEMPTS || this.stopped) throw error;
        }
      }
    };
    const counted = (): Promise<GarbageOutcome> => counters.during(run);
    const collecting = this.collecting.then(counted, counted);
    this.collecting = collecting;
    return collecting;
  }

  /** Logs a failure of background work, and reports that the writer was fenced. @returns whether to try again */
  private report(error: unknown, message: string): boolean {
    if (isFenced(error)) this.options.onFenced();
    if (isFenced(error) || this.stopped) return false;
    this.options.logger?.warn({ error }, message);
    return true;
  }
}

function mostFlushedFiles({ tables }: Manifest): number {
  return tables.reduce((most, { files }) => Math.max(most, files.filter(({ level }) => level === 0).length), 0);
}

function isUnavailable(error: unknown): boolean {
  return error instanceof GraphDBError && error.code === 'STORE_UNAVAILABLE';
}
