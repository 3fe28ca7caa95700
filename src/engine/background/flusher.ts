/**
 * Flushes the memtable to SSTs: on a timer, when the log reaches a size, on request, and when opening or closing finds
 * much of the log unflushed. One flush runs at a time; reads and writes go on meanwhile.
 *
 * An idle database sets no timer. A flush that fails is logged and tried again; a fenced writer flushes nothing any
 * more.
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
  /** Milliseconds from a commit to its flush; 0: no flush by time. */
  readonly intervalMs: number;
  /** A log with this many unflushed bytes is flushed at once. */
  readonly flushBytes: number;
  /** A log with this many objects is flushed at once. */
  readonly flushObjects: number;
  /** Writers wait for a flush while the log has at least this many unflushed bytes. */
  readonly stallBytes: number;
  readonly onFlushed: () => void;
  readonly onFenced: () => void;
}

/**
 * A log with at least this many unflushed bytes or objects is flushed at opening and at closing, since the next opening
 * would have to read it again. Otherwise a log would grow from crash to crash.
 */
const WORTH_FLUSHING_BYTES = 1 << 20;
const WORTH_FLUSHING_OBJECTS = 256;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Rows that are looked at between two turns of the event loop: a few milliseconds of work. */
const ROWS_PER_TURN = 1 << 14;

/** Writes the log's commits to SSTs. */
export class Flusher implements Backlog {
  private readonly options: FlusherOptions;
  private timer: { readonly isUrgent: boolean; readonly cancel: () => void } | null = null;
  private running: Promise<FlushOutcome> | null = null;
  private workingOff: Promise<void> | null = null;
  private stopped = false;
  private failures = 0;
  /** The bytes of commits that are in the log and in no SST. */
  private unflushedBytes = 0;
  private unflushedCommits = 0;
  /** True if opening found a log worth flushing and no flush has succeeded since. */
  private isBehind = false;

  constructor(options: FlusherOptions) {
    this.options = options;
  }

  /** Counts commits that have become durable and are in no SST yet. */
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

  /** The commits that are in the log and in no SST: their bytes and their number. */
  get unflushed(): { readonly bytes: number; readonly commits: number } {
    return { bytes: this.unflushedBytes, commits: this.unflushedCommits };
  }

  /** True while writers must wait for a flush. Commits on their way to the log count too, since many may share one put. */
  get isTooLong(): boolean {
    const { committer, namespace, stallBytes } = this.options;
    return this.unflushedBytes + committer.pendingBytes >= stallBytes && namespace.role === 'writer' && !this.stopped;
  }

  /** Flushes what is durable by then; all waiting writers share one flush. @throws OVERLOADED if the flush fails; WRITER_FENCED. */
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

  /**
   * Flushes the memtable. If a flush is under way another one follows it, since the first may have begun before the
   * latest write.
   *
   * @throws READ_ONLY, WRITER_FENCED.
   */
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
    // The files to be removed have been merged meanwhile: flush again, to remove the files that have replaced them.
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

  /** Cancels the timer; no flush begins by itself any more. */
  cease(): void {
    this.stopped = true;
    this.timer?.cancel();
    this.timer = null;
  }

  /**
   * Waits for a flush under way, then flushes if the next opening would otherwise have to read much of the log again.
   *
   * @returns whether it flushed
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

/** Runs the steps to their result; the event loop gets a turn after every ROWS_PER_TURN rows. */
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
