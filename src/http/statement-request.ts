/** The body of a request that runs a statement: `{"query":string,"params":{…}?}`; members with other names are ignored. */
import { GraphDBError } from '../base/index.ts';
import { parseJson, type Value } from '../value/index.ts';

export interface StatementRequest {
  readonly query: string;
  readonly params: ReadonlyMap<string, Value>;
}

const NO_PARAMS: ReadonlyMap<string, Value> = new Map();

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** `body`: the bytes as they came, or nothing. */
export function parseStatementRequest(body: unknown): StatementRequest {
  if (!(body instanceof Uint8Array)) throw badRequest('the body must be a JSON object with a member "query"');
  const request = parseJson(decode(body));
  if (!(request instanceof Map)) throw badRequest('the body must be a JSON object with a member "query"');
  const query = request.get('query');
  if (typeof query !== 'string') throw badRequest(query === undefined ? '"query" is missing' : '"query" must be a string');
  const params = request.get('params') ?? NO_PARAMS;
  if (!(params instanceof Map)) throw badRequest('"params" must be an object or null');
  return { query, params };
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
