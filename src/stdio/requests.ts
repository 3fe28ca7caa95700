/**
 * The requests of a session, as the headers of frames:
 *
 *   {"id", "op": "open", "uri", "read_only"?, "version"?, "flush_interval_ms"?, "change_retention_ms"?}   → {"id", "database"}
 *   {"id", "op": "query", "database" | "transaction", "query", "params"?, "timeout_ms"?}
 *       → any number of {"id", "more": true} whose body is a JSON array of rows (arrays, in the order of the columns),
 *         then {"id", "columns", "write_outcome"?, "notifications"?, "plan"?}
 *   {"id", "op": "stream", …as query}   the same, but the first body is the array of columns, and then one is sent for
 *     each {"id", "op": "next"}
 *   {"id", "op": "arrow", …as query}   the same, the bodies are pieces of an Arrow IPC stream
 *   {"id", "op": "sql", "database", "query", "params"?, "dialect", "prefix"?}   → {"id", "sql", "sources"}, as `graphdb
 *     sql --json` tells them
 *   {"id", "op": "cancel"}   stops the request of that id; it answers CANCELLED
 *   {"id", "op": "begin", "database", "mode"}   → {"id", "transaction"}
 *   {"id", "op": "commit" | "rollback", "transaction"}, {"id", "op": "flush" | "compact" | "status" | "close", "database"}
 *
 * The id comes first in the text of a header. Whatever fails answers {"id", "error", "code", "line"?, "column"?,
 * "outcome_unknown"?, "retriable"?}: `outcome_unknown`, true, for a write that may be done or not; `retriable`, false,
 * where the same request never succeeds, though others of its code may. A stream of a transaction that is cancelled while
 * it waits for `next` ends, and the transaction goes on; a statement that is cancelled while it runs ends its transaction.
 * Parameters and rows are typed JSON (value/json.ts).
 */
import { GraphDBError } from '../base/index.ts';
import { fromTypedMap, parseJson, type Value, type ValueMap } from '../value/index.ts';

/** A request. Its fields are checked as they are read. */
export class Request {
  readonly id: number;
  readonly operation: string;
  readonly #members: ValueMap;

  constructor(header: string) {
    const members = parseJson(header);
    if (!(members instanceof Map)) throw new GraphDBError('BAD_REQUEST', 'the header of a frame must be a JSON object');
    this.#members = members;
    this.id = this.number('id');
    this.operation = this.text('op');
  }

  has(name: string): boolean {
    return (this.#members.get(name) ?? null) !== null;
  }

  text(name: string): string {
    const value = this.#members.get(name);
    if (typeof value === 'string') return value;
    throw new GraphDBError('BAD_REQUEST', `"${name}" must be a string`);
  }

  number(name: string): number {
    const value = this.#members.get(name);
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    throw new GraphDBError('BAD_REQUEST', `"${name}" must be an integer`);
  }

  flag(name: string): boolean {
    return this.#members.get(name) === true;
  }

  parameters(): ReadonlyMap<string, Value> {
    const params = this.#members.get('params') ?? new Map();
    if (!(params instanceof Map)) throw new GraphDBError('BAD_REQUEST', '"params" must be an object or null');
    return fromTypedMap(params);
  }
}
