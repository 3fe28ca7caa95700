/** Errors that storage raises, with one wording each. */
import { GraphDBError } from '../base/index.ts';

/** B7: something in the bucket is not what was written. `object` is its key. */
export function corruption(object: string, what: string, cause?: unknown): GraphDBError {
  return new GraphDBError('CORRUPTION', `corrupt object ${object}: ${what}`, { cause });
}

/**
 * A file that a manifest names is not there. That is damage while this manifest is retained (`Namespace.isRetained`);
 * otherwise the snapshot of whoever goes by it has expired.
 */
export class MissingFileError extends GraphDBError {
  constructor(file: string) {
    super('CORRUPTION', `corrupt object ${file}: it is missing, though the manifest names it`);
  }
}

/** The epochs of a writer that was fenced. */
export interface Fencing {
  /** The epoch of the writer that was fenced, and that of the writer that fenced it, where both are known. */
  readonly epochs?: { readonly own: number; readonly successor: number };
  readonly cause?: unknown;
}

/** WRITER_FENCED: another writer has claimed a later epoch. */
export function fenced({ epochs, cause }: Fencing = {}): GraphDBError {
  const known = epochs === undefined ? '' : ` (epoch ${epochs.successor}; ours was ${epochs.own})`;
  return new GraphDBError(
    'WRITER_FENCED',
    `another writer has taken over this namespace${known}; this one only reads. Send writes to the other one, or open it again here`,
    { cause },
  );
}

/** Tells whether an error says that the writer was fenced. */
export function isFenced(error: unknown): boolean {
  return error instanceof GraphDBError && error.code === 'WRITER_FENCED';
}

/** Makes the error of an object of an unknown format. */
export function unknownFormat(object: string, version: number): GraphDBError {
  return new GraphDBError('UNSUPPORTED', `${object} has storage format ${version}; this version of GraphDB knows formats 1 to 3`);
}

/** Makes the error of a write that may be done. */
export function inDoubt({ code, message }: GraphDBError, cause?: unknown): GraphDBError {
  return new GraphDBError(code, `${message}; whether the write is done cannot be told`, { cause, outcomeUnknown: true });
}

/** GONE: changes are asked for that are not kept any more, or that there never were. */
export function gone(what: string): GraphDBError {
  return new GraphDBError('GONE', `${what}; copy the graph anew, and read its changes from db.cdc.current() on`);
}

/** Tells whether an error says that the store cannot be reached. */
export function isStoreUnavailable(error: unknown): error is GraphDBError {
  return error instanceof GraphDBError && error.code === 'STORE_UNAVAILABLE';
}
