/**
 * An object store over a remote service: names, ranges, time limits, errors, the order of lists. What differs between services is in their backends.
 *
 * Requests: one per operation; `list` one per 1,000 objects. Nothing is repeated here (decorators/retry.ts does that where it is safe).
 */

import { GraphDBError } from '../../base/index.ts';
import { cancelled, storeUnavailable, throwIfAborted } from '../faults.ts';
import { assertKey, assertRange, type ListOptions, type ObjectInfo, type ObjectStore, type RequestOptions } from '../object-store.ts';
import { BEYOND_END, type ByteRange, type RemoteBackend, type RemoteBody } from './backend.ts';
import { translateFailure } from './failures.ts';
import { TimeLimit } from './time-limit.ts';

export interface RemoteStoreOptions {
  readonly location: string;
  /** In the bucket or container; '' for none. */
  readonly prefix: string;
  readonly namespace: string;
  /** A request, or the next piece of an answer, must come within this time. */
  readonly idleTimeoutMs?: number | undefined;
}

const DEFAULT_IDLE_TIMEOUT_MS = 30_000;
/** An upload is given this much time per byte beyond the idle time: 128 KiB/s. */
const UPLOAD_MS_PER_BYTE = 1_000 / (128 * 1024);
const LIST_PAGE = 1_000;

export class RemoteStore implements ObjectStore {
  readonly location: string;
  readonly #backend: RemoteBackend;
  readonly #root: string;
  readonly #idleTimeoutMs: number;

  constructor(backend: RemoteBackend, options: RemoteStoreOptions) {
    this.location = options.location;
    this.#backend = backend;
    this.#root = options.prefix === '' ? `${options.namespace}/` : `${options.prefix}/${options.namespace}/`;
    this.#idleTimeoutMs = options.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS;
  }

  get(key: string, options?: RequestOptions): Promise<Uint8Array | null> {
    return this.#read(key, null, options, (body) => new Uint8Array(body.length));
  }

  async getRange(key: string, offset: number, length: number, options?: RequestOptions): Promise<Uint8Array | null> {
    assertRange(offset, length);
    if (length === 0) return (await this.size(key, options)) === null ? null : new Uint8Array(0);
    return this.#read(key, { offset, length }, options, (body) => new Uint8Array(body.length));
  }

  async readInto(key: string, offset: number, target: Uint8Array, options?: RequestOptions): Promise<number | null> {
    assertRange(offset, target.length);
    if (target.length === 0) return (await this.size(key, options)) === null ? null : 0;
    const filled = await this.#read(key, { offset, length: target.length }, options, (body) => target.subarray(0, body.length));
    return filled?.length ?? null;
  }

  size(key: string, options?: RequestOptions): Promise<number | null> {
    return this.#request(key, options, 'read', (name, time) => time.within(this.#backend.size(name, time.signal)));
  }

  putIfAbsent(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<boolean> {
    return this.#put(key, bytes, true, options);
  }

  async put(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<void> {
    await this.#put(key, bytes, false, options);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectInfo[]> {
    const { startAfter = '', limit = Number.POSITIVE_INFINITY, signal } = options;
    const found: ObjectInfo[] = [];
    let token: string | null | undefined;
    while (token !== null && found.length < limit) {
      const request = {
        prefix: this.#root + prefix,
        startAfter: startAfter === '' ? '' : this.#root + startAfter,
        maxKeys: Math.min(LIST_PAGE, limit - found.length + 1),
        token,
      };
      const page = await this.#send(`list ${this.location}`, signal, this.#idleTimeoutMs, (time) =>
        time.within(this.#backend.listPage(request, time.signal)),
      );
      for (const object of page.objects) this.#collect(object, startAfter, found);
      token = page.nextToken;
    }
    return found.length > limit ? found.slice(0, limit) : found;
  }

  delete(key: string, options?: RequestOptions): Promise<void> {
    return this.#request(key, options, 'delete', (name, time) => time.within(this.#backend.delete(name, time.signal)));
  }

  async close(): Promise<void> {
    this.#backend.close();
  }

  #collect({ key: name, size, lastModifiedMs }: ObjectInfo, startAfter: string, found: ObjectInfo[]): void {
    const key = name.slice(this.#root.length);
    if (key <= startAfter) return;
    if (found.length > 0 && key <= found.at(-1)!.key) {
      throw new GraphDBError('UNSUPPORTED', `${this.location} lists objects out of the order of their names, which GraphDB needs`);
    }
    found.push({ key, size, lastModifiedMs });
  }

  #put(key: string, bytes: Uint8Array, ifAbsent: boolean, options: RequestOptions | undefined): Promise<boolean> {
    const limitMs = this.#idleTimeoutMs + bytes.length * UPLOAD_MS_PER_BYTE;
    const send = (name: string, time: TimeLimit): Promise<boolean> =>
      time.within(this.#backend.put(name, onArrayBuffer(bytes), ifAbsent, time.signal));
    return this.#request(key, options, 'write', send, limitMs);
  }

  #read(
    key: string,
    range: ByteRange | null,
    options: RequestOptions | undefined,
    allocate: (body: RemoteBody) => Uint8Array,
  ): Promise<Uint8Array | null> {
    return this.#request(key, options, 'read', async (name, time) => {
      const body = await time.within(this.#backend.read(name, range, time.signal));
      if (body === null) return null;
      if (body === BEYOND_END) return new Uint8Array(0);
      if (range !== null && body.length > range.length) {
        throw new GraphDBError('UNSUPPORTED', `${this.location} answers ranged reads with more than was asked for`);
      }
      const target = allocate(body);
      await this.#fill(target, body, time);
      return target;
    });
  }

  async #fill(target: Uint8Array, body: RemoteBody, time: TimeLimit): Promise<void> {
    let filled = 0;
    for await (const chunk of body.chunks) {
      time.restart(this.#idleTimeoutMs);
      if (filled + chunk.length <= target.length) target.set(chunk, filled);
      filled += chunk.length;
    }
    if (filled === target.length) return;
    const what = `${this.location} announced ${target.length} bytes and sent ${filled}`;
    throw storeUnavailable(`cannot read: ${what}`, { transient: true });
  }

  #request<T>(
    key: string,
    options: RequestOptions | undefined,
    verb: string,
    send: (name: string, time: TimeLimit) => Promise<T>,
    limitMs = this.#idleTimeoutMs,
  ): Promise<T> {
    assertKey(key);
    return this.#send(`${verb} ${key} of ${this.location}`, options?.signal, limitMs, (time) => send(this.#root + key, time));
  }

  async #send<T>(doing: string, caller: AbortSignal | undefined, limitMs: number, send: (time: TimeLimit) => Promise<T>): Promise<T> {
    throwIfAborted(caller);
    using time = new TimeLimit(caller, limitMs);
    try {
      return await send(time);
    } catch (error) {
      if (caller?.aborted) throw cancelled(caller);
      if (time.expired) throw storeUnavailable(`cannot ${doing}: no answer within ${Math.round(limitMs)} ms`, { transient: true });
      if (error instanceof GraphDBError) throw error;
      throw translateFailure(this.#backend.explain(error), doing);
    }
  }
}

/** The libraries take no shared memory. */
function onArrayBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : Uint8Array.from(bytes); // as: tested just before
}
