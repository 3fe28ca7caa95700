/** The files below a folder as the objects of a store, in the byte order of their keys. Cost: one readdir per folder in question, one stat per answer. */

import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectInfo } from '../object-store.ts';
import { isMissing } from './durable-files.ts';

export interface Selection {
  readonly prefix: string;
  readonly startAfter: string;
  readonly limit: number;
}

/** So many stats are under way at once. */
const STAT_BATCH = 32;

export async function listFolder(root: string, selection: Selection, checkAbort: () => void): Promise<ObjectInfo[]> {
  const found: ObjectInfo[] = [];
  let batch: string[] = [];
  const settleBatch = async (): Promise<void> => {
    checkAbort();
    for (const info of await Promise.all(batch.map((key) => statObject(root, key)))) if (info !== null) found.push(info);
    batch = [];
  };
  for await (const key of walk(root, '', selection)) {
    // Files that were deleted meanwhile count for nothing: never stop before the answers are there.
    if (found.length + batch.length >= selection.limit) await settleBatch();
    if (found.length >= selection.limit) return found;
    batch.push(key);
    if (batch.length >= STAT_BATCH) await settleBatch();
  }
  await settleBatch();
  return found;
}

/** Keys ascending. A folder sorts as its name with '/', which is where the keys below it stand. */
async function* walk(root: string, folder: string, selection: Selection): AsyncGenerator<string> {
  const names: string[] = [];
  for (const entry of await readFolder(join(root, folder))) {
    if (entry.name.startsWith('.')) continue; // The store's own: '.tmp'.
    const key = folder + entry.name + (entry.isDirectory() ? '/' : '');
    if (mayMatch(key, selection)) names.push(key);
  }
  names.sort();
  for (const key of names) {
    if (key.endsWith('/')) yield* walk(root, key, selection);
    else yield key;
  }
}

/** For a folder: whether a key below it can match. */
function mayMatch(key: string, { prefix, startAfter }: Selection): boolean {
  if (!key.endsWith('/')) return key.startsWith(prefix) && key > startAfter;
  return (key.startsWith(prefix) || prefix.startsWith(key)) && (key > startAfter || startAfter.startsWith(key));
}

async function readFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function statObject(root: string, key: string): Promise<ObjectInfo | null> {
  try {
    const { size, mtimeMs } = await stat(join(root, key));
    return { key, size, lastModifiedMs: mtimeMs };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
