/** From a storage URI to its store. A backend and the client library it needs are loaded when a URI first asks for them. */

import { GraphDBError } from '../base/index.ts';
import type { ObjectStore } from './object-store.ts';
import type { StorageUri } from './storage-uri.ts';

/** Checks nothing that needs a request: a store that cannot be reached shows at the first operation. */
export async function openObjectStore(uri: StorageUri): Promise<ObjectStore> {
  switch (uri.scheme) {
    case 'memory':
      return (await import('./memory-store.ts')).openMemoryStore(uri);
    case 'file':
      return (await import('./file-store/file-store.ts')).openFileStore(uri);
    default:
      throw new GraphDBError('UNSUPPORTED', `${uri.scheme}:// storage is not part of this build`);
  }
}
