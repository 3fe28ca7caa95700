/**
 * Temporary files without a name. A file is unlinked as soon as it is open, so the system frees its space when it is
 * closed or the process ends. Where the system refuses to unlink an open file, the file is removed when it is closed;
 * files that a killed process left behind are removed by the next process that makes one in the directory. Any name
 * with the prefix may be removed at any time, because a process keeps access to a file that it has open.
 */
import { closeSync, ftruncateSync, openSync, readdirSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, GraphDBError, randomUuid } from '../../../base/index.ts';

const PREFIX = 'graphdb-spill-';
/** The most bytes of one system call. */
const PIECE_BYTES = 2 ** 20;

/** Directories in which this thread has removed leftover files. */
const swept = new Set<string>();

/** A temporary file, unlinked as soon as it is open. */
export class SpillFile {
  /** Bytes written so far. */
  length = 0;
  readonly #directory: string;
  readonly #path: string;
  #descriptor: number;

  /** @param directory null for the system's temporary directory @throws MEMORY_LIMIT if the file cannot be made */
  constructor(directory: string | null) {
    this.#directory = directory ?? tmpdir();
    this.#path = join(this.#directory, `${PREFIX}${randomUuid()}`);
    try {
      sweep(this.#directory);
      this.#descriptor = openSync(this.#path, 'wx+', 0o600);
    } catch (error) {
      throw this.#refused(error);
    }
    remove(this.#path);
  }

  /** Appends bytes. Returns their position. @throws MEMORY_LIMIT if the disk is full or fails */
  append(bytes: Uint8Array): number {
    const start = this.length;
    try {
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.#descriptor, bytes, at, Math.min(PIECE_BYTES, bytes.length - at), start + at);
    } catch (error) {
      throw this.#refused(error);
    }
    this.length += bytes.length;
    return start;
  }

  /** Fills the array with the bytes at a position. @throws MEMORY_LIMIT if the disk fails */
  read(into: Uint8Array, position: number): void {
    try {
      for (let at = 0; at < into.length; ) {
        const count = readSync(this.#descriptor, into, at, Math.min(PIECE_BYTES, into.length - at), position + at);
        assert(count > 0, 'a temporary file is shorter than what was written');
        at += count;
      }
    } catch (error) {
      throw error instanceof GraphDBError ? error : this.#refused(error);
    }
  }

  /** Discards the content and frees its space. */
  clear(): void {
    ftruncateSync(this.#descriptor);
    this.length = 0;
  }

  /** Closes the file; may be called more than once. */
  close(): void {
    if (this.#descriptor < 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = -1;
    remove(this.#path);
  }

  #refused(cause: unknown): GraphDBError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new GraphDBError(
      'MEMORY_LIMIT',
      `the statement needs more than its memory limit, and its rows cannot be written to temporary files in ${this.#directory} ` +
        `(${reason}); free room there, or allow it more memory`,
      { cause },
    );
  }
}

function sweep(directory: string): void {
  if (swept.has(directory)) return;
  for (const name of readdirSync(directory)) if (name.startsWith(PREFIX)) remove(join(directory, name));
  swept.add(directory);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The file is unlinked already, or will be removed when it is closed.
  }
}
