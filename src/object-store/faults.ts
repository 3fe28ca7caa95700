/**
 * Errors of object stores: how a backend reports a failure, and whether a safe operation is worth another try.
 */

import { GraphDBError } from '../base/index.ts';

/** The cause of a store's failure. */
export interface StoreFault {
  /** True when the same request may succeed soon: throttling, 5xx, a broken connection. */
  readonly transient: boolean;
  /** How long the store asks callers to wait before the next attempt (`Retry-After`), in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

const faults = new WeakMap<GraphDBError, StoreFault>();

/** Makes a STORE_UNAVAILABLE error that the retry decorator can classify by `fault`. `message` must hold no secret. */
export function storeUnavailable(message: string, fault: StoreFault): GraphDBError {
  const error = new GraphDBError('STORE_UNAVAILABLE', message, { cause: fault.cause });
  faults.set(error, fault);
  return error;
}

/** Returns the fault of an error that `storeUnavailable` made; null for any other error. */
export function storeFaultOf(error: unknown): StoreFault | null {
  return error instanceof GraphDBError ? (faults.get(error) ?? null) : null;
}

/** Throws when the signal is aborted. @throws CANCELLED */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled(signal);
}

/** Makes the CANCELLED error of a request whose signal was aborted. */
export function cancelled(signal: AbortSignal): GraphDBError {
  return new GraphDBError('CANCELLED', 'the request to the object store was cancelled', { cause: signal.reason });
}
