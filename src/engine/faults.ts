import { GraphDBError } from '../base/index.ts';

/** For whoever asks this process to write. */
export function fenced(cause?: unknown): GraphDBError {
  return new GraphDBError(
    'WRITER_FENCED',
    'another writer has taken over this namespace; this one only reads. Send writes to the other one, or open it again here',
    { cause },
  );
}

export function isFenced(error: unknown): boolean {
  return error instanceof GraphDBError && error.code === 'WRITER_FENCED';
}
