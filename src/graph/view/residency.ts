/**
 * Whether a part of a table is in memory. What lies in files only must be asked for before a statement runs
 * (requirements.ts); reading it all the same is a mistake of ours and fails loudly, since an absent value would be a
 * wrong answer.
 */
import { GraphDBError } from '../../base/index.ts';

/** `absent`: no row has it. `notLoaded`: files hold values that are not in memory. `flat`: all of it is in memory, in arrays. */
export type Residency = 'absent' | 'notLoaded' | 'flat';

/** The error of reading data that is not in memory. */
export class NotLoadedError extends GraphDBError {}

/** Whether an error says that something was read that is not in memory. */
export function isNotLoaded(error: unknown): boolean {
  return error instanceof NotLoadedError;
}

/** INTERNAL. */
export function notLoaded(what: string): GraphDBError {
  return new NotLoadedError('INTERNAL', `internal error: ${what} is read and was not loaded: a requirement of the statement is missing`);
}
