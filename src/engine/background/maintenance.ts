/**
 * The upkeep of a writer's namespace: after a flush, files that have gathered are merged (storage decides whether there
 * are any), and some time later objects are removed that nobody needs any more (B6).
 *
 * - An idle database makes no requests: collections follow flushes and merges, and end when there is nothing left to
 *   wait for, leases of readers included.
 * - Where a namespace is only ever opened for a moment, the flush that now and then goes before closing brings a merge
 *   and a collection with it.
 * - What fails is logged and left for the next time. Once fenced, nothing is done any more.
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
  /** How long readers may go on with files that a manifest no longer names. */
  readonly graceMs: number;
  readonly retainVersions: number;
  readonly onFenced: () => void;
}

/** Followers poll more often than this; who does not begins again with the newest manifest. */
const WAL_GRACE_MS = 30_000;
const COLLECTION_INTERVAL_MS = 60_000;
const MARGIN_MS = 1_000;
/** Flushed files of one table with which writers wait for the merge. */
const STALL_FILES = 32;
const ATTEMPTS = 5;
/** Closing waits no longer than this for merges. */
const TIDY_UP_MS = 5_000;

/** Merges files, and collects garbage. */
export class Maintenance implements Backlog {
  private readonly options: MaintenanceOptions;
  private merging: Promise<void> | null = null;
  private mergeAgain = false;
  private compacting: Promise<CompactOutcome> | null = null;
  private collecting: Promise<unknown> = Promise.resolve();
  private nextCollection: { readonly atMs: number; readonly cancel: () => void } | null = null;
  /** When something last became garbage; opening makes some too. */
  private changedAtMs: number;
  private stopped = false;

  constructor(options: MaintenanceOptions) {
    this.options = options;
    this.changedAtMs = options.now();
  }

  /** There are new files. */
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

  /** Flushes, merges everything, then collects: the log without a grace time. READ_ONLY, WRITER_FENCED. */
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
   * The merge is in force whether or not its garbage can be removed now: a manifest that changes all the time, or a
   * store that stutters, only puts that off.
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

  /** Ends what runs at its next step; to be called before the namespace is closed, which interrupts merges. */
  stop(): void {
    this.stopped = true;
    this.nextCollection?.cancel();
    this.nextCollection = null;
  }

  /** After the flush that closing made. */
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
    // At once: merging the next table may last longer than the grace time of what the first one has replaced.
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

  /** One at a time. A manifest that changes in the middle of it makes it begin again. */
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

  /** @returns whether to try again */
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
