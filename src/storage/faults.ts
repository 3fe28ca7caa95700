/** Errors that storage raises, with one wording each. */
import { GraphDBError } from '../base/index.ts';

/** Makes a CORRUPTION error: an object in the bucket is not what was written (B7). `object` is its key. */
export function corruption(object: string, what: string, cause?: unknown): GraphDBError {
  return new GraphDBError('CORRUPTION', `corrupt object ${object}: ${what}`, { cause });
}

/**
 * CORRUPTION: a file that a manifest names is missing. That is damage while the manifest is retained
 * (`Namespace.isRetained`); otherwise the snapshot of the reader has expired.
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

/** Makes a WRITER_FENCED error: another writer has claimed a later epoch. */
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

/** Makes the UNSUPPORTED error of an object of an unknown format. */
export function unknownFormat(object: string, version: number): GraphDBError {
  return new GraphDBError('UNSUPPORTED', `${object} has storage format ${version}; this version of GraphDB knows formats 1 to 3`);
}

/** Makes an error with `outcomeUnknown` set: the write may have happened. */
export function inDoubt({ code, message }: GraphDBError, cause?: unknown): GraphDBError {
  return new GraphDBError(code, `${message}; whether the write is done cannot be told`, { cause, outcomeUnknown: true });
}

/** Makes a GONE error: changes are requested that are not kept any more, or never existed. */
export function gone(what: string): GraphDBError {
  return new GraphDBError('GONE', `${what}; copy the graph anew, and read its changes from db.cdc.current() on`);
}

/** Tells whether an error says that the store cannot be reached. */
export function isStoreUnavailable(error: unknown): error is GraphDBError {
  return error instanceof GraphDBError && error.code === 'STORE_UNAVAILABLE';
}
