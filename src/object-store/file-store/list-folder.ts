/**
 * Lists the files below a folder as the objects of a store, in the byte order of their keys. Cost: one readdir per
 * folder that may match, one stat per object, and one look into the journals per folder and owner of held names.
 */

import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectInfo } from '../object-store.ts';
import { isMissing } from './durable-files.ts';
import { nameStateOf } from './internal-names.ts';
import type { HeldObjects, JournalOwners } from './journal-owners.ts';

/** Selects objects: keys that start with `prefix` and are greater than `startAfter`, at most `limit` of them. */
export interface Selection {
  readonly prefix: string;
  readonly startAfter: string;
  readonly limit: number;
}

/** The folder to list. `checkAbort` throws when the request was aborted. */
export interface ListedFolder {
  readonly root: string;
  readonly owners: JournalOwners;
  readonly checkAbort: () => void;
}

interface Listed {
  readonly key: string;
  /** The objects of the owner that holds the name; null when the name is not held. */
  readonly held: HeldObjects | null;
}

/** How many stats run at once. */
const STAT_BATCH = 32;

/** Lists the selected objects of a folder, ascending by key. */
export async function listFolder(source: ListedFolder, selection: Selection): Promise<ObjectInfo[]> {
  const found: ObjectInfo[] = [];
  let batch: Listed[] = [];
  const settleBatch = async (): Promise<void> => {
    source.checkAbort();
    for (const info of await Promise.all(batch.map((listed) => infoOf(source, listed)))) if (info !== null) found.push(info);
    batch = [];
  };
  for await (const listed of walk(source, '', selection)) {
    // Files that were deleted meanwhile do not count: never stop before their stats have returned.
    if (found.length + batch.length >= selection.limit) await settleBatch();
    if (found.length >= selection.limit) return found;
    batch.push(listed);
    if (batch.length >= STAT_BATCH) await settleBatch();
  }
  await settleBatch();
  return found;
}

/** Walks keys in ascending order. A folder sorts as its name with '/', where the keys below it belong. */
async function* walk(source: ListedFolder, folder: string, selection: Selection): AsyncGenerator<Listed> {
  const names: string[] = [];
  const owners = new Map<string, string>();
  for (const entry of await readFolder(join(source.root, folder))) {
    if (entry.name.startsWith('.')) continue; // The store's own: '.tmp'.
    const key = folder + entry.name + (entry.isDirectory() ? '/' : '');
    if (!mayMatch(key, selection)) continue;
    names.push(key);
    if (!entry.isSymbolicLink()) continue;
    const state = nameStateOf(join(source.root, key));
    if (typeof state === 'object') owners.set(key, state.owner);
  }
  // Once for all names: whatever was there when the folder was read is found.
  const held = new Map<string, HeldObjects>();
  for (const owner of new Set(owners.values())) held.set(owner, await source.owners.look(owner));
  names.sort();
  for (const key of names) {
    if (key.endsWith('/')) yield* walk(source, key, selection);
    else yield { key, held: held.get(owners.get(key) ?? '') ?? null };
  }
}

/** Whether a key is selected or, when it is a folder (it ends with '/'), whether a key below it may be. */
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

async function infoOf({ root }: ListedFolder, { key, held }: Listed): Promise<ObjectInfo | null> {
  const object = held?.objectOf(key) ?? null;
  if (object?.kind === 'bytes') return { key, size: object.size, lastModifiedMs: object.storedAtMs };
  const elsewhere = object === null ? null : await statObject(object.path, key);
  // A held name may have become a file meanwhile: then that is the object, and what lies elsewhere may be of somebody who came too late.
  return (await statObject(join(root, key), key)) ?? elsewhere;
}

async function statObject(path: string, key: string): Promise<ObjectInfo | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { key, size, lastModifiedMs: mtimeMs };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
