/** Mutual exclusion between asynchronous tasks of one thread: one holder at a time, in the order of asking. Whoever waits can give up. */
import { GraphDBError } from './errors.ts';

/** A lock of asynchronous tasks, in the order of their requests. */
export class Mutex {
  private readonly queue: (() => void)[] = [];
  private held = false;
  private readonly cancelledMessage: string;

  /** @param cancelledMessage what CANCELLED says to one that gave up waiting */
  constructor(cancelledMessage = 'the operation was cancelled while it waited for its turn') {
    this.cancelledMessage = cancelledMessage;
  }

  /** How many wait for it. */
  get waiting(): number {
    return this.queue.length;
  }

  /** False: somebody else holds it. */
  tryAcquire(): boolean {
    if (this.held) return false;
    this.held = true;
    return true;
  }

  /** Resolves when it is held. CANCELLED when the signal is aborted first. */
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

  /** Hands it to the one that has waited longest. Only its holder may call this. */
  release(): void {
    const next = this.queue.shift();
    if (next === undefined) this.held = false;
    else next();
  }

  /** Runs the work while holding it; resolves or rejects as the work does. */
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
