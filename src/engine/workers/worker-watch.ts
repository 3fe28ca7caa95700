/**
 * Looks at a worker from outside, every few milliseconds while it has reads: whether one of them is overdue, and
 * whether its heap is full. The guards inside the worker find both at its own looks; these find what never looks.
 *
 * The main thread may be late itself, after long work or because the machine was paused. What came meanwhile has not
 * been received then, so nothing is judged until a worker could have answered again.
 */
import type { Worker } from 'node:worker_threads';
import { type CancelTimer, monotonicMs, onNextTurn, repeatEvery } from '../../base/index.ts';
import { heapLimitBytes } from './heap-guard.ts';

const LOOK_MS = 25;
/** Looks that come later than this mean that the main thread was busy, or did not run. */
const LATE_MS = 100;
const LOOKS_PER_HEAP_LOOK = 4;

/** The worker that is watched. */
export interface WatchedWorker {
  readonly worker: Worker;
  readonly heapMiB: number;
  /** True: a read should have been answered by now. */
  readonly isOverdue: (nowMs: number) => boolean;
  readonly onDeath: (death: 'overdue' | 'full heap') => void;
}

/** Watches a worker from outside. */
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
    // What it has sent is received before the next turn.
    if (this.isOverdue()) onNextTurn(() => this.timer !== null && this.isOverdue() && this.watched.onDeath('overdue'));
  }

  private isOverdue(): boolean {
    return this.lookedAt >= this.judgesFrom && this.watched.isOverdue(this.lookedAt);
  }

  /** V8 answers also for a thread that never turns. */
  private async lookAtHeap(): Promise<void> {
    const { worker, heapMiB, onDeath } = this.watched;
    const statistics = await worker.getHeapStatistics().catch(() => null); // null: it has ended.
    if (statistics !== null && this.timer !== null && statistics.used_heap_size > heapLimitBytes(heapMiB)) onDeath('full heap');
  }
}
