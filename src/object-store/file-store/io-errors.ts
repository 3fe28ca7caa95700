/** Translates errors of the operating system, for a store in a folder and for the files of an export. */

import { GraphDBError } from '../../base/index.ts';
import { storeUnavailable } from '../faults.ts';

const MEANING: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EMFILE: 'this process has too many open files (raise its limit: ulimit -n)',
  ENFILE: 'the system has too many open files',
  EIO: 'the disk reports an input/output error',
  ENAMETOOLONG: 'the path is too long for the file system',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'there is a folder where an object should be',
  ENOENT: 'the folder was removed meanwhile',
  EEXIST: 'there is a file where a folder should be',
};

/** Errors that pass by themselves, such as too many open files; a full or broken disk needs a person. */
const TRANSIENT = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY', 'EINTR']);

/** File systems without hard links (exFAT, SMB shares) answer link(2) with one of these. */
const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Makes STORE_UNAVAILABLE of a failed operation of node:fs; a GraphDBError is returned as it is. */
export function translateIoError(error: unknown, doing: string): GraphDBError {
  if (error instanceof GraphDBError) return error;
  const code = errorCode(error);
  const meaning = MEANING[code] ?? (error instanceof Error ? error.message : String(error));
  return storeUnavailable(`cannot ${doing}: ${meaning}`, { transient: TRANSIENT.has(code), cause: error });
}

/** Makes UNSUPPORTED of an error of link(2) on a file system without hard links; null for any other error. */
export function refusedLink(error: unknown, path: string): GraphDBError | null {
  if (!NO_HARD_LINKS.has(errorCode(error))) return null;
  const what = `cannot write ${path}: the file system has no hard links, without which two writers could not be kept apart`;
  return new GraphDBError('UNSUPPORTED', what, { cause: error });
}

/** Returns the code of an error of the operating system, such as 'ENOENT'; '' for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
