import { GraphDBError } from '../base/index.ts';

/** Another writer has taken over. */
export function isFenced(error: unknown): boolean {
  return error instanceof GraphDBError && error.code === 'WRITER_FENCED';
}

/** Something in the bucket is missing or damaged. */
export function isCorruption(error: unknown): boolean {
  return error instanceof GraphDBError && error.code === 'CORRUPTION';
}
