/**
 * The body of a request that runs a statement: `{"query":string,"params":{…}?,"value_format":"plain"|"typed"?}`; members with other names are ignored.
 * `typed` (default: plain) is the form of JSON that loses nothing, in the parameters and in the answer: see value/json.ts.
 */
import { GraphDBError } from '../base/index.ts';
import { fromTypedMap, type JsonForm, parseJsonMembers, type Value } from '../value/index.ts';

export interface StatementRequest {
  readonly query: string;
  readonly params: ReadonlyMap<string, Value>;
  readonly form: JsonForm;
}

const MEMBERS: ReadonlySet<string> = new Set(['query', 'params', 'value_format']);

const NO_PARAMS: ReadonlyMap<string, Value> = new Map();

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** `body`: the bytes as they came, or nothing. */
export function parseStatementRequest(body: unknown): StatementRequest {
  if (!(body instanceof Uint8Array)) throw badRequest('the body must be a JSON object with a member "query"');
  const request = parseJsonMembers(decode(body), MEMBERS);
  if (request === null) throw badRequest('the body must be a JSON object with a member "query"');
  const query = request.get('query');
  if (typeof query !== 'string') throw badRequest(query === undefined ? '"query" is missing' : '"query" must be a string');
  const params = request.get('params') ?? NO_PARAMS;
  if (!(params instanceof Map)) throw badRequest('"params" must be an object or null');
  const form = request.get('value_format') ?? 'plain';
  if (form !== 'plain' && form !== 'typed') throw badRequest('"value_format" must be "plain" or "typed"');
  return { query, params: form === 'typed' ? fromTypedMap(params) : params, form };
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch (error) {
    throw new GraphDBError('BAD_REQUEST', 'the body is not UTF-8', { cause: error });
  }
}

function badRequest(message: string): GraphDBError {
  return new GraphDBError('BAD_REQUEST', message);
}
