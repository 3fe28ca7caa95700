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

/** One read of node:fs takes less than 2^31 bytes. */
const MAX_READ_BYTES = 1 << 30;
/** A write in one go would keep a processor for as long as it takes to copy all of it; after a short one others get theirs. */
const MAX_WRITE_BYTES = 1 << 20;
/**
 * A flush of another file waits for what stands before it in the queue of the disk: beside files of 32 MiB in one go, a
 * tenth of small flushes took more than 7.7 ms, so 1.5.
 */
const MAX_UNFLUSHED_BYTES = 4 << 20;
/** No put takes so long; what is older was left by a process that died. */
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
 * Creates the folder and what is missing above it, durably. The names from `from` (an ancestor) down are synced even
 * where they were there already: a process that crashed may have created them and not come to it.
 */
export async function ensureFolder(folder: string, from: string): Promise<void> {
  const firstCreated = await makeFolders(folder);
  const highest = firstCreated !== undefined && firstCreated.length < from.length ? dirname(firstCreated) : from;
  for (let parent = dirname(folder); parent.length >= highest.length; parent = dirname(parent)) {
    await syncFolder(parent);
    if (parent === dirname(parent)) break;
  }
}

/** Writes a new file and makes its content durable; its name is so only after `syncFolder`. */
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

/** Makes the content of a file that is there durable. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Removes temporary files that nobody will use any more. */
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

/** Waits for work, and ignores that a file is missing. */
export async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Null: no such file. */
export async function openToRead(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Reads until `target` is full or the file ends; returns the count. */
export async function readFully(handle: FileHandle, offset: number, target: Uint8Array): Promise<number> {
  let done = 0;
  while (done < target.length) {
    const { bytesRead } = await handle.read(target, done, Math.min(target.length - done, MAX_READ_BYTES), offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

/** Also where a part of the path is a file: nothing can lie below it. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
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

/** Tells whether a file or folder exists. */
export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
