/** Object stores: storage URIs, the one interface over all backends, the decorators around it. */

export { type FaultKind, type FaultOptions, withFaults } from './decorators/faults.ts';
export { intercept, type StoreOperation, type StoreRequest } from './decorators/intercept.ts';
export { type MeteredStore, type OperationMetrics, type StoreMetrics, withMetrics } from './decorators/metrics.ts';
export { overlayStore } from './decorators/overlay.ts';
export type { RetryOptions } from './decorators/retry.ts';
export { storeFaultOf, storeUnavailable } from './faults.ts';
export { errorCode, translateIoError } from './file-store/io-errors.ts';
export { makeFolders } from './file-store/make-folders.ts';
export { listNamespaces } from './list-namespaces.ts';
export { dropMemoryStore, type MemoryStoreOptions, openMemoryStore } from './memory-store.ts';
export { isKey, type ListOptions, type ObjectInfo, type ObjectStore, type RequestOptions } from './object-store.ts';
export { type OpenStoreOptions, openObjectStore } from './open-store.ts';
export { probeStore } from './probe.ts';
export {
  formatStorageUri,
  isRemoteScheme,
  namespaceIn,
  parseStorageBase,
  parseStorageUri,
  REMOTE_SCHEMES_TEXT,
  type StorageBase,
  type StorageScheme,
  type StorageUri,
} from './storage-uri.ts';
