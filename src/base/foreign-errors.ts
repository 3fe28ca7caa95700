/** Whatever was thrown, as the error that the protocols answer with. */
import { GraphDBError } from './errors.ts';

/**
 * Whatever is not a `GraphDBError` is INTERNAL, and says nothing of its cause, but for the limits of the JavaScript
 * engine that a statement can reach.
 */
export function fromForeignError(error: unknown): GraphDBError {
  if (error instanceof GraphDBError) return error;
  if (error instanceof RangeError && TOO_LARGE.test(error.message)) {
    return new GraphDBError('MEMORY_LIMIT', 'the statement makes a value that is too large to be held', { cause: error });
  }
  return new GraphDBError('INTERNAL', 'internal error', { cause: error });
}

/** Tells whether the error belongs into the log, since it is no fault of the request. */
export function isFaultOfServer(error: GraphDBError): boolean {
  return error.code === 'INTERNAL' || error.code === 'CORRUPTION';
}

/** Why a statement really ended: one that was cancelled, by whoever aborted its signal. */
export function reasonOf(error: unknown, signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  const isCancelled = error instanceof GraphDBError && error.code === 'CANCELLED';
  return isCancelled && reason instanceof GraphDBError ? reason : error;
}

/**
 * Messages of the JavaScript engine about text, arrays and buffers beyond its own limits, and about values nested too
 * deep to be walked.
 */
const TOO_LARGE =
  /^(Invalid (string|array|typed array|array buffer) length|Array buffer allocation failed|Maximum call stack size exceeded|.*(Map|Set) maximum size exceeded)/;
