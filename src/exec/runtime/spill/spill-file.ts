/**
 * Temporary files. A file loses its name as soon as it is open, so the system frees its room when it is closed, and
 * when the process ends in whatever way. Where the system keeps the name of an open file until it is closed, it is
 * removed then; what a process that was ended left is removed by the next one that makes a file in the directory. Every
 * such name may be removed at any time: whoever has the file open keeps it.
 */
import { closeSync, ftruncateSync, openSync, readdirSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, GraphDBError, randomUuid } from '../../../base/index.ts';

const PREFIX = 'graphdb-spill-';
/** The bytes of one call of the system. */
const PIECE_BYTES = 2 ** 20;

/** Directories that this thread has looked through. */
const swept = new Set<string>();

/** A temporary file without a name. */
export class SpillFile {
  /** Bytes that were appended. */
  length = 0;
  readonly #directory: string;
  readonly #path: string;
  #descriptor: number;

  /** @param directory null: the system's for temporary files. MEMORY_LIMIT: a file cannot be made there */
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

  /** @returns where they begin. MEMORY_LIMIT: the disk is full, or fails */
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

  /** Fills the array with what was appended at the position. */
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

  /** Forgets what was appended, and frees its room. */
  clear(): void {
    ftruncateSync(this.#descriptor);
    this.length = 0;
  }

  /** Any number of times. */
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
    // It has no name any more, or keeps it as long as it is open.
  }
}
