/** One holder at a time, in order of asking. Who waits can give up. */
import { GraphDBError } from '../base/index.ts';

export class Mutex {
  private readonly queue: (() => void)[] = [];
  private held = false;

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
    if (signal?.aborted === true) throw cancelled();
    if (this.tryAcquire()) return;
    await new Promise<void>((resolve, reject) => {
      const grant = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.queue.splice(this.queue.indexOf(grant), 1);
        reject(cancelled());
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.queue.push(grant);
    });
  }

  release(): void {
    const next = this.queue.shift();
    if (next === undefined) this.held = false;
    else next();
  }

  async with<T>(run: () => Promise<T> | T): Promise<T> {
    await this.acquire();
    try {
      return await run();
    } finally {
      this.release();
    }
  }
}

function cancelled(): GraphDBError {
  return new GraphDBError('CANCELLED', 'the statement was cancelled while it waited for its turn to write');
}
