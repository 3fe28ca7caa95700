/**
 * All that an open database does besides answering statements, put together: a writer commits, flushes, merges and collects; a reader, or a writer that was fenced,
 * follows. Who is fenced ends the first for good and begins the second.
 */

import type { Clock, EngineFlags, Logger, Schedule } from '../../base/index.ts';
import { type GraphStore, openGraphStore } from '../../graph/index.ts';
import type { Namespace } from '../../storage/index.ts';
import type { CompactOutcome, FlushOutcome } from '../api.ts';
import type { EngineCounters } from '../counters.ts';
import { Committer } from '../writing/committer.ts';
import { WriteGate } from '../writing/write-gate.ts';
import { WriterWatch } from '../writing/writer-watch.ts';
import { Flusher } from './flusher.ts';
import { Following } from './following.ts';
import { Maintenance } from './maintenance.ts';

/** See `EngineOptions`. */
export interface Tuning {
  readonly flushIntervalMs: number;
  readonly flushBytes: number;
  readonly flushObjects: number;
  readonly stallBytes: number;
  readonly graceMs: number;
  readonly retainVersions: number;
  readonly pollIntervalMs: number;
  readonly clock: Clock;
  readonly schedule: Schedule;
}

export interface BackgroundParts {
  readonly namespace: Namespace;
  readonly graph: GraphStore;
  readonly readOnly: boolean;
  readonly counters: EngineCounters;
  readonly tuning: Tuning;
  readonly logger: Logger | undefined;
  readonly flags: EngineFlags;
  /** There is another graph to read from now on. */
  readonly onReplaced: (graph: GraphStore) => void;
}

export class Background {
  readonly committer: Committer;
  readonly following: Following;
  readonly watch: WriterWatch;
  private readonly namespace: Namespace;
  private readonly flusher: Flusher;
  private readonly maintenance: Maintenance;

  /** What the log holds and no SST does. */
  get unflushed(): { readonly bytes: number; readonly commits: number } {
    return this.flusher.unflushed;
  }

  constructor(parts: BackgroundParts) {
    const { namespace, tuning } = parts;
    const { flushIntervalMs, pollIntervalMs, clock } = tuning;
    const logger = parts.logger?.module('engine');
    const onFenced = (): void => this.becomeFenced();
    const gate = new WriteGate();
    this.namespace = namespace;
    this.committer = new Committer({ ...parts, logger, gate, onFenced, onDurable: (bytes) => this.flusher.wrote(bytes) });
    this.maintenance = new Maintenance({ ...parts, ...tuning, logger, onFenced, now: () => clock.now() });
    this.flusher = new Flusher({
      ...parts,
      ...tuning,
      logger,
      onFenced,
      committer: this.committer,
      intervalMs: flushIntervalMs,
      onFlushed: () => this.maintenance.flushed(),
    });
    gate.add(this.flusher);
    gate.add(this.maintenance);
    this.following = new Following({
      ...parts,
      ...tuning,
      logger,
      committer: this.committer,
      intervalMs: pollIntervalMs,
      openGraph: (commits) => openGraphStore(namespace, { commits, adjacency: parts.flags.adjacency }),
    });
    this.watch = new WriterWatch({ ...tuning, namespace, onFenced, catchUp: () => this.following.catchUp() });
  }

  /** A reader begins to follow; a writer will flush what opening found in the log. */
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

  /** Ends everything; what was answered is safe in any case. */
  async close(): Promise<void> {
    this.maintenance.stop();
    const [flushed] = await Promise.all([this.flusher.stop(), this.following.stop()]);
    if (flushed) await this.maintenance.tidyUp();
    await this.committer.drain();
    await this.namespace.close();
    await this.maintenance.drain();
  }

  private becomeFenced(): void {
    this.maintenance.stop();
    this.flusher.cease();
    this.following.start();
  }
}
