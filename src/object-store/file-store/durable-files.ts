/**
 * Files and folders whose names survive a crash of the machine: POSIX promises the name of a file only after an fsync
 * of the folder that holds it.
 */

import { statSync, unlinkSync } from 'node:fs';
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemTimeMs } from '../../base/index.ts';
import { errorCode } from './io-errors.ts';
import { makeFolders } from './make-folders.ts';

/** The most bytes of one read call: node:fs accepts less than 2^31. */
const MAX_READ_BYTES = 1 << 30;
/** The most bytes of one write call: a single large write would occupy a processor until all of it is copied. */
const MAX_WRITE_BYTES = 1 << 20;
/**
 * The most bytes that are written between two flushes. A flush of another file waits for what is queued at the disk
 * before it: beside files of 32 MiB that are flushed once, a tenth of small flushes took more than 7.7 ms, with this
 * limit 1.5 ms.
 */
const MAX_UNFLUSHED_BYTES = 4 << 20;
/** The age from which a temporary file counts as left behind by a process that died: no put takes that long. */
const TEMPORARY_FILE_MAX_AGE_MS = 3_600_000;

/** Syncs the names in a folder. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Folders cannot be opened there.
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems know no fsync of a folder: they store names at once.
    if (errorCode(error) !== 'EINVAL') throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Creates the folder and missing folders above it, durably. Names below `from`, an ancestor, are synced even where they
 * exist: a process that crashed may have created them without syncing them.
 */
export async function ensureFolder(folder: string, from: string): Promise<void> {
  const firstCreated = await makeFolders(folder);
  const highest = firstCreated !== undefined && firstCreated.length < from.length ? dirname(firstCreated) : from;
  for (let parent = dirname(folder); parent.length >= highest.length; parent = dirname(parent)) {
    await syncFolder(parent);
    if (parent === dirname(parent)) break;
  }
}

/** Writes a new file and makes its content durable; the name is durable only after `syncFolder`. */
export async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o644);
  try {
    for (let done = 0, flushed = 0; done < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, done, Math.min(bytes.length - done, MAX_WRITE_BYTES), done);
      done += bytesWritten;
      if (done - flushed < MAX_UNFLUSHED_BYTES || done === bytes.length) continue;
      await handle.datasync();
      flushed = done;
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Makes the content of an existing file durable. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Removes the files of a folder that are older than an hour: their processes have died. */
export async function removeOldFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    try {
      if (systemTimeMs() - (await stat(path)).mtimeMs > TEMPORARY_FILE_MAX_AGE_MS) await unlink(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** Waits for `work`, and ignores the error of a missing file. */
export async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Opens a file for reading; null when it does not exist. */
export async function openToRead(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Reads from `offset` until `target` is full or the file ends; returns the number of bytes read. */
export async function readFully(handle: FileHandle, offset: number, target: Uint8Array): Promise<number> {
  let done = 0;
  while (done < target.length) {
    const { bytesRead } = await handle.read(target, done, Math.min(target.length - done, MAX_READ_BYTES), offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

/** Whether an error says that a file does not exist, be it because a part of its path is a file (ENOTDIR). */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Returns the names in a folder; an empty list when the folder does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Removes a file if it exists; returns whether it existed. */
export function removeIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Tells whether a file or folder exists. */
export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
