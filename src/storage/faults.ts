/** Errors that storage raises, with one wording each. */
import { GraphDBError } from '../base/index.ts';

/** B7: something in the bucket is not what was written. `object` is its key. */
export function corruption(object: string, what: string, cause?: unknown): GraphDBError {
  return new GraphDBError('CORRUPTION', `corrupt object ${object}: ${what}`, { cause });
}

/**
 * A file that a manifest names is not there. That is damage while this manifest is retained (`Namespace.isRetained`); whoever goes by one that is not has outlived its files.
 */
export class MissingFileError extends GraphDBError {
  constructor(file: string) {
    super('CORRUPTION', `corrupt object ${file}: it is missing, though the manifest names it`);
  }
}

export function fenced(epoch: number, byEpoch: number, cause?: unknown): GraphDBError {
  return new GraphDBError(
    'WRITER_FENCED',
    `another writer has taken over this namespace (epoch ${byEpoch}; ours was ${epoch}); nothing more is written here, reads go on`,
    { cause },
  );
}

export function unknownFormat(object: string, version: number): GraphDBError {
  return new GraphDBError('UNSUPPORTED', `${object} has storage format ${version}; this version of GraphDB knows format 1 only`);
}

/** The same, of a write that may be done. */
export function inDoubt({ code, message }: GraphDBError, cause?: unknown): GraphDBError {
  return new GraphDBError(code, `${message}; whether the write is done cannot be told`, { cause, outcomeUnknown: true });
}

export function isStoreUnavailable(error: unknown): error is GraphDBError {
  return error instanceof GraphDBError && error.code === 'STORE_UNAVAILABLE';
}
