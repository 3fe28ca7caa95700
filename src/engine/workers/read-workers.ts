/**
 * Threads that run statements which read. A statement goes to the one with the least to do; each runs several beside each other.
 *
 * A round trip costs more than a short statement, so a statement begins on the main thread, and what has not ended
 * after its first slice there begins again in a worker (statements/read-placement.ts).
 */
import { type CancelTimer, type Logger, scheduleByTimer, silentLogger } from '../../base/index.ts';
import type { GraphStore } from '../../graph/index.ts';
import type { Value } from '../../value/index.ts';
import { heapShareMiB } from './heap-guard.ts';
import type { RemoteRead } from './remote-read.ts';
import type { RemoteRows } from './remote-rows.ts';
import { WorkerThread } from './worker-thread.ts';

/** The options of the read workers. */
export interface ReadWorkersOptions {
  readonly count: number;
  readonly firstSliceMs?: number;
  /**
   * Heap of each thread; a statement that needs more fails. Absent: their share of half of the memory of the container
   * or the machine, at most 4 GiB.
   */
  readonly heapMiB?: number;
  /** Absent: nothing is logged. */
  readonly logger?: Logger | undefined;
}

const FIRST_SLICE_MS = 2;
const START_AFTER_MS = 1_000;

/** The threads that run statements which read. */
export class ReadWorkers {
  /** Time that a statement may take on the main thread; 0: none begins there. */
  firstSliceMs: number;
  /** Statements that were given to them. */
  reads = 0;
  /** Statements among them that were split between all threads. */
  splits = 0;
  private readonly threads: readonly WorkerThread[];
  private cancelStart: CancelTimer | null = null;

  constructor({ count, firstSliceMs = FIRST_SLICE_MS, heapMiB = heapShareMiB(count), logger = silentLogger }: ReadWorkersOptions) {
    this.firstSliceMs = firstSliceMs;
    const again = (request: RemoteRead, rows: RemoteRows): void => this.leastLoaded().run(request, rows);
    this.threads = Array.from({ length: count }, () => new WorkerThread({ heapMiB, again, logger }));
  }

  /**
   * Starts the threads in a second, unless they are needed before: some 100 ms of a core each that later statements
   * need not wait for, and that those who wait for the server, or for their first answer, have for themselves.
   */
  startSoon(): void {
    this.cancelStart = scheduleByTimer(START_AFTER_MS, () => this.startAll());
  }

  private startAll(): void {
    this.cancelStart?.();
    this.cancelStart = null;
    for (const thread of this.threads) thread.started();
  }

  read(request: RemoteRead): RemoteRows {
    this.reads++;
    // The next read is not to wait for a thread either, be this one endless.
    if (this.cancelStart !== null) this.startAll();
    return this.leastLoaded().read(request);
  }

  private leastLoaded(): WorkerThread {
    return this.threads.reduce((least, thread) => (thread.load < least.load ? thread : least));
  }

  get count(): number {
    return this.threads.length;
  }

  /** Threads that were ended because they did not answer, or had no memory left. */
  get endedThreads(): number {
    return this.threads.reduce((sum, thread) => sum + thread.deaths, 0);
  }

  /**
   * The rows of the parts of a statement that can be split, one part in each thread, out of their order; and how much
   * work they were. `ThreadLost`: a thread ended, and with it the knowledge of its share of the scan.
   */
  async readParts(request: Omit<RemoteRead, 'keepsRows' | 'morsels'>): Promise<{ rows: Value[][]; ticks: number }> {
    this.reads++;
    this.splits++;
    const { nodeTables, relationshipTables } = request.view;
    const morsels = new Int32Array(new SharedArrayBuffer(4 * (nodeTables.length + relationshipTables.length)));
    const memoryBytes = request.memoryBytes / this.count;
    const parts = this.threads.map((thread) => thread.read({ ...request, memoryBytes, keepsRows: true, morsels }));
    const rows: Value[][] = [];
    const collect = async (part: RemoteRows): Promise<void> => {
      for await (const batch of part) for (const row of batch) rows.push(row as Value[]);
    };
    try {
      await Promise.all(parts.map(collect));
    } finally {
      for (const part of parts) await part.return();
    }
    return { rows, ticks: parts.reduce((sum, part) => sum + part.ticks, 0) };
  }

  /** No statement asks for this graph any more: the threads give back what they hold of it, when those that run have ended. */
  forget(graph: GraphStore): void {
    for (const thread of this.threads) thread.forget(graph);
  }

  async close(): Promise<void> {
    this.cancelStart?.();
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}
