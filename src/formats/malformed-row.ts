/** Rows of a file that cannot be read, with the reason. */
import { GraphDBError } from '../base/index.ts';

/** A malformed row. `row` is its index among the rows of its batch or block, from 0. */
export interface MalformedRow {
  readonly row: number;
  readonly reason: string;
}

/** Returns the message of an error as the reason why a row is malformed; rethrows an error that is a fault of the program. */
export function reasonOf(error: unknown): string {
  if (error instanceof GraphDBError && error.code !== 'INTERNAL') return error.message;
  throw error;
}
