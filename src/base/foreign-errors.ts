/** Converts anything thrown to the error that the protocols answer with. */
import { GraphDBError } from './errors.ts';

/**
 * Converts anything thrown to a `GraphDBError`: itself if it is one; MEMORY_LIMIT for a limit of the JavaScript engine
 * that a statement can reach; otherwise INTERNAL, whose message says nothing of the cause.
 */
export function fromForeignError(error: unknown): GraphDBError {
  if (error instanceof GraphDBError) return error;
  if (error instanceof RangeError && TOO_LARGE.test(error.message)) {
    return new GraphDBError('MEMORY_LIMIT', 'the statement makes a value that is too large to be held', { cause: error });
  }
  return new GraphDBError('INTERNAL', 'internal error', { cause: error });
}

/** Tells whether an error is a fault of the server and not of the request, and so belongs in the log. */
export function isFaultOfServer(error: GraphDBError): boolean {
  return error.code === 'INTERNAL' || error.code === 'CORRUPTION';
}

/** Returns the error that a statement ended with; for a cancelled one, the reason of its signal if that is a `GraphDBError`. */
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
