/** Why LOAD CSV does not read a URL. */
import { GraphDBError } from '../../../base/index.ts';

/** The most bytes that one LOAD CSV reads from another machine. */
export const MOST_REMOTE_BYTES = 2 ** 30;

/** The URL is not repeated beyond its path: a query may hold a signature. */
export function csvFault(url: string, reason: string, cause?: unknown): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', `cannot load ${JSON.stringify(url.replace(/[?#].*$/s, ''))}: ${reason}`, { cause });
}

/** Makes the error of a file that is too large. */
export function tooLarge(url: string): GraphDBError {
  return csvFault(url, `it has more than ${MOST_REMOTE_BYTES / 2 ** 20} MiB; load it with \`graphdb import\``);
}
