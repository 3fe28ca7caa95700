/** Rows of a file that cannot be read, and why. */
import { GraphDBError } from '../base/index.ts';

/** `row`: its place among the rows that were read together, from 0. */
export interface MalformedRow {
  readonly row: number;
  readonly reason: string;
}

/** Returns the reason why a row is wrong, in the words of the error that said so; a fault of ours is thrown on. */
export function reasonOf(error: unknown): string {
  if (error instanceof GraphDBError && error.code !== 'INTERNAL') return error.message;
  throw error;
}
