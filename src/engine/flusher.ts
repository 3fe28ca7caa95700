/** Memtable to SSTs: on a timer, on request. One flush at a time; reads and writes go on beside it. */
import { GraphDBError, type Logger } from '../base/index.ts';
import type { GraphStore } from '../graph/index.ts';
import type { Namespace } from '../storage/index.ts';
import type { FlushOutcome } from './api.ts';
import type { Committer } from './committer.ts';

export class Flusher {
  private readonly graph: GraphStore;
  private readonly namespace: Namespace;
  private readonly committer: Committer;
  private readonly readOnly: boolean;
  private readonly logger: Logger | undefined;
  private readonly intervalMs: number;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<FlushOutcome> | null = null;
  private stopped = false;

  constructor(options: {
    graph: GraphStore;
    namespace: Namespace;
    committer: Committer;
    readOnly: boolean;
    logger: Logger | undefined;
    flushIntervalMs: number;
  }) {
    this.graph = options.graph;
    this.namespace = options.namespace;
    this.committer = options.committer;
    this.readOnly = options.readOnly;
    this.logger = options.logger;
    this.intervalMs = options.flushIntervalMs;
  }

  /** Something became durable that no SST holds: an idle database sets no timer. */
  wrote(): void {
    if (this.timer !== null || this.stopped || this.intervalMs <= 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.flush().catch((error: unknown) => {
        this.logger?.warn({ err: error }, 'flush failed; the write-ahead log still holds what it would have written');
        this.wrote();
      });
    }, this.intervalMs);
    this.timer.unref();
  }

  /** A flush that is under way may have begun before the latest write: one more follows it. */
  async flush(): Promise<FlushOutcome> {
    if (this.readOnly) throw new GraphDBError('READ_ONLY', 'this database was opened read-only: it has nothing to flush');
    if (this.namespace.role !== 'writer') throw new GraphDBError('WRITER_FENCED', 'another writer has taken over this namespace');
    while (this.running !== null) await this.running.catch(() => undefined);
    this.running = this.flushNow();
    try {
      return await this.running;
    } finally {
      this.running = null;
    }
  }

  private async flushNow(): Promise<FlushOutcome> {
    const flush = await this.committer.lock.with(() => this.graph.collectFlush());
    if (flush === null) return { sstsWritten: 0, manifestVersion: this.namespace.manifest.version };
    const { manifest, ssts } = await this.namespace.publish(flush.edit);
    this.graph.flushed(flush);
    return { sstsWritten: ssts.length, manifestVersion: manifest.version };
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.running?.catch(() => undefined);
  }
}
