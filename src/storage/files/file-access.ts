/**
 * The interface of the bucket for encoding and merging files. It is small, so that these can run in another thread than
 * the one that has the store open, which makes the requests for them (threads/file-thread.ts).
 */
import type { ObjectStore } from '../../object-store/index.ts';

/** The read operations of an `ObjectStore` that files need. */
export type FileSource = Pick<ObjectStore, 'get' | 'readInto'>;

/** The interface of the bucket for encoding and merging files. */
export interface FileAccess extends FileSource {
  /** Whether nobody reads the bytes of `create` once it has succeeded, so that their memory may be used again. */
  readonly reusesImages: boolean;
  /** Allocates zeroed memory for an object that is about to be created. */
  image(length: number): Uint8Array;
  /** Stores an object under a fresh key, which is returned. The buffer of the bytes belongs to the callee from then on. */
  create(bytes: Uint8Array): Promise<string>;
  /** Stores a file of an artefact, as `create` does a file of a table. */
  createArtefactFile(bytes: Uint8Array): Promise<string>;
  /** Releases keys: objects created under them will not become part of the namespace. */
  release(keys: readonly string[]): void;
}
