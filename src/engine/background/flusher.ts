/**
 * Memtable to SSTs: on a timer, by the size of the log, on request, and when opening finds or closing leaves much of
 * it. One flush at a time; reads and writes go on beside it.
 *
 * An idle database sets no timer. What fails is logged and tried again; once fenced, nothing is.
 */
import { GraphDBError, type Logger, nextTurn, type Schedule } from '../../base/index.ts';
import type { GraphStore } from '../../graph/index.ts';
import { type Commit, fenced, isFenced, type Manifest, type Namespace } from '../../storage/index.ts';
import type { FlushOutcome } from '../api.ts';
import type { Committer } from '../writing/committer.ts';
import type { Backlog } from '../writing/write-gate.ts';
import type { WriterTurns } from '../writing/writer-turn.ts';
import type { BackgroundCounters } from './counters.ts';

/** The options of the flusher. */
export interface FlusherOptions {
  readonly counters: BackgroundCounters;
  /** The graph that is served. */
  readonly graph: () => GraphStore;
  readonly namespace: Namespace;
  readonly committer: Committer;
  readonly turns: WriterTurns;
  readonly readOnly: boolean;
  readonly logger: Logger | undefined;
  readonly schedule: Schedule;
  /** 0: no timer. */
  readonly intervalMs: number;
  /** Bytes of the log that call for a flush. */
  readonly flushBytes: number;
  /** Objects of the log that do. */
  readonly flushObjects: number;
  /** Bytes of the log with which writers wait. */
  readonly stallBytes: number;
  readonly onFlushed: () => void;
  readonly onFenced: () => void;
}

/**
 * Opening and closing flush what the next opening would have to read again, where that is more than this: else a log
 * grows from crash to crash.
 */
const WORTH_FLUSHING_BYTES = 1 << 20;
const WORTH_FLUSHING_OBJECTS = 256;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Some milliseconds of work. */
const ROWS_PER_TURN = 1 << 14;

/** Writes the log's commits to SSTs. */
export class Flusher implements Backlog {
  private readonly options: FlusherOptions;
  private timer: { readonly isUrgent: boolean; readonly cancel: () => void } | null = null;
  private running: Promise<FlushOutcome> | null = null;
  private workingOff: Promise<void> | null = null;
  private stopped = false;
  private failures = 0;
  /** Bytes of commits in the log and in no SST. */
  private unflushedBytes = 0;
  private unflushedCommits = 0;
  /** Opening found much, and none of it has been flushed since. */
  private isBehind = false;

  constructor(options: FlusherOptions) {
    this.options = options;
  }

  /** Something became durable that no SST holds. */
  wrote(bytes: number, commits = 1): void {
    this.unflushedBytes += bytes;
    this.unflushedCommits += commits;
    this.setTimer();
  }

  /** Counts the commits that opening has read from the log. */
  found(commits: readonly Commit[]): void {
    this.unflushedBytes += commits.reduce((bytes, { changes }) => bytes + changes.length, 0);
    this.unflushedCommits += commits.length;
    this.isBehind = this.isWorthFlushing;
    if (this.isBehind || commits.length > 0) this.setTimer();
  }

  /** Commits that the log holds and no SST does. */
  get unflushed(): { readonly bytes: number; readonly commits: number } {
    return { bytes: this.unflushedBytes, commits: this.unflushedCommits };
  }

  /** Counts commits on their way to the log too: many may share one put. */
  get isTooLong(): boolean {
    const { committer, namespace, stallBytes } = this.options;
    return this.unflushedBytes + committer.pendingBytes >= stallBytes && namespace.role === 'writer' && !this.stopped;
  }

  /** All who wait share one flush, of what is durable by then. */
  workOff(): Promise<void> {
    this.workingOff ??= this.options.committer
      .settled()
      .then(() => this.flush())
      .catch((error: unknown) => {
        if (isFenced(error)) throw error;
        throw new GraphDBError('OVERLOADED', 'writes wait until what is in memory has been flushed, and the flush failed; try again', {
          cause: error,
        });
      })
      .then(() => {})
      .finally(() => {
        this.workingOff = null;
      });
    return this.workingOff;
  }

