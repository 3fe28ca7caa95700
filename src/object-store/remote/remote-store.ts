/**
 * An object store over a remote service: names, ranges, time limits, errors, and the order of lists. The differences
 * between services are in their backends.
 *
 * - Deadlines follow the measured answer times (answer-times.ts): a small request is given a second, or several times
 *   the time that such requests have taken; an upload also the time that its bytes may take. The pieces of a long
 *   answer must follow one another within a few times as much.
 * - Reads and lists that are not answered soon are sent once more beside the first request (hedged-request.ts).
 *
 * Requests: one per operation, for at most one in ten reads two or three; `list` one per 1,000 objects. Failed requests
 * are not repeated here (decorators/retry.ts does that where it is safe).
 */

import { GraphDBError, monotonicMs } from '../../base/index.ts';
import { cancelled, storeUnavailable, throwIfAborted } from '../faults.ts';
import { assertKey, assertRange, type ListOptions, type ObjectInfo, type ObjectStore, type RequestOptions } from '../object-store.ts';
import { AnswerTimes } from './answer-times.ts';
import { BEYOND_END, type ByteRange, type RemoteBackend, type RemoteBody } from './backend.ts';
import { translateFailure } from './failures.ts';
import { hedgedRequest } from './hedged-request.ts';
import { measured, TimeLimit } from './time-limit.ts';

/** The options of a remote store. */
export interface RemoteStoreOptions {
  readonly location: string;
  /** The prefix in the bucket or container; '' for none. */
  readonly prefix: string;
  /** The namespace; when it is '', keys are relative to the prefix. */
  readonly namespace: string;
  /** The longest time until an answer, or its next piece, in milliseconds, however slow the store was; default 30 s. */
  readonly idleTimeoutMs?: number | undefined;
}

const DEFAULT_IDLE_TIMEOUT_MS = 30_000;
/** The time that an upload is given for each byte, beyond the deadline of a request: 128 KiB/s. */
const UPLOAD_MS_PER_BYTE = 1_000 / (128 * 1024);
/** The largest put, in bytes, that counts as small; larger ones are measured apart, without the time for their bytes. */
const SMALL_BYTES = 64 * 1024;
/** The shortest deadline for a further piece of an answer, which is worth more patience than the first one. */
const SHORTEST_PIECE_MS = 2_000;
const LIST_PAGE = 1_000;

/**
 * The kinds of requests whose times are measured separately: the beginning of a read, each further piece of it, a page
 * of a list, a small put or a deletion, a large put.
 */
type RequestKind = 'read' | 'piece' | 'list' | 'write' | 'upload';

/** An object store over a remote service. */
export class RemoteStore implements ObjectStore {
  readonly location: string;
  readonly #backend: RemoteBackend;
  readonly #root: string;
  readonly #times: Readonly<Record<RequestKind, AnswerTimes>>;

  constructor(backend: RemoteBackend, options: RemoteStoreOptions) {
    this.location = options.location;
    this.#backend = backend;
    this.#root = [options.prefix, options.namespace]
      .filter((part) => part !== '')
      .map((part) => `${part}/`)
      .join('');
    const longestMs = options.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS;
    const times = (): AnswerTimes => new AnswerTimes({ longestMs });
    const piece = new AnswerTimes({ longestMs, shortestMs: SHORTEST_PIECE_MS });
    this.#times = { read: times(), piece, list: times(), write: times(), upload: times() };
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
    return this.#request('read', key, options, (name, time) =>
      this.#hedged(this.#times.read, time, (signal) => this.#backend.size(name, signal)),
    );
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
      const page = await this.#send(`list ${this.location}`, new TimeLimit(signal, this.#times.list), (time) =>
        this.#hedged(this.#times.list, time, (each) => this.#backend.listPage(request, each)),
      );
      for (const object of page.objects) this.#collect(object, startAfter, found);
      token = page.nextToken;
    }
    return found.length > limit ? found.slice(0, limit) : found;
  }

  delete(key: string, options?: RequestOptions): Promise<void> {
    return this.#request('delete', key, options, (name, time) =>
      time.within(measured(this.#times.write, this.#backend.delete(name, time.signal))),
    );
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
    const times = bytes.length <= SMALL_BYTES ? this.#times.write : this.#times.upload;
    const uploadMs = bytes.length * UPLOAD_MS_PER_BYTE;
    const send = (name: string, time: TimeLimit): Promise<boolean> =>
      time.within(measured(times, this.#backend.put(name, onArrayBuffer(bytes), ifAbsent, time.signal), uploadMs));
    return this.#request('write', key, options, send, new TimeLimit(options?.signal, times, uploadMs));
  }

  #read(
    key: string,
    range: ByteRange | null,
    options: RequestOptions | undefined,
    allocate: (body: RemoteBody) => Uint8Array,
  ): Promise<Uint8Array | null> {
    return this.#request('read', key, options, async (name, time) => {
      const body = await this.#hedged(this.#times.read, time, (signal) => this.#backend.read(name, range, signal));
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
    const times = this.#times.piece;
    let filled = 0;
    let atMs = monotonicMs();
    time.allow(times);
    for await (const chunk of body.chunks) {
      // After an abort the caller may have reused the target.
      time.signal.throwIfAborted();
      const nowMs = monotonicMs();
      times.answered(nowMs - atMs);
      atMs = nowMs;
      time.allow(times);
      if (filled + chunk.length <= target.length) target.set(chunk, filled);
      filled += chunk.length;
    }
    if (filled === target.length) return;
    const what = `${this.location} announced ${target.length} bytes and sent ${filled}`;
    throw storeUnavailable(`cannot read: ${what}`, { transient: true });
  }

  #request<T>(
    verb: 'read' | 'write' | 'delete',
    key: string,
    options: RequestOptions | undefined,
    send: (name: string, time: TimeLimit) => Promise<T>,
    time = new TimeLimit(options?.signal, verb === 'read' ? this.#times.read : this.#times.write),
  ): Promise<T> {
    return this.#send(`${verb} ${key} of ${this.location}`, time, () => {
      assertKey(key);
      return send(this.#root + key, time);
    });
  }

  async #send<T>(doing: string, limit: TimeLimit, send: (time: TimeLimit) => Promise<T>): Promise<T> {
    using time = limit;
    throwIfAborted(time.caller);
    try {
      return await send(time);
    } catch (error) {
      if (time.caller?.aborted) throw cancelled(time.caller);
      if (time.expired) throw storeUnavailable(`cannot ${doing}: no answer within ${Math.round(time.limitMs)} ms`, { transient: true });
      if (error instanceof GraphDBError) throw error;
      throw translateFailure(this.#backend.explain(error), doing);
    }
  }

  /** Sends a request that is safe to repeat. */
  #hedged<T>(times: AnswerTimes, time: TimeLimit, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return time.within(hedgedRequest(times, time.signal, (signal) => measured(times, send(signal))));
  }
}

/** Copies bytes that lie in shared memory, which the client libraries do not accept. */
function onArrayBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : Uint8Array.from(bytes); // as: tested just before
}
