/**
 * Retires journals: gives their objects files of their own, and removes them. That happens when an owner closes, when
 * it has too many journals, when it has been idle for long (its process died, or has nothing to write), and after a
 * crash of the system.
 *
 * Only names that the owner still holds are replaced: any other file under such a name is newer. Any number of
 * processes may do this at once.
 */

import { linkSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomHex, systemTimeMs } from '../../base/index.ts';
import { ensureFolder, ignoreMissing, isMissing, isThere, namesIn, removeIfThere, syncFolder, writeNewFile } from './durable-files.ts';
import {
  isHeldBy,
  JOURNAL_FOLDER,
  nameStateOf,
  type OwnerEnd,
  OwnerPaths,
  ownerIdOf,
  parseLate,
  TEMPORARY_FOLDER,
} from './internal-names.ts';
import { errorCode } from './io-errors.ts';
import { damagedJournal, HEADER_BYTES, type PlacedRecord, readRecords } from './journal-format.ts';
import { endOwner, journalsOf, stateOf } from './journal-owners.ts';

/** An owner that has written nothing for this long is ended, whether dead or idle. */
const IDLE_MS = 600_000;
/** How many files are synced at once: the file system commits them together, in half the time per file. */
const SYNCS_AT_ONCE = 4;

/** The options of retiring a journal. */
export interface RetirementOptions {
  readonly root: string;
  /**
   * Set after a crash of the system: missing names were not durable, and are created again; a deletion shortly before
   * the crash is undone by that. When unset, a missing name is one that was deleted.
   */
  readonly missingToo?: boolean;
}

/**
 * Restores the objects of owners from before a crash of the system; called before anything else is done with a
 * namespace. `bootId` is the id of this start of the system, '' when it is unknown. Cost when there is nothing to do: a
 * readdir.
 */
export async function recoverAfterRestart(root: string, bootId: string): Promise<void> {
  for (const paths of await ownersOf(root)) {
    const startedAs = await bootIdOf(paths);
    if (startedAs !== null && startedAs !== bootId) await retireOwner(paths, { root, missingToo: true });
  }
}

/** Retires owners that have written nothing for ten minutes. Cost when there are no owners: a readdir. */
export async function retireIdleOwners(root: string): Promise<void> {
  for (const paths of await ownersOf(root)) {
    if (systemTimeMs() - (await lastChangeMs(paths)) > IDLE_MS) await retireOwner(paths, { root });
  }
}

/**
 * Ends an owner and retires all its journals; no object needs it afterwards. Held names without an object stay, and are
 * free for any store.
 */
export async function retireOwner(paths: OwnerPaths, options: RetirementOptions): Promise<void> {
  const end = await endOwner(paths);
  if (end !== null && options.missingToo === true) await giveLateNames(paths, options.root);
  if (end !== null) for (const number of (await journalsOf(paths)).reverse()) await retireJournal(paths, number, options);
  await removeOwner(paths, end);
}

/** Retires one journal, of an owner that has ended, or a full one of an owner that is still at work. */
export async function retireJournal(paths: OwnerPaths, number: number, options: RetirementOptions): Promise<void> {
  const path = paths.journal(number);
  const records = await readRecords(path);
  if (records === null) return;
  // What had been read while the sign was there counts in any case.
  const end = (await stateOf(paths)) === 'open' ? null : await endOwner(paths);
  const position = records.at(-1)?.end ?? HEADER_BYTES;
  if (number === end?.journal && position < end.bytes) throw damagedJournal(path, position);
  const counts = (record: PlacedRecord): boolean =>
    end === null || number < end.journal || (number === end.journal && record.end <= end.bytes);
  const queue = records.filter(counts).values();
  const folders = new Set<string>();
  await ensureFolder(join(options.root, TEMPORARY_FOLDER), options.root);
  const work = async (): Promise<void> => {
    for (const record of queue) {
      await giveFile(paths, record, options);
      folders.add(dirname(join(options.root, record.key)));
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: SYNCS_AT_ONCE }, work));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  for (const folder of folders) await ignoreMissing(syncFolder(folder));
  removeIfThere(path);
}

