/**
 * Sends requests to a GraphDB server, and translates their failures: errors of the API keep their code and place, those
 * of the network are explained in words that say what to do.
 */
import { abortAfter, ERROR_CODES, type ErrorCode, GraphDBError, LONGEST_TIMER_MS, outOfTime } from '../base/index.ts';
import { parseJson, type Value, type ValueMap } from '../value/index.ts';

/** A request to a server. */
export interface ServerRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly limits?: RequestLimits;
  /** Whether the request may make a change durable: where no answer says otherwise, it may have done so (`outcomeUnknown`). */
  readonly mayCommit?: boolean;
}

/** The limits of a request before its answer: a signal of the program, and a limit of time. */
export interface RequestLimits {
  readonly signal: AbortSignal | undefined;
  readonly time: AbortSignal | undefined;
}

const NO_LIMITS: RequestLimits = { signal: undefined, time: undefined };

/** Returns the limits of a request. A time limit of 0, or one longer than any timer, is none; a negative one has passed already. */
export function limitsOf({
  signal,
  timeoutMs = 0,
}: {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}): RequestLimits {
  if (timeoutMs < 0) return { signal, time: AbortSignal.abort() };
  const isTimed = timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS;
  return { signal, time: isTimed ? abortAfter(Math.ceil(timeoutMs)) : undefined };
}

/** A server to which requests are sent. */
export class Server {
  /** The base URL of the server; its path ends in a slash. */
  readonly url: URL;
  readonly #token: string | undefined;

  /** @throws ARGUMENT_ERROR if the text is no URL of a server, or the token cannot be one */
  constructor(url: string, token: string | undefined) {
    this.url = serverUrl(url);
    this.#token = checkedToken(token);
  }

