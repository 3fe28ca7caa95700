/**
 * Repeats requests that are safe to repeat: reads, lists and deletes, after faults that the backend calls transient.
 * Puts are never repeated here: the first one may have happened, and only the caller can tell its own object from
 * another's (B5).
 *
 * Waits are random between 0 and base × 2^attempt (full jitter), never shorter than the store asked for.
 */

import { type Clock, randomFraction, systemClock } from '../../base/index.ts';
import { storeFaultOf } from '../faults.ts';
import type { ObjectStore } from '../object-store.ts';
import { intercept, type StoreOperation } from './intercept.ts';

/** The options of retries. */
export interface RetryOptions {
  /** The most attempts, the first one included; default 6. */
  readonly attempts?: number;
  readonly baseDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly clock?: Clock;
  /** Returns a number in [0, 1). */
  readonly random?: () => number;
  readonly onRetry?: (operation: StoreOperation, key: string, attempt: number, error: Error) => void;
}

const SAFE: ReadonlySet<StoreOperation> = new Set(['get', 'getRange', 'readInto', 'size', 'list', 'delete']);

/** Wraps a store in one that repeats requests that are safe to repeat. */
export function withRetry(store: ObjectStore, options: RetryOptions = {}): ObjectStore {
  const { attempts = 6, baseDelayMs = 50, maxDelayMs = 5_000, clock = systemClock, random = randomFraction, onRetry } = options;
  return intercept(store, async (request, proceed) => {
    if (!SAFE.has(request.operation)) return proceed();
    for (let attempt = 1; ; attempt++) {
      try {
        return await proceed();
      } catch (error) {
        const fault = storeFaultOf(error);
        if (!fault?.transient || attempt >= attempts) throw error;
        onRetry?.(request.operation, request.key, attempt, error as Error); // as: what carries a fault is a GraphDBError
        const jittered = random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
        await clock.sleep(Math.max(jittered, fault.retryAfterMs ?? 0), request.options?.signal);
      }
    }
  });
}