async function giveFile(paths: OwnerPaths, record: PlacedRecord, { root, missingToo = false }: RetirementOptions): Promise<void> {
  const path = join(root, record.key);
  const isWanted = (): 'replace' | 'create' | null => {
    const state = nameStateOf(path);
    if (state === 'missing') return missingToo ? 'create' : null;
    return typeof state === 'object' && state.owner === paths.id ? 'replace' : null;
  };
  if (isWanted() === null || isThere(paths.late(record.key))) return;
  if (isWanted() === 'create') await ensureFolder(dirname(path), root);
  const source = record.kind === 'apart' ? paths.apart(record.key) : join(root, TEMPORARY_FOLDER, `${paths.id}-${randomHex(6)}`);
  try {
    if (record.kind === 'content') await writeNewFile(source, record.body);
    // Nothing is awaited between the check and the rename or link.
    const wanted = isWanted();
    if (wanted === 'replace') ignoreMissingSync(() => renameSync(source, path));
    else if (wanted === 'create') linkIfFree(source, path);
  } finally {
    if (record.kind === 'content') removeIfThere(source);
  }
}

/** Gives `late` objects their names after a crash of the system, which ended the processes that were about to. */
async function giveLateNames(paths: OwnerPaths, root: string): Promise<void> {
  for (const name of await namesIn(paths.folder)) {
    const key = parseLate(name, paths.id);
    if (key === null) continue;
    const late = paths.late(key);
    const path = join(root, key);
    await ensureFolder(dirname(path), root);
    if (isHeldBy(path, paths.id)) ignoreMissingSync(() => renameSync(late, path));
    else linkIfFree(late, path);
    await syncFolder(dirname(path));
    removeIfThere(late);
  }
}

function linkIfFree(source: string, path: string): void {
  try {
    ignoreMissingSync(() => linkSync(source, path));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Runs `work`, and ignores that a file is missing: another process may have been faster. */
function ignoreMissingSync(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function removeOwner(paths: OwnerPaths, end: OwnerEnd | null): Promise<void> {
  if (end !== null) removeIfThere(paths.ended(end));
  if ((await stateOf(paths)) !== 'gone') return;
  removeIfThere(paths.mark);
  // Journals of an owner that died before it made its sign, and files that no record refers to.
  for (const number of await journalsOf(paths)) removeIfThere(paths.journal(number));
  for (const name of await namesIn(paths.folder)) if (name.startsWith(`${paths.id}.apart,`)) removeIfThere(join(paths.folder, name));
}

async function ownersOf(root: string): Promise<OwnerPaths[]> {
  const ids = new Set((await namesIn(join(root, JOURNAL_FOLDER))).map(ownerIdOf));
  ids.delete(null);
  return Array.from(ids, (id) => new OwnerPaths(root, id!));
}

/** Returns the boot id in the owner's sign; null when it has no sign any more. */
async function bootIdOf(paths: OwnerPaths): Promise<string | null> {
  const state = await stateOf(paths);
  if (state === 'gone') return null;
  for (const sign of [paths.open, paths.sealed, ...(typeof state === 'object' ? [paths.ended(state)] : [])]) {
    try {
      return await readFile(sign, 'latin1');
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  // The sign changed meanwhile: the owner's process, or one that retires it, is alive.
  return null;
}

async function lastChangeMs(paths: OwnerPaths): Promise<number> {
  let last = Number.NEGATIVE_INFINITY;
  for (const name of await namesIn(paths.folder)) {
    if (ownerIdOf(name) !== paths.id) continue;
    last = Math.max(last, statSync(join(paths.folder, name), { throwIfNoEntry: false })?.mtimeMs ?? last);
  }
  return last;
}
