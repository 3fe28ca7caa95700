/**
 * The body of a request that runs a statement: `{"query":string,"params":{…}?,"value_format":"plain"|"typed"?}`;
 *   members with other names are ignored.
 * `typed` (default: plain) is the form of JSON that loses nothing, in the parameters and in the answer: see value/json.ts.
 *
 * A large body is read in slices of the thread, within the time of its statement. Its values may take as much memory as a statement.
 */
import { isAscii } from 'node:buffer';
import { GraphDBError, inSlices, monotonicMs, outOfTime, runInSlices, type SliceLimits } from '../base/index.ts';
import { fromTypedMap, fromTypedMapInParts, type JsonForm, JsonReader, type Value } from '../value/index.ts';

/** A statement that a request asks for. */
export interface StatementRequest {
  readonly query: string;
  readonly params: ReadonlyMap<string, Value>;
  readonly form: JsonForm;
  /** Milliseconds that are left to the statement; undefined: all of its time. */
  readonly timeoutMs: number | undefined;
}

/** The limits of a statement that apply to the reading of its request, too. */
export interface RequestLimits {
  /** Milliseconds that a statement may take; 0: no limit. */
  readonly timeoutMs: number;
  /** The most bytes of memory for the parameters of one request, beyond which it fails with MEMORY_LIMIT. */
  readonly memoryBytes: number;
}

const MEMBERS: ReadonlySet<string> = new Set(['query', 'params', 'value_format']);

const NO_PARAMS: ReadonlyMap<string, Value> = new Map();

/** A body of more bytes is read in time slices. */
const LARGE_BODY_BYTES = 64 * 1_024;
/** Characters that are read between two checks of the clock. */
const CHARACTERS_PER_STEP = 4 * 1_024;
/** Bytes that are decoded in one piece. */
const DECODED_BYTES = 1_024 * 1_024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The holder of a request's body: the bytes as they came. A large body is taken out of it when it is read, so that its
 * memory can be freed.
 */
export interface WithBody {
  body: unknown;
}

/**
 * Reads the body of a request; a promise if it is large.
 *
 * @throws BAD_REQUEST; QUERY_TIMEOUT and MEMORY_LIMIT beyond the limits; the reason of the signal.
 */
export function readStatementRequest(
  request: WithBody,
  limits: RequestLimits,
  signal: AbortSignal,
): StatementRequest | Promise<StatementRequest> {
  const { body } = request;
  if (!(body instanceof Uint8Array)) throw badRequest('the body must be a JSON object with a member "query"');
  const options = { names: MEMBERS, maxBytes: limits.memoryBytes };
  if (body.length > LARGE_BODY_BYTES) return readInSlices(request, limits, signal);
  const reader = new JsonReader(decode(body), options);
  reader.read(Number.POSITIVE_INFINITY);
  const { params, ...rest } = membersOf(reader.value);
  return { ...rest, params: rest.form === 'typed' ? fromTypedMap(params) : params, timeoutMs: undefined };
}

async function readInSlices(request: WithBody, { timeoutMs, memoryBytes }: RequestLimits, signal: AbortSignal): Promise<StatementRequest> {
  const deadline = timeoutMs === 0 ? Number.POSITIVE_INFINITY : monotonicMs() + timeoutMs;
  const limits: SliceLimits = { deadline, signal };
  const reader = new JsonReader(await runInSlices(decodeInParts(request), limits), { names: MEMBERS, maxBytes: memoryBytes });
  await inSlices(() => reader.read(CHARACTERS_PER_STEP), limits);
  const { params, ...rest } = membersOf(reader.value);
  const values = rest.form === 'typed' ? await runInSlices(fromTypedMapInParts(params), limits) : params;
  return { ...rest, params: values, timeoutMs: remaining(deadline) };
}

function remaining(deadline: number): number | undefined {
  if (deadline === Number.POSITIVE_INFINITY) return undefined;
  const left = deadline - monotonicMs();
  if (left <= 0) throw outOfTime();
  return left;
}

function membersOf(request: Value): { query: string; params: Map<string, Value>; form: JsonForm } {
  if (!(request instanceof Map)) throw badRequest('the body must be a JSON object with a member "query"');
  const query = request.get('query');
  if (typeof query !== 'string') throw badRequest(query === undefined ? '"query" is missing' : '"query" must be a string');
  const params = request.get('params') ?? NO_PARAMS;
  if (!(params instanceof Map)) throw badRequest('"params" must be an object or null');
  const form = request.get('value_format') ?? 'plain';
  if (form !== 'plain' && form !== 'typed') throw badRequest('"value_format" must be "plain" or "typed"');
  return { query, params, form };
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch (error) {
    throw notUtf8(error);
  }
}

/** Decodes the body in parts and takes it out of its holder, so that memory holds only the text, and then only its values. */
function* decodeInParts(request: WithBody): Generator<void, string, void> {
  const body = request.body as Uint8Array; // as: it was looked at
  request.body = null;
  // One byte a character: a copy, which takes no longer than joining parts would.
  if (isAscii(body)) return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for (let at = 0; at < body.length; at += DECODED_BYTES) {
      parts.push(decoder.decode(body.subarray(at, at + DECODED_BYTES), { stream: true }));
      yield;
    }
    parts.push(decoder.decode());
  } catch (error) {
    throw notUtf8(error);
  }
  return parts.join('');
}

function notUtf8(cause: unknown): GraphDBError {
  return new GraphDBError('BAD_REQUEST', 'the body is not UTF-8', { cause });
}

function badRequest(message: string): GraphDBError {
  return new GraphDBError('BAD_REQUEST', message);
}