  /** A flush that is under way may have begun before the latest write: one more follows it. */
  async flush(): Promise<FlushOutcome> {
    if (this.options.readOnly) throw new GraphDBError('READ_ONLY', 'this database was opened read-only: it has nothing to flush');
    while (this.running !== null) await this.running.catch(() => undefined);
    if (this.options.namespace.role !== 'writer') throw fenced();
    this.running = this.options.counters.during(() => this.flushNow());
    try {
      const outcome = await this.running;
      this.failures = 0;
      return outcome;
    } catch (error) {
      this.failures++;
      if (isFenced(error)) this.options.onFenced();
      throw error;
    } finally {
      this.running = null;
    }
  }

  private async flushNow(): Promise<FlushOutcome> {
    const { namespace, turns } = this.options;
    const { graph, steps, bytes, commits } = await turns.during(() => {
      const served = this.options.graph();
      return {
        graph: served,
        steps: served.collectFlushInSteps(namespace.manifest),
        bytes: this.unflushedBytes,
        commits: this.unflushedCommits,
      };
    });
    const flush = steps === null ? null : await resultOf(steps);
    // Each opening leaves an object in the log, even where nothing was written.
    if (flush === null && namespace.walObjects < WORTH_FLUSHING_OBJECTS) {
      await namespace.confirmWriter();
      return { sstsWritten: 0, manifestVersion: namespace.manifest.version };
    }
    const edit = flush?.edit ?? { add: [], remove: [], sequence: namespace.manifest.sequence };
    const published = await namespace.publish(edit).catch((error: unknown) => {
      if (hasFiles(namespace.manifest, edit.remove)) throw error;
      return null;
    });
    // Files that were to leave have been merged meanwhile: what has taken their place is to leave.
    if (published === null) return this.flushNow();
    const { manifest, ssts } = published;
    if (flush !== null) graph.flushed(flush);
    this.options.counters.flushes++;
    this.options.counters.flushedSsts += ssts.length;
    this.isBehind = false;
    this.unflushedBytes -= bytes;
    this.unflushedCommits -= commits;
    this.options.onFlushed();
    return { sstsWritten: ssts.length, manifestVersion: manifest.version };
  }

  private setTimer(): void {
    const { flushBytes, flushObjects, namespace } = this.options;
    const isUrgent = this.isBehind || this.unflushedBytes >= flushBytes || namespace.walObjects >= flushObjects;
    const isWanted = isUrgent ? this.timer?.isUrgent !== true && this.running === null : this.timer === null && this.options.intervalMs > 0;
    if (this.stopped || !isWanted) return;
    this.timer?.cancel();
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.failures - 1), LONGEST_PAUSE_MS);
    const cancel = this.options.schedule(this.failures > 0 ? pauseMs : isUrgent ? 0 : this.options.intervalMs, () => {
      this.timer = null;
      void this.flushInBackground();
    });
    this.timer = { isUrgent, cancel };
  }

  private async flushInBackground(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      if (isFenced(error) || this.stopped) return;
      this.options.logger?.warn({ error }, 'flush failed; the write-ahead log still holds what it would have written');
    }
    if (this.unflushedCommits > 0) this.setTimer();
  }

  /** Begins nothing any more. */
  cease(): void {
    this.stopped = true;
    this.timer?.cancel();
    this.timer = null;
  }

  /**
   * Waits for what is under way; flushes when reading the log again would cost the next opening more than this costs
   * now.
   *
   * @returns whether it has
   */
  async stop(): Promise<boolean> {
    this.cease();
    await this.running?.catch(() => undefined);
    const { namespace, readOnly, logger } = this.options;
    if (readOnly || namespace.role !== 'writer') return false;
    if (!this.isWorthFlushing) return false;
    try {
      await this.flush();
      return true;
    } catch (error) {
      logger?.warn({ error }, 'nothing was flushed at the end; the write-ahead log holds it');
      return false;
    }
  }
  private get isWorthFlushing(): boolean {
    return this.unflushedBytes >= WORTH_FLUSHING_BYTES || this.options.namespace.walObjects >= WORTH_FLUSHING_OBJECTS;
  }
}

function hasFiles({ tables }: Manifest, keys: readonly string[]): boolean {
  const there = new Set(tables.flatMap(({ files }) => files.map(({ key }) => key)));
  return keys.every((key) => there.has(key));
}

/** The event loop has its turns between steps that look at many rows. */
async function resultOf<T>(steps: Generator<number, T>): Promise<T> {
  let rows = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    rows += step.value;
    if (rows < ROWS_PER_TURN) continue;
    rows = step.value;
    await nextTurn();
  }
}
