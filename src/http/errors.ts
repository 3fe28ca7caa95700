/**
 * Turns failures into HTTP answers: a status, `{"error":…,"code":…}` with the place in the query text if there is one,
 * and the headers that go with it. An error that is neither a `GraphDBError` nor a fault of the request is INTERNAL,
 * and says nothing of its cause.
 */
import { ERROR_CODES, type ErrorCode, fromForeignError, GraphDBError } from '../base/index.ts';

const JSON_TYPE = 'application/json';

/** A failure as an HTTP answer. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Codes of Fastify for faults of the request that have a code of their own here; its other 4xx are BAD_REQUEST. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
};

const FASTIFY_MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  UNSUPPORTED_MEDIA_TYPE: 'the body must be JSON, with Content-Type: application/json',
  PAYLOAD_TOO_LARGE: 'the body is larger than this server accepts',
};

/** Returns the `GraphDBError` that stands for whatever was thrown; CANCELLED if Node says that the body of a request was broken off. */
export function toGraphDBError(error: unknown): GraphDBError {
  if (error instanceof GraphDBError) return error;
  const { code, statusCode, message } = (error ?? {}) as { code?: unknown; statusCode?: unknown; message?: unknown };
  if (typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500) {
    const translated = FASTIFY_CODES[code] ?? 'BAD_REQUEST';
    return new GraphDBError(translated, FASTIFY_MESSAGES[translated] ?? String(message), { cause: error });
  }
  if (code === 'ECONNRESET' && message === 'aborted') return new GraphDBError('CANCELLED', 'the client went away', { cause: error });
  return fromForeignError(error);
}

/** Returns the HTTP answer to a failure. `requestId` is given if the log of the server says more than the answer may. */
export function errorAnswer(error: GraphDBError, requestId?: string): ErrorAnswer {
  const body = JSON.stringify(errorBody(error, requestId));
  return { status: ERROR_CODES[error.code].httpStatus, headers: headersFor(error.code), body: Buffer.from(body) };
}

/** Returns the body of a failure: its message, its code, its line and column if known, and whether a write may be done nevertheless. */
export function errorBody(error: GraphDBError, requestId?: string): Record<string, unknown> {
  const reference = requestId === undefined ? '' : `; the log of the server has it as request ${requestId}`;
  const message = error.code === 'INTERNAL' ? `internal error${reference}` : error.message;
  const { code, line, column, outcomeUnknown } = error;
  return { error: message, code, line, column, outcome_unknown: outcomeUnknown ? true : undefined };
}

function headersFor(code: ErrorCode): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': JSON_TYPE };
  if (code === 'UNAUTHORIZED') headers['www-authenticate'] = 'Bearer realm="graphdb"';
  if (code === 'RATE_LIMITED' || ERROR_CODES[code].httpStatus === 503) headers['retry-after'] = '1';
  return headers;
}
