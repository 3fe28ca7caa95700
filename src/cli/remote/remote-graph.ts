/**
 * A server as a target of statements, over its HTTP API and in the typed form of JSON, so that values arrive as they are. The token is that of
 * GRAPHDB_AUTH_TOKEN. A statement ends when its signal is aborted: the server stops what nobody waits for.
 */
import { type ErrorCode, GraphDBError } from '../../base/index.ts';
import type { StatementOptions, StatementResult, StatementStream, WriteOutcome } from '../../engine/index.ts';
import { fromTypedJson, Node, parseJson, Relationship, type ResultValue, type Value, writeJson } from '../../value/index.ts';
import type { StatementTarget } from '../target.ts';

export class RemoteGraph implements StatementTarget {
  readonly #url: URL;
  readonly #token: string | undefined;

  /** ARGUMENT_ERROR: it is no URL of a server. */
  constructor(url: string, token: string | undefined) {
    this.#url = serverUrl(url);
    this.#token = token === '' ? undefined : token;
  }

  async execute(query: string, params: ReadonlyMap<string, Value>, options: StatementOptions = {}): Promise<StatementResult> {
    const stream = await this.stream(query, params, options);
    const rows: ResultValue[][] = [];
    for await (const batch of stream.batches) for (const row of batch) rows.push(row);
    return { ...stream.summary(), columns: stream.columns, rows };
  }

  async stream(query: string, params: ReadonlyMap<string, Value>, { signal }: StatementOptions = {}): Promise<StatementStream> {
    const lines = this.#lines(query, params, signal);
    const first = await lines.next();
    const header = first.done === true ? null : first.value;
    if (header?.get('type') !== 'header') throw unexpected('the answer does not begin with a header');
    const columns = (header.get('columns') as Value[]).map(String);
    let summary: { rows: number; writeOutcome?: WriteOutcome } | null = null;
    async function* batches(): AsyncGenerator<ResultValue[][]> {
      for await (const line of lines) {
        const row = line.get('row');
        if (row instanceof Map) yield [columns.map((column) => entity(fromTypedJson(row.get(column) ?? null)))];
        else if (line.get('type') === 'summary') summary = summaryOf(line);
      }
      if (summary === null) throw unexpected('the answer ends too early');
    }
    return {
      columns,
      batches: batches(),
      summary: () => ({ type: 'read', ...(summary ?? { rows: 0 }) }),
    };
  }

  async explain(query: string, { verbose = false }: { readonly verbose?: boolean } = {}): Promise<string> {
    if (verbose) {
      throw new GraphDBError('UNSUPPORTED', 'a server tells plans without estimates; give --verbose a storage URI');
    }
    const { rows } = await this.execute(`EXPLAIN ${query}`, new Map());
    return String(rows[0]?.[0] ?? '');
  }

  /** The lines of the answer as objects. A failure that a line tells is thrown. */
  async *#lines(query: string, params: ReadonlyMap<string, Value>, signal: AbortSignal | undefined): AsyncGenerator<Map<string, Value>> {
    const response = await this.#post(query, params, signal);
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const piece of response.body ?? []) {
        const lines = (rest + decoder.decode(piece as Uint8Array, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line === '') continue;
          const object = parseJson(line);
          if (!(object instanceof Map)) throw unexpected('a line of the answer is no object');
          if (object.get('type') === 'error') throw failure(object);
          yield object;
        }
      }
    } catch (error) {
      throw this.#translated(error, signal);
    }
  }

  async #post(query: string, params: ReadonlyMap<string, Value>, signal: AbortSignal | undefined): Promise<Response> {
    const body = `{"query":${JSON.stringify(query)},"value_format":"typed","params":${writeJson(new Map(params) as ResultValue, 'typed')}}`;
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (this.#token !== undefined) headers['authorization'] = `Bearer ${this.#token}`;
    let response: Response;
    try {
      response = await fetch(new URL('v0/cypher/stream', this.#url), {
        method: 'POST',
        headers,
        body,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      throw this.#translated(error, signal);
    }
    if (response.ok) return response;
    const text = await response.text();
    let object: Value = null;
    try {
      object = parseJson(text);
    } catch {
      // Not of this API: the status says what there is to say.
    }
    if (object instanceof Map && typeof object.get('error') === 'string') throw failure(object, response.status === 401);
    throw unexpected(`${this.#url.origin} answers ${response.status} ${response.statusText}; is it a GraphDB server?`);
  }

  #translated(error: unknown, signal: AbortSignal | undefined): GraphDBError {
    if (error instanceof GraphDBError) return error;
    if (signal?.aborted === true) return new GraphDBError('CANCELLED', 'the statement was stopped');
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : error instanceof Error ? error.message : String(error);
    return new GraphDBError('STORE_UNAVAILABLE', `cannot reach ${this.#url.origin}: ${cause}`, { cause: error });
  }
}

function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is no URL of a server`);
  if (url.username !== '' || url.password !== '') {
    throw new GraphDBError('ARGUMENT_ERROR', 'the URL of a server holds no credentials; set GRAPHDB_AUTH_TOKEN to the token');
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function failure(object: ReadonlyMap<string, Value>, unauthorized = false): GraphDBError {
  const hint = unauthorized ? '; set GRAPHDB_AUTH_TOKEN to the token of the server' : '';
  const place = (name: string): number | undefined => {
    const number = object.get(name);
    return typeof number === 'number' ? number : undefined;
  };
  return new GraphDBError(String(object.get('code')) as ErrorCode, `${String(object.get('error'))}${hint}`, {
    line: place('line'),
    column: place('column'),
  });
}

function unexpected(message: string): GraphDBError {
  return new GraphDBError('STORE_UNAVAILABLE', message);
}

function summaryOf(line: ReadonlyMap<string, Value>): { rows: number; writeOutcome?: WriteOutcome } {
  const rows = Number(line.get('rows'));
  const outcome = line.get('write_outcome');
  if (!(outcome instanceof Map)) return { rows };
  const count = (name: string): number => Number(outcome.get(name) ?? 0);
  return {
    rows,
    writeOutcome: {
      nodesCreated: count('nodes_created'),
      edgesCreated: count('edges_created'),
      nodesDeleted: count('nodes_deleted'),
      edgesDeleted: count('edges_deleted'),
      propertiesSet: count('properties_set'),
      labelsAdded: 0,
      labelsRemoved: 0,
    },
  };
}

/** Nodes and relationships, which JSON shows as objects, also within lists and maps. */
function entity(value: Value): ResultValue {
  if (Array.isArray(value)) return value.map(entity);
  if (!(value instanceof Map)) return value as ResultValue; // JSON holds no references into a graph.
  const properties = value.get('properties');
  if (value.get('_kind') === 'node' && properties instanceof Map) {
    return new Node(String(value.get('id')), -1, (value.get('labels') as Value[]).map(String), properties);
  }
  if (value.get('_kind') === 'rel' && properties instanceof Map) {
    return new Relationship({
      id: String(value.get('id')),
      ordinal: -1,
      type: String(value.get('edge_type')),
      sourceId: String(value.get('src')),
      targetId: String(value.get('dst')),
      sourceOrdinal: -1,
      targetOrdinal: -1,
      properties,
    });
  }
  return new Map(Array.from(value, ([key, member]) => [key, entity(member)]));
}
