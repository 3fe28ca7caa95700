/** Time as the object stores use it: real, or a test's own. */

import { setTimeout as delay } from 'node:timers/promises';
import { cancelled } from './faults.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** CANCELLED when the signal is aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? cancelled(signal) : error;
    }
  },
};
