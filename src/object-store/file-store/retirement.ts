/**
 * Gives objects that stand in journals files of their own, and removes the journals: when a owner closes, when it has
 * too many, when it has been idle for long (its process died, or has nothing to write), and after a crash of the
 * system.
 *
 * Only names that the owner still holds are replaced: whatever else is there came later. Any number of processes may do this at once.
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

/** A owner that has written nothing for so long is ended, dead or idle. */
const IDLE_MS = 600_000;
/** The file system commits what is synced at once together: half the time per file. */
const SYNCS_AT_ONCE = 4;

/** The options of retiring a journal. */
export interface RetirementOptions {
  readonly root: string;
  /**
   * After a crash of the system: names that are not there were not made durable, and are made anew. Otherwise they have
   * been deleted. (A deletion shortly before the crash comes undone.)
   */
  readonly missingToo?: boolean;
}

/**
 * Before anything else is done with a namespace. `bootId`: of this start of the system; '' where it is not known. Cost
 * where there is nothing to do: a readdir.
 */
export async function recoverAfterRestart(root: string, bootId: string): Promise<void> {
  for (const paths of await ownersOf(root)) {
    const startedAs = await bootIdOf(paths);
    if (startedAs !== null && startedAs !== bootId) await retireOwner(paths, { root, missingToo: true });
  }
}

/** Cost where there is nothing to do: a readdir. */
export async function retireIdleOwners(root: string): Promise<void> {
  for (const paths of await ownersOf(root)) {
    if (systemTimeMs() - (await lastChangeMs(paths)) > IDLE_MS) await retireOwner(paths, { root });
  }
}

/** Afterwards no object needs the owner. Names that it holds and has not used stay, and are free to be used. */
export async function retireOwner(paths: OwnerPaths, options: RetirementOptions): Promise<void> {
  const end = await endOwner(paths);
  if (end !== null && options.missingToo === true) await giveLateNames(paths, options.root);
  if (end !== null) for (const number of (await journalsOf(paths)).reverse()) await retireJournal(paths, number, options);
  await removeOwner(paths, end);
}

/** Retires a journal of a owner at work that is full. */
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
    // Nothing is awaited between looking and doing.
    const wanted = isWanted();
    if (wanted === 'replace') ignoreMissingSync(() => renameSync(source, path));
    else if (wanted === 'create') linkIfFree(source, path);
  } finally {
    if (record.kind === 'content') removeIfThere(source);
  }
}

/** After a crash of the system: whoever was about to give these objects their names is no more. */
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

/** Ignores that an object is missing: another process may have been faster. */
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
  // Of a owner that had not come to make its sign, and what no record speaks of.
  for (const number of await journalsOf(paths)) removeIfThere(paths.journal(number));
  for (const name of await namesIn(paths.folder)) if (name.startsWith(`${paths.id}.apart,`)) removeIfThere(join(paths.folder, name));
}

async function ownersOf(root: string): Promise<OwnerPaths[]> {
  const ids = new Set((await namesIn(join(root, JOURNAL_FOLDER))).map(ownerIdOf));
  ids.delete(null);
  return Array.from(ids, (id) => new OwnerPaths(root, id!));
}

/** Null: it has no sign any more. */
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
  // It changed under our eyes: its process, or one that retires it, is alive.
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
