/**
 * One journal file of a holder: zeros laid down and synced when it is created, overwritten from the front. Making a record durable then changes
 * no size and no name, and costs one flush of the disk.
 */

import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { removeIfThere, syncFolder, writeNewFile } from './durable-files.ts';
import type { FlushMode } from './flush-mode.ts';
import { encodeHeader, encodeRecord, HEADER_BYTES, type JournalRecord, recordBytes } from './journal-format.ts';

const fdatasyncAsync = promisify(fdatasync);

export interface JournalOptions {
  readonly path: string;
  readonly number: number;
  readonly capacityBytes: number;
  readonly flushMode: FlushMode;
}

export class Journal {
  readonly path: string;
  readonly number: number;
  /** Of all its records. */
  readonly keys: string[] = [];
  /** How many of its objects have not been deleted. */
  live = 0;
  readonly #fd: number;
  readonly #capacityBytes: number;
  readonly #flushMode: FlushMode;
  #position = HEADER_BYTES;
  #flushed = HEADER_BYTES;
  #flushing: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  private constructor(options: JournalOptions, fd: number) {
    this.path = options.path;
    this.number = options.number;
    this.#fd = fd;
    this.#capacityBytes = options.capacityBytes;
    this.#flushMode = options.flushMode;
  }

  /** Durable, name and all, when it resolves. The folder exists. */
  static async create(options: JournalOptions): Promise<Journal> {
    const zeros = Buffer.alloc(options.capacityBytes);
    encodeHeader().copy(zeros);
    try {
      await writeNewFile(options.path, zeros);
      await syncFolder(dirname(options.path));
    } catch (error) {
      removeIfThere(options.path);
      throw error;
    }
    return new Journal(options, openSync(options.path, 'r+'));
  }

  get filled(): number {
    return this.#position / this.#capacityBytes;
  }

  /** So many bytes are durable. */
  get flushedBytes(): number {
    return this.#flushed;
  }

  hasRoom(key: string, bodyBytes: number): boolean {
    return this.#position + recordBytes(key, bodyBytes) <= this.#capacityBytes;
  }

  /** There must be room. Durable after `flush`. After an error nothing more is taken. */
  append(record: JournalRecord): void {
    if (this.#failure !== null) throw this.#failure.error;
    const bytes = encodeRecord(record, { at: this.#position, durableBytes: this.#flushed });
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#position + done);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
    this.#position += bytes.length;
    this.keys.push(record.key);
    this.live++;
  }

  /** Makes what has been appended durable. One flush at a time: the system tells of a failed one only once. */
  async flush(): Promise<void> {
    const wanted = this.#position;
    while (this.#flushed < wanted) {
      if (this.#failure !== null) throw this.#failure.error;
      if (this.#flushing !== null) await this.#flushing;
      else if (this.#flushMode.chooseInPlace()) this.#flushInPlace();
      else {
        this.#flushing = this.#flushInPool();
        await this.#flushing;
      }
    }
  }

  #flushInPlace(): void {
    const flushed = this.#position;
    const startedMs = performance.now();
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
    this.#flushed = flushed;
    this.#flushMode.note(performance.now() - startedMs);
  }

  async #flushInPool(): Promise<void> {
    const flushed = this.#position;
    const startedMs = performance.now();
    try {
      await fdatasyncAsync(this.#fd);
    } catch (error) {
      this.#failure = { error };
      throw error;
    } finally {
      this.#flushing = null;
    }
    this.#flushed = flushed;
    this.#flushMode.note(performance.now() - startedMs);
  }

  /** Once: nobody uses it, and nobody will. */
  close(): void {
    closeSync(this.#fd);
  }
}
