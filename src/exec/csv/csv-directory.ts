/**
 * Reads files for LOAD CSV from one directory: `file:///people.csv` is `people.csv` in it. Nothing outside can be
 * reached: a path with `..`, a symbolic link, or anything that is not a regular file is refused. Each part of the path
 * is checked before the file is opened, and opening does not follow a link either.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { GraphDBError } from '../../base/index.ts';
import type { IncomingBytes } from './incoming-bytes.ts';

/** Opens the file of a URL for reading. @throws ARGUMENT_ERROR when the file is not allowed, or cannot be opened */
export function openDirectoryBytes(directory: string, url: string): IncomingBytes {
  const parts = partsOf(url);
  const file = openIn(directory, parts, url);
  return { read: (target) => readSync(file, target), more: async () => {}, close: () => closeSync(file) };
}

function openIn(directory: string, parts: readonly string[], url: string): number {
  try {
    return openPlainFile(realpathSync(directory), parts);
  } catch (error) {
    if (error instanceof GraphDBError) throw error;
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'it cannot be opened';
    throw fault(url, `${reason} in the directory for LOAD CSV`, error);
  }
}

function partsOf(url: string): readonly string[] {
  const match = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(url);
  if (match === null) {
    const other = /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^file:/i.test(url);
    throw fault(
      url,
      other
        ? 'LOAD CSV reads files only, as in file:///people.csv'
        : 'LOAD CSV takes a URL such as file:///people.csv, in the directory for LOAD CSV',
    );
  }
  const parts = match[1]!
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decoded(url, part));
  const isBad = (part: string): boolean => part === '.' || part === '..' || /[/\\\0]/.test(part);
  if (parts.length === 0 || parts.some(isBad)) throw fault(url, 'it does not name a file in the directory for LOAD CSV');
  return parts;
}

function decoded(url: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw fault(url, 'a % in a URL stands before two hexadecimal digits', error);
  }
}

function openPlainFile(directory: string, parts: readonly string[]): number {
  let path = directory;
  for (const part of parts) {
    path = join(path, part);
    if (lstatSync(path).isSymbolicLink()) throw fault(parts.join('/'), 'symbolic links are not followed');
  }
  // Non-blocking, because opening a pipe would otherwise block the process.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw fault(parts.join('/'), 'it is not a plain file');
}

function fault(url: string, reason: string, cause?: unknown): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', `cannot load ${JSON.stringify(url)}: ${reason}`, { cause });
}
