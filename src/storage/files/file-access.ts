/**
 * The interface of the bucket for encoding and merging files, and no more: so that they can run beside the thread that has the store open
 * (threads/file-thread.ts), with that thread making the requests for them.
 */
import type { ObjectStore } from '../../object-store/index.ts';

/** See ObjectStore. */
export type FileSource = Pick<ObjectStore, 'get' | 'readInto'>;

/** The interface of the bucket for encoding and merging files. */
export interface FileAccess extends FileSource {
  /** True: what `create` was given is read by nobody once that has succeeded, so its memory may be used again. */
  readonly reusesImages: boolean;
  /** Memory for an object that is about to be created, zero. */
  image(length: number): Uint8Array;
  /** Stores an object under a fresh name, and answers with its key. The buffer of the bytes belongs to it from now on. */
  create(bytes: Uint8Array): Promise<string>;
  /** `create` for a file of an artefact. */
  createArtefactFile(bytes: Uint8Array): Promise<string>;
  /** Releases keys: objects created under them will not become part of the namespace. */
  release(keys: readonly string[]): void;
}
