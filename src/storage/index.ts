/** The bucket format and its protocol: manifest, write-ahead log, SSTs (docs/storage-format.md). */
export type * from './api.ts';
export { type OpenNamespaceOptions, openNamespace } from './open-namespace.ts';
