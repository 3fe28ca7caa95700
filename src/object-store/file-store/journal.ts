/**
 * One journal file of an owner, filled with zeros and synced when it is created, then overwritten from the front. So
 * appending a record changes neither size nor name, and costs one synchronous write of whole blocks.
 */

import { closeSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { monotonicMs } from '../../base/index.ts';
import { allocateAligned, BLOCK_BYTES, openForDurableBlocks } from './durable-blocks.ts';
import { removeIfThere, syncFolder, writeNewFile } from './durable-files.ts';
import type { FlushMode } from './flush-mode.ts';
import { encodeHeader, encodeRecord, HEADER_BYTES, type JournalRecord, recordBytes } from './journal-format.ts';

const writeAsync = promisify(write);

/** The options of a journal. */
export interface JournalOptions {
  readonly path: string;
  readonly number: number;
  readonly capacityBytes: number;
  readonly flushMode: FlushMode;
}

/** The most bytes of one write; a larger flush takes several writes. */
const STAGE_BYTES = 32 * BLOCK_BYTES;

/** A journal of an owner. */
export class Journal {
  readonly path: string;
  readonly number: number;
  /** The keys of all records of the journal. */
  readonly keys: string[] = [];
  /** How many objects of the journal have not been deleted. */
  live = 0;
  readonly #fd: number;
  readonly #capacityBytes: number;
  readonly #flushMode: FlushMode;
  /** The content that the file has once everything is flushed. */
  #image: Buffer;
  /** A copy of the bytes that are being written, to which no append writes meanwhile. */
  #stage = allocateAligned(STAGE_BYTES);
  #position = HEADER_BYTES;
  #flushed = HEADER_BYTES;
  #flushing: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  private constructor(options: JournalOptions, fd: number, image: Buffer) {
    this.path = options.path;
    this.number = options.number;
    this.#fd = fd;
    this.#capacityBytes = options.capacityBytes;
    this.#flushMode = options.flushMode;
    this.#image = image;
  }

  /** Creates a journal, whose name and content are durable when the promise resolves. The folder must exist. */
  static async create(options: JournalOptions): Promise<Journal> {
    const image = Buffer.alloc(Math.ceil(options.capacityBytes / BLOCK_BYTES) * BLOCK_BYTES);
    encodeHeader().copy(image);
    try {
      await writeNewFile(options.path, image);
      await syncFolder(dirname(options.path));
      return new Journal(options, openForDurableBlocks(options.path), image);
    } catch (error) {
      removeIfThere(options.path);
      throw error;
    }
  }

  get filled(): number {
    return this.#position / this.#capacityBytes;
  }

  /** How many bytes of the journal are durable. */
  get flushedBytes(): number {
    return this.#flushed;
  }

  /** Whether all records are durable. */
  get isFlushed(): boolean {
    return this.#flushed === this.#position;
  }

  hasRoom(key: string, bodyBytes: number): boolean {
    return this.#position + recordBytes(key, bodyBytes) <= this.#capacityBytes;
  }

  /** Appends a record, which is durable after `flush`. There must be room. Throws when an earlier flush has failed. */
  append(record: JournalRecord): void {
    if (this.#failure !== null) throw this.#failure.error;
    this.#position += encodeRecord(record, { into: this.#image, at: this.#position, durableBytes: this.#flushed });
    this.keys.push(record.key);
    this.live++;
  }

  /**
   * Makes all appended records durable; null when they are durable on return. Flushes run one at a time, since the
   * system reports a failed one only once. `meanwhile` is called while a flush runs in the thread pool.
   */
  flush(meanwhile: () => void = () => {}): Promise<void> | null {
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#flushing !== null || !this.#flushMode.chooseInPlace()) return this.#flushUntil(this.#position, meanwhile);
    this.#flushInPlace();
    return null;
  }

  async #flushUntil(wanted: number, meanwhile: () => void): Promise<void> {
    while (this.#flushed < wanted) {
      if (this.#failure !== null) throw this.#failure.error;
      if (this.#flushing === null) {
        this.#flushing = this.#flushInPool();
        meanwhile();
      }
      await this.#flushing;
    }
  }

  #flushInPlace(): void {
    const end = this.#position;
    const startedMs = monotonicMs();
    try {
      for (let at = blockOf(this.#flushed); at < end; ) {
        const staged = this.#stageFrom(at, end);
        at += wholeBlocks(writeSync(this.#fd, staged, 0, staged.length, at));
      }
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
    this.#flushed = end;
    this.#flushMode.note(monotonicMs() - startedMs, { inPlace: true });
  }

  async #flushInPool(): Promise<void> {
    const end = this.#position;
    const startedMs = monotonicMs();
    try {
      for (let at = blockOf(this.#flushed); at < end; ) {
        const staged = this.#stageFrom(at, end);
        at += wholeBlocks((await writeAsync(this.#fd, staged, 0, staged.length, at)).bytesWritten);
      }
    } catch (error) {
      this.#failure = { error };
      throw error;
    } finally {
      this.#flushing = null;
    }
    this.#flushed = end;
    this.#flushMode.note(monotonicMs() - startedMs, { inPlace: false });
  }

  #stageFrom(at: number, end: number): Uint8Array {
    const length = Math.min(blockOf(end - 1) + BLOCK_BYTES - at, STAGE_BYTES);
    this.#image.copy(this.#stage, 0, at, at + length);
    return this.#stage.subarray(0, length);
  }

  /** Releases the memory of a journal that is flushed, and to which nothing more will be appended. */
  seal(): void {
    this.#image = Buffer.alloc(0);
    this.#stage = new Uint8Array(0);
  }

  /** Closes the file, once; the journal must not be used afterwards. */
  close(): void {
    closeSync(this.#fd);
  }
}

function blockOf(position: number): number {
  return position - (position % BLOCK_BYTES);
}

/** Returns the bytes of whole blocks of a write that may have ended early: the next one begins at a block again. */
function wholeBlocks(bytesWritten: number): number {
  if (bytesWritten < BLOCK_BYTES) throw new Error(`only ${bytesWritten} bytes of a block of ${BLOCK_BYTES} were written`);
  return blockOf(bytesWritten);
}
