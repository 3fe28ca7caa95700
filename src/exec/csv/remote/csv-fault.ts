/** The errors of LOAD CSV for a URL that it does not read. */
import { GraphDBError } from '../../../base/index.ts';

/** The most bytes that one LOAD CSV reads from a remote source; beyond that it fails with ARGUMENT_ERROR. */
export const MOST_REMOTE_BYTES = 2 ** 30;

/** Makes the error ARGUMENT_ERROR for a URL. The query of the URL is left out, because it may contain a signature. */
export function csvFault(url: string, reason: string, cause?: unknown): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', `cannot load ${JSON.stringify(url.replace(/[?#].*$/s, ''))}: ${reason}`, { cause });
}

/** Makes the error ARGUMENT_ERROR for a file of more than `MOST_REMOTE_BYTES`. */
export function tooLarge(url: string): GraphDBError {
  return csvFault(url, `it has more than ${MOST_REMOTE_BYTES / 2 ** 20} MiB; load it with \`graphdb import\``);
}
