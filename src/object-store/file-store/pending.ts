/**
 * Objects that have their final name and are not yet known to be durable: they still have a temporary name as well, so that their file has two links
 * (internal-names.ts). Whoever reads one makes it durable first: what has been read must not vanish in a crash, since others will build on it.
 */

import { statSync, unlinkSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoreMissing, isMissing, syncFile, syncFolder } from './durable-files.ts';
import { durableName, parsePendingName, TEMPORARY_FOLDER } from './internal-names.ts';

/** Cost: a readdir, and three flushes where the object was pending. */
export async function makeDurable(root: string, key: string): Promise<void> {
  const folder = join(root, TEMPORARY_FOLDER);
  const path = join(root, key);
  const inode = inodeOf(path);
  if (inode === undefined) return;
  const names = (await namesIn(folder)).filter((name) => parsePendingName(name)?.key === key);
  const pending = names.filter((name) => inodeOf(join(folder, name)) === inode);
  if (pending.length === 0) return;
  await syncFile(path);
  await syncFolder(dirname(path));
  // Renamed, not removed: its writer, if it lives, must see that nothing worse has happened.
  for (const name of pending) await ignoreMissing(rename(join(folder, name), join(folder, durableName(name))));
  await syncFolder(folder);
}

/** Empty where there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Undefined: no such file. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Whether it was there. */
export function removeIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
