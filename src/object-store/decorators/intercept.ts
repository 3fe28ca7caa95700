/** Passes every request of a store through one function; the decorators of this folder are built on it. */

import type { ListOptions, ObjectStore, RequestOptions } from '../object-store.ts';

/** An operation of a store. */
export type StoreOperation = 'get' | 'getRange' | 'readInto' | 'size' | 'putIfAbsent' | 'put' | 'list' | 'delete';

/** A request to a store. */
export interface StoreRequest {
  readonly operation: StoreOperation;
  /** The key of the object; for `list` the prefix. */
  readonly key: string;
  readonly offset?: number;
  readonly length?: number;
  /** The bytes of a put. */
  readonly bytes?: Uint8Array;
  /** The array that `readInto` fills. */
  readonly target?: Uint8Array;
  readonly options: ListOptions | undefined;
}

/** Called for every request; each call of `proceed` sends the request once. */
export type Interceptor = <T>(request: StoreRequest, proceed: () => Promise<T>) => Promise<T>;

/** Wraps a store so that each request goes through `around`. */
export function intercept(store: ObjectStore, around: Interceptor): ObjectStore {
  return {
    location: store.location,
    get: (key, options) => around({ operation: 'get', key, options }, () => store.get(key, options)),
    getRange: (key, offset, length, options) =>
      around({ operation: 'getRange', key, offset, length, options }, () => store.getRange(key, offset, length, options)),
    readInto: (key, offset, target, options?: RequestOptions) =>
      around({ operation: 'readInto', key, offset, length: target.length, target, options }, () =>
        store.readInto(key, offset, target, options),
      ),
    size: (key, options) => around({ operation: 'size', key, options }, () => store.size(key, options)),
    putIfAbsent: (key, bytes, options) =>
      around({ operation: 'putIfAbsent', key, bytes, options }, () => store.putIfAbsent(key, bytes, options)),
    put: (key, bytes, options) => around({ operation: 'put', key, bytes, options }, () => store.put(key, bytes, options)),
    list: (prefix, options) => around({ operation: 'list', key: prefix, options }, () => store.list(prefix, options)),
    delete: (key, options) => around({ operation: 'delete', key, options }, () => store.delete(key, options)),
    close: () => store.close(),
  };
}
