/**
 * What the journals are for (decision 0002).
 *
 * After a start of the system: objects that some process had answered for may be missing or torn, since only its journal was flushed. They are put back
 * from it. Objects that had not been answered for (pending, in no journal, read by nobody) are removed: they may be torn.
 *
 * Without one: a journal whose process has died is sealed by another one, its objects are synced, and it is removed. Its process may be alive, only
 * idle: so it is renamed first, which the process sees at its next put, and read after that, when all that was answered for is in it.
 *
 * Any number of processes may do this at once; every step can be done twice.
 */

import { renameSync, statSync } from 'node:fs';
import { link, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureFolder, ignoreMissing, isMissing, syncFiles, syncFolder, writeNewFile } from './durable-files.ts';
import { bootTag, JOURNAL_FOLDER, parsePendingName, pendingName, SEALED, TEMPORARY_FOLDER } from './internal-names.ts';
import { errorCode } from './io-errors.ts';
import { decodeJournal, type JournalRecord, readBootIdOfJournal } from './journal-format.ts';
import { inodeOf, namesIn, removeIfThere } from './pending.ts';

/** A journal untouched for so long is taken from its process, dead or idle. */
const IDLE_MS = 600_000;

export interface RecoveryOptions {
  readonly root: string;
  /** Of this start of the system; '' where it is not known: every journal is then of another one. */
  readonly bootId: string;
  /** For temporary names: unique among all processes. */
  readonly storeId: string;
}

/** Before anything else is done with a namespace. Cost where there is nothing to do: two readdirs. */
export async function recoverAfterRestart(options: RecoveryOptions): Promise<void> {
  const { root, bootId } = options;
  const sealed = await sealJournals(root, (path) => isOfAnotherStart(path, bootId));
  const answered = await putBackAll(options, sealed);
  await removeUnanswered(options, answered);
  for (const path of sealed) removeIfThere(path);
}

/** Cost where there is nothing to do: a readdir. */
export async function retireIdleJournals(root: string): Promise<void> {
  const sealed = await sealJournals(
    root,
    async (path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > IDLE_MS,
  );
  for (const path of sealed) {
    const keys = (await readRecords(path)).map(({ key }) => key);
    await syncFiles(keys.map((key) => join(root, key)));
    removeIfThere(path);
  }
}

/** Takes the journals that are wanted from their processes; returns their paths from now on. */
async function sealJournals(root: string, wanted: (path: string) => Promise<boolean>): Promise<string[]> {
  const folder = join(root, JOURNAL_FOLDER);
  const sealed: string[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!(await wanted(path))) continue;
    const sealedPath = name.endsWith(SEALED) ? path : path + SEALED;
    try {
      if (sealedPath !== path) renameSync(path, sealedPath);
      sealed.push(sealedPath);
    } catch (error) {
      // Its process, or another one, was faster.
      if (!isMissing(error)) throw error;
    }
  }
  return sealed;
}

async function isOfAnotherStart(path: string, bootId: string): Promise<boolean> {
  const found = await readBootIdOfJournal(path);
  return found !== null && found !== bootId;
}

async function readRecords(path: string): Promise<readonly JournalRecord[]> {
  try {
    return decodeJournal(await readFile(path))?.records ?? [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Returns the keys of what the journals answer for; all of that is durable then. */
async function putBackAll({ root, storeId }: RecoveryOptions, journals: readonly string[]): Promise<ReadonlySet<string>> {
  const answered = await answeredFor(journals);
  const temporary = join(root, TEMPORARY_FOLDER, `${storeId}-recovery`);
  if (answered.length > 0) await ensureFolder(dirname(temporary), root);
  for (const record of answered) await putBack(root, record, temporary);
  await syncFiles(answered.map(({ key }) => join(root, key)));
  return new Set(answered.map(({ key }) => key));
}

/** Of one process the journals are numbered: what was forgotten may have been created anew after that, even with the inode that it had before. */
async function answeredFor(journals: readonly string[]): Promise<JournalRecord[]> {
  const answered = new Map<string, JournalRecord>();
  for (const path of [...journals].sort(byNumber)) {
    for (const record of await readRecords(path)) {
      if (record.kind === 'forgotten') answered.delete(identity(record));
      else answered.set(identity(record), record);
    }
  }
  return [...answered.values()];
}

function byNumber(one: string, other: string): number {
  return numberOf(one) - numberOf(other);
}

function numberOf(path: string): number {
  return Number(/-(\d+)(?:\.sealed)?$/.exec(path)?.[1] ?? 0);
}

function identity({ key, inode }: JournalRecord): string {
  return `${key} ${inode}`;
}

/** A file of another inode under that name came later, by a put of its own, and stays. */
async function putBack(root: string, { key, inode, body }: JournalRecord, temporary: string): Promise<void> {
  const path = join(root, key);
  const present = inodeOf(path);
  if (present !== undefined && (present !== inode || (await readFile(path)).equals(body))) return;
  await ensureFolder(dirname(path), root);
  removeIfThere(temporary);
  await writeNewFile(temporary, body);
  if (present === inode) await rename(temporary, path);
  else await linkIfFree(temporary, path);
  removeIfThere(temporary);
}

async function linkIfFree(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** What is pending in no journal was neither answered for nor read. */
async function removeUnanswered({ root, bootId, storeId }: RecoveryOptions, answered: ReadonlySet<string>): Promise<void> {
  const folder = join(root, TEMPORARY_FOLDER);
  let count = 0;
  for (const name of await namesIn(folder)) {
    const pending = parsePendingName(name);
    if (pending === null || pending.bootTag === bootTag(bootId)) continue;
    // Renamed first: a process on another machine that had a put of its own under way here finds its name gone, and does not answer for it.
    const claimed = join(folder, pendingName(pending.bootTag, `${storeId}-${count++}`, pending.key));
    await ignoreMissing(rename(join(folder, name), claimed));
    const path = join(root, pending.key);
    const inode = inodeOf(claimed);
    if (!answered.has(pending.key) && inode !== undefined && inodeOf(path) === inode) removeIfThere(path);
    removeIfThere(claimed);
  }
  if (count > 0) await syncFolder(folder);
}
