/** Translates failures of remote services to errors of GraphDB. */

import type { GraphDBError } from '../../base/index.ts';
import { storeUnavailable } from '../faults.ts';
import type { RemoteFailure } from './backend.ts';

const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'TimeoutError',
  // Not the caller's abort, which is checked before: the connection broke in the middle of an answer.
  'AbortError',
  'REQUEST_SEND_ERROR',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
  'SlowDown',
  'ServerBusy',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'ThrottlingException',
  'OperationAborted',
  'ConditionalRequestConflict',
  'IncompleteBody',
]);

const HINTS: Readonly<Record<number, string>> = {
  401: 'the credentials were not accepted',
  403: 'access denied: get, put, delete and list are needed',
};

/** Makes STORE_UNAVAILABLE of a failure of a service. `doing` completes the sentence "cannot …". */
export function translateFailure(failure: RemoteFailure, doing: string): GraphDBError {
  const { status, code, message, retryAfterMs } = failure;
  const transient = TRANSIENT_CODES.has(code) || status === 408 || status === 429 || (status !== undefined && status >= 500);
  const hint = status === undefined ? undefined : HINTS[status];
  const what = [hint, code === message ? undefined : code, message, status === undefined ? undefined : `HTTP ${status}`];
  const text = what.filter((part) => part !== undefined && part !== '').join('; ');
  // The library's own error stays outside: it may carry request headers, credentials among them.
  return storeUnavailable(`cannot ${doing}: ${text}`, { transient, retryAfterMs, cause: new Error(`${code}: ${message}`) });
}

/** Describes an error without an answer of the service, from the network or from the client library itself. */
export function explainLocalError(error: unknown): RemoteFailure {
  if (!(error instanceof Error)) return { code: 'Error', message: String(error) };
  // fetch and AggregateError (several addresses tried) hide what happened below.
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const code = codeOf(error) ?? codeOf(inner);
  const message = error.message === '' || error.message === 'fetch failed' ? messageOf(inner) : error.message;
  return { code: code ?? error.name, message: message === '' ? (code ?? error.name) : message };
}

/** Parses `Retry-After`: milliseconds, at most 300,000; undefined when it is missing or not in seconds, the form that object stores use. */
export function parseRetryAfter(header: string | null | undefined): number | undefined {
  const seconds = header === null || header === undefined ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 300) * 1_000 : undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
