/**
 * Creates folders together with missing ones above them. Node's recursive mkdir is not used: below a folder that
 * refuses names (`/proc`) it never ends, and on a read-only file system it reports that the folder is missing.
 */
import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storeUnavailable } from '../faults.ts';
import { errorCode } from './io-errors.ts';

/** How often to try: another process may remove a parent between two calls, but hardly this often. */
const ATTEMPTS = 8;

/**
 * Creates a folder; resolves to the highest folder that it created, undefined when all existed. Other errors are those
 * of node:fs.
 * @throws STORE_UNAVAILABLE when a folder above refuses new folders
 */
export async function makeFolders(folder: string): Promise<string | undefined> {
  let highest: string | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(folder);
      return highest ?? folder;
    } catch (error) {
      if (isFolder(folder)) return highest;
      const parent = dirname(folder);
      if (errorCode(error) !== 'ENOENT' || parent === folder) throw error;
      if (attempt === ATTEMPTS)
        throw storeUnavailable(`cannot create the folder ${folder}: ${parent} takes no folders`, { transient: false, cause: error });
      highest = (await makeFolders(parent)) ?? highest;
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
