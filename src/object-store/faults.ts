/**
 * Errors of object stores: how a backend reports a failure, and whether a safe operation is worth another try.
 */

import { GraphDBError } from '../base/index.ts';

/** The cause of a store's failure. */
export interface StoreFault {
  /** True when the same request may succeed soon: throttling, 5xx, a broken connection. */
  readonly transient: boolean;
  /** The store's own wish (`Retry-After`). */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

const faults = new WeakMap<GraphDBError, StoreFault>();

/** STORE_UNAVAILABLE with what the retry decorator needs to know about it. `message` must hold no secret. */
export function storeUnavailable(message: string, fault: StoreFault): GraphDBError {
  const error = new GraphDBError('STORE_UNAVAILABLE', message, { cause: fault.cause });
  faults.set(error, fault);
  return error;
}

/** Null for whatever is no fault of the store. */
export function storeFaultOf(error: unknown): StoreFault | null {
  return error instanceof GraphDBError ? (faults.get(error) ?? null) : null;
}

/** Throws CANCELLED where a signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled(signal);
}

/** Makes the error of a request that was aborted. */
export function cancelled(signal: AbortSignal): GraphDBError {
  return new GraphDBError('CANCELLED', 'the request to the object store was cancelled', { cause: signal.reason });
}
