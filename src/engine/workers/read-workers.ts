/**
 * The read workers: threads that run read statements. A statement goes to the worker with the least to do; each runs
 * several side by side.
 *
 * A round trip costs more than a short statement, so a statement begins on the main thread, and one that has not ended
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
   * The heap of each thread in MiB; a statement that needs more fails. Absent: an equal share of half of the memory of
   * the container or the machine, at most 4 GiB.
   */
  readonly heapMiB?: number;
  /** The logger; absent: nothing is logged. */
  readonly logger?: Logger | undefined;
}

const FIRST_SLICE_MS = 2;
const START_AFTER_MS = 1_000;

/** The threads that run read statements. */
export class ReadWorkers {
  /** Milliseconds that a statement may take on the main thread before it begins again in a worker; 0: none begins there. */
  firstSliceMs: number;
  /** The number of statements that were given to the workers. */
  reads = 0;
  /** The number of those statements that were split among all workers. */
  splits = 0;
  private readonly threads: readonly WorkerThread[];
  private cancelStart: CancelTimer | null = null;

  constructor({ count, firstSliceMs = FIRST_SLICE_MS, heapMiB = heapShareMiB(count), logger = silentLogger }: ReadWorkersOptions) {
    this.firstSliceMs = firstSliceMs;
    const again = (request: RemoteRead, rows: RemoteRows): void => this.leastLoaded().run(request, rows);
    this.threads = Array.from({ length: count }, () => new WorkerThread({ heapMiB, again, logger }));
  }

  /**
   * Starts the threads in a second, unless they are needed before. Starting takes some 100 ms of a core each: later
   * statements need not wait for that, and it does not delay the start of the server and its first answers.
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
    // Starts them all: the next read must not wait for a thread either, even if this one is endless.
    if (this.cancelStart !== null) this.startAll();
    return this.leastLoaded().read(request);
  }

  private leastLoaded(): WorkerThread {
    return this.threads.reduce((least, thread) => (thread.load < least.load ? thread : least));
  }

  get count(): number {
    return this.threads.length;
  }

  /** The number of threads that have died: they did not answer, had no memory left or failed. */
  get endedThreads(): number {
    return this.threads.reduce((sum, thread) => sum + thread.deaths, 0);
  }

  /**
   * Runs the parts of a statement that can be split, one in each thread. Returns their rows, in no order, and how much
   * work they were, in ticks.
   *
   * @throws `ThreadLost` if a thread has ended, since nobody knows what its share of the scan was.
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

  /** Makes the threads give back what they hold of a graph that no statement asks for any more, once the running ones have ended. */
  forget(graph: GraphStore): void {
    for (const thread of this.threads) thread.forget(graph);
  }

  async close(): Promise<void> {
    this.cancelStart?.();
    this.cancelStart = null;
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}
