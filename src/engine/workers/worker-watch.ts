/**
 * Watches a worker from the main thread, every LOOK_MS milliseconds while it has reads: whether one of them is overdue,
 * and whether its heap is full. The worker finds both at its own checks; the watch finds code that never checks.
 *
 * The main thread may be late itself, after long work or because the machine was paused. Messages of that time have not
 * been received then, so nothing is judged until a worker could have answered again.
 */
import type { Worker } from 'node:worker_threads';
import { type CancelTimer, monotonicMs, onNextTurn, repeatEvery } from '../../base/index.ts';
import { heapLimitBytes } from './heap-guard.ts';

const LOOK_MS = 25;
/** Milliseconds between two checks beyond which the main thread was busy, or did not run. */
const LATE_MS = 100;
const LOOKS_PER_HEAP_LOOK = 4;

/** The worker that is watched. */
export interface WatchedWorker {
  readonly worker: Worker;
  readonly heapMiB: number;
  /** Returns whether a read should have been answered by now. */
  readonly isOverdue: (nowMs: number) => boolean;
  readonly onDeath: (death: 'overdue' | 'full heap') => void;
}

/** Watches a worker from the main thread. */
export class WorkerWatch {
  private readonly watched: WatchedWorker;
  private timer: CancelTimer | null = null;
  private lookedAt = 0;
  private judgesFrom = 0;
  private looks = 0;

  constructor(watched: WatchedWorker) {
    this.watched = watched;
  }

  start(): void {
    if (this.timer !== null) return;
    this.lookedAt = monotonicMs();
    this.judgesFrom = 0;
    this.looks = 0;
    this.timer = repeatEvery(LOOK_MS, () => this.look());
  }

  stop(): void {
    this.timer?.();
    this.timer = null;
  }

  private look(): void {
    const now = monotonicMs();
    if (now - this.lookedAt > LATE_MS) this.judgesFrom = now + 2 * LATE_MS;
    this.lookedAt = now;
    if (++this.looks % LOOKS_PER_HEAP_LOOK === 0) void this.lookAtHeap();
    // Messages that the worker has sent are received before the next turn.
    if (this.isOverdue()) onNextTurn(() => this.timer !== null && this.isOverdue() && this.watched.onDeath('overdue'));
  }

  private isOverdue(): boolean {
    return this.lookedAt >= this.judgesFrom && this.watched.isOverdue(this.lookedAt);
  }

  /** Checks the heap of the worker; V8 answers even for a thread that never turns. */
  private async lookAtHeap(): Promise<void> {
    const { worker, heapMiB, onDeath } = this.watched;
    const statistics = await worker.getHeapStatistics().catch(() => null); // null: it has ended.
    if (statistics !== null && this.timer !== null && statistics.used_heap_size > heapLimitBytes(heapMiB)) onDeath('full heap');
  }
}
