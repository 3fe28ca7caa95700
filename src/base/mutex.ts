/** Mutual exclusion between asynchronous tasks of one thread: one holder at a time, first come first served. A waiting task can give up. */
import { GraphDBError } from './errors.ts';

/** A lock for asynchronous tasks, which is granted in the order of the requests. */
export class Mutex {
  private readonly queue: (() => void)[] = [];
  private held = false;
  private readonly cancelledMessage: string;

  /** @param cancelledMessage the message of CANCELLED for a task that gives up waiting */
  constructor(cancelledMessage = 'the operation was cancelled while it waited for its turn') {
    this.cancelledMessage = cancelledMessage;
  }

  /** The number of tasks that wait for the lock. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Takes the lock if it is free; returns false if another task holds it. */
  tryAcquire(): boolean {
    if (this.held) return false;
    this.held = true;
    return true;
  }

  /** Resolves when this task holds the lock. @throws CANCELLED when the signal is aborted first */
  async acquire(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) throw this.cancelled();
    if (this.tryAcquire()) return;
    await new Promise<void>((resolve, reject) => {
      const grant = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.queue.splice(this.queue.indexOf(grant), 1);
        reject(this.cancelled());
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.queue.push(grant);
    });
  }

  /** Hands the lock to the task that has waited longest. Only the holder may call this. */
  release(): void {
    const next = this.queue.shift();
    if (next === undefined) this.held = false;
    else next();
  }

  /** Runs the work while holding the lock; resolves or rejects as the work does. */
  async with<T>(run: () => Promise<T> | T): Promise<T> {
    await this.acquire();
    try {
      return await run();
    } finally {
      this.release();
    }
  }

  private cancelled(): GraphDBError {
    return new GraphDBError('CANCELLED', this.cancelledMessage);
  }
}
