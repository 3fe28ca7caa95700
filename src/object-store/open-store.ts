/** From a storage URI to its store. A backend and the client library it needs are loaded when a URI first asks for them. */

import { unreachable } from '../base/index.ts';
import { type RetryOptions, withRetry } from './decorators/retry.ts';
import type { ObjectStore } from './object-store.ts';
import type { StorageUri } from './storage-uri.ts';

/** The options of opening a store. */
export interface OpenStoreOptions {
  /** How remote stores repeat what is safe to repeat; local ones have nothing to repeat. */
  readonly retry?: RetryOptions;
  /** A remote store must answer, or go on answering, within this time. */
  readonly idleTimeoutMs?: number | undefined;
}

/** Checks nothing that needs a request: a store that cannot be reached shows at the first operation. */
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