  /** Sends a request and returns its response, whose body is not read yet. Throws the failure that the server or the network reports. */
  async send(request: ServerRequest): Promise<Response> {
    const { method = 'POST', path, body, limits = NO_LIMITS } = request;
    const headers: Record<string, string> = {};
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (this.#token !== undefined) headers['authorization'] = `Bearer ${this.#token}`;
    const signals = [limits.signal, limits.time].filter((signal) => signal !== undefined);
    if (signals.some(({ aborted }) => aborted)) throw this.translated(undefined, { ...request, mayCommit: false });
    try {
      const response = await fetch(new URL(path, this.url), {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      });
      if (response.ok) return response;
      throw this.#refusal(response, await response.text(), request);
    } catch (error) {
      throw this.translated(error, request);
    }
  }

  /** Sends a request and returns the text of its answer. */
  async text(request: ServerRequest): Promise<string> {
    const response = await this.send(request);
    try {
      return await response.text();
    } catch (error) {
      throw this.translated(error, request);
    }
  }

  /** Sends a request and returns the members of its JSON answer. */
  async ask(request: ServerRequest): Promise<ValueMap> {
    const text = await this.text(request);
    const members = text === '' ? new Map() : jsonOf(text);
    if (members instanceof Map) return members;
    throw unexpected(`the answer of ${this.url.origin} is no JSON object; is it a GraphDB server?`, request);
  }

  /** Returns the `GraphDBError` that stands for whatever a request threw, before its answer or within it. */
  translated(error: unknown, { limits = NO_LIMITS, mayCommit = false }: ServerRequest): GraphDBError {
    if (error instanceof GraphDBError) return error;
    const { signal, time } = limits;
    const outcomeUnknown = mayCommit && !isUnsent(error);
    if (signal?.aborted === true)
      return new GraphDBError('CANCELLED', 'the statement was stopped', { cause: signal.reason, outcomeUnknown });
    if (time?.aborted === true) return new GraphDBError('QUERY_TIMEOUT', outOfTime().message, { outcomeUnknown });
    const message = `cannot reach ${this.url.origin}: ${this.#reason(error)}`;
    return new GraphDBError('STORE_UNAVAILABLE', outcomeUnknown ? `${message}; ${UNKNOWN}` : message, { cause: error, outcomeUnknown });
  }

  #reason(error: unknown): string {
    const { code, message } = causeOf(error);
    const isTls = this.url.protocol === 'https:';
    if (message === 'bad port') return `web clients refuse port ${this.url.port}; let the server listen on another one`;
    if (isTls && /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(`${code}`))
      return `it does not speak TLS there; write http://${this.url.host}`;
    if (!isTls && (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET'))
      return `it closed the connection; if it speaks TLS there, write https://${this.url.host}`;
    if (code === 'ECONNREFUSED') return 'nothing listens there (connection refused)';
    return String(message ?? error);
  }

  #refusal(response: Response, text: string, request: ServerRequest): GraphDBError {
    const object = jsonOf(text);
    if (object instanceof Map && typeof object.get('error') === 'string')
      return failureOf(object, request, response.status === 401 ? this.#hint() : '');
    return unexpected(`${this.url.origin} answers ${response.status} ${response.statusText}; is it a GraphDB server?`, request);
  }

  #hint(): string {
    return this.#token === undefined
      ? '; set GRAPHDB_AUTH_TOKEN to the token of the server'
      : '; it is that of GRAPHDB_AUTH_TOKEN, where no other was given';
  }
}

function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is no URL of a server`);
  if (url.username !== '' || url.password !== '') {
    throw new GraphDBError('ARGUMENT_ERROR', 'the URL of a server holds no credentials; set GRAPHDB_AUTH_TOKEN to the token');
  }
  if (url.search !== '' || url.hash !== '')
    throw new GraphDBError('ARGUMENT_ERROR', 'the URL of a server has no parameters; a namespace is its path: http://<host>/<namespace>');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Returns the token without white space around it; undefined for an empty one. The error does not show the token. */
function checkedToken(token: string | undefined): string | undefined {
  const text = token?.trim() ?? '';
  if (/^[\x21-\x7e]*$/.test(text)) return text === '' ? undefined : text;
  throw new GraphDBError('ARGUMENT_ERROR', 'token: a token is one line of ASCII characters without white space');
}

/** Returns the value of a JSON text; null for a text that is no JSON, which no server of this API answers. */
function jsonOf(text: string): Value {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function causeOf(error: unknown): { readonly code?: unknown; readonly message?: unknown } {
  // as: whatever is thrown may have these members
  return ((error instanceof Error && error.cause instanceof Error ? error.cause : error) ?? {}) as ReturnType<typeof causeOf>;
}

/** Failures in which no connection was made. */
const UNSENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Tells whether a request failed before any of it was sent. */
function isUnsent(error: unknown): boolean {
  const { code, message } = causeOf(error);
  return UNSENT.has(code) || message === 'bad port';
}

const UNKNOWN = 'whether the write is done cannot be told';

/**
 * Returns the error that an answer reports, with its code, message and place. The outcome of a write is unknown where the
 * answer says so (`outcome_unknown`), and where it says nothing of a write that the store did not confirm: not every
 * server tells.
 */
export function failureOf(object: ValueMap, { mayCommit = false }: Pick<ServerRequest, 'mayCommit'>, hint = ''): GraphDBError {
  const place = (name: string): number | undefined => {
    const number = object.get(name);
    return typeof number === 'number' ? number : undefined;
  };
  const code = String(object.get('code'));
  const known = Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'INTERNAL'; // as: an own key of the table
  return new GraphDBError(known, `${String(object.get('error'))}${hint}`, {
    line: place('line'),
    column: place('column'),
    outcomeUnknown: object.get('outcome_unknown') === true || (mayCommit && known === 'STORE_UNAVAILABLE'),
  });
}

/** Makes the STORE_UNAVAILABLE error of an answer that no server of GraphDB gives. */
export function unexpected(message: string, { mayCommit = false }: Pick<ServerRequest, 'mayCommit'>): GraphDBError {
  return new GraphDBError('STORE_UNAVAILABLE', message, { outcomeUnknown: mayCommit });
}
