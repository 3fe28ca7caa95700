/** Opens the store of a storage URI. A backend and its client library are loaded when the first URI of their scheme is opened. */

import { unreachable } from '../base/index.ts';
import { type RetryOptions, withRetry } from './decorators/retry.ts';
import type { ObjectStore } from './object-store.ts';
import type { StorageUri } from './storage-uri.ts';

/** The options of opening a store. */
export interface OpenStoreOptions {
  /** How requests to remote stores are repeated where that is safe; local stores have no retries. */
  readonly retry?: RetryOptions;
  /** The longest time that a remote store may stay silent within a request, in milliseconds. */
  readonly idleTimeoutMs?: number | undefined;
}

/** Opens a store without a request: that a store cannot be reached shows at its first operation. */
export async function openObjectStore(uri: StorageUri, options: OpenStoreOptions = {}): Promise<ObjectStore> {
  switch (uri.scheme) {
    case 'memory':
      return (await import('./memory-store.ts')).openMemoryStore(uri);
    case 'file':
      return (await import('./file-store/file-store.ts')).openFileStore(uri);
    case 's3':
      return withRetry((await import('./remote/s3-store.ts')).openS3Store(uri, options), options.retry);
    case 'gs':
      return withRetry((await import('./remote/gs-store.ts')).openGsStore(uri, options), options.retry);
    case 'az':
      return withRetry(await (await import('./remote/az-store.ts')).openAzStore(uri, options), options.retry);
    default:
      return unreachable(uri, 'scheme');
  }
}
