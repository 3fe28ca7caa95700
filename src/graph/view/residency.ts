/**
 * Tells whether a part of a table is in memory. Parts that are only in files must be loaded before a statement runs
 * (requirements.ts). Reading a part that is not loaded is a bug of the engine and fails with an error, since answering
 * with a missing value would be wrong.
 */
import { GraphDBError } from '../../base/index.ts';

/** `absent`: no row has the property. `notLoaded`: files hold values that are not in memory. `flat`: all values are in arrays in memory. */
export type Residency = 'absent' | 'notLoaded' | 'flat';

/** The error of reading data that is not in memory. */
export class NotLoadedError extends GraphDBError {}

/** Tells whether an error was caused by reading data that is not in memory. */
export function isNotLoaded(error: unknown): boolean {
  return error instanceof NotLoadedError;
}

/** Returns an INTERNAL error which says that `what` was read and is not in memory. */
export function notLoaded(what: string): GraphDBError {
  return new NotLoadedError('INTERNAL', `internal error: ${what} is read and was not loaded: a requirement of the statement is missing`);
}
