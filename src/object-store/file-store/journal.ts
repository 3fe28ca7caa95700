/**
 * One journal file of one process: zeros laid down and synced when it is created, overwritten from the front. Making a record durable then changes
 * no size and no name, and costs one flush of the disk.
 */

import { closeSync, fdatasync, fdatasyncSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder, writeNewFile } from './durable-files.ts';
import type { FlushMode } from './flush-mode.ts';
import { encodeHeader, encodeRecord, HEADER_BYTES, type JournalRecord, recordBytes } from './journal-format.ts';

const fdatasyncAsync = promisify(fdatasync);

export interface JournalOptions {
  readonly path: string;
  readonly bootId: string;
  readonly capacityBytes: number;
  readonly flushMode: FlushMode;
}

export class Journal {
  readonly path: string;
  /** What must be durable by itself before this file may go: key to inode. */
  readonly objects = new Map<string, number>();
  /** Of these objects no journal says that they were deleted. */
  readonly deleted = new Map<string, number>();
  readonly #fd: number;
  readonly #inode: number;
  readonly #capacityBytes: number;
  readonly #flushMode: FlushMode;
  #position = HEADER_BYTES;
  #users = 0;
  #onIdle: (() => void)[] = [];

  private constructor(options: JournalOptions, fd: number, inode: number) {
    this.path = options.path;
    this.#fd = fd;
    this.#inode = inode;
    this.#capacityBytes = options.capacityBytes;
    this.#flushMode = options.flushMode;
  }

  /** Durable, name and all, when it resolves. The folder exists. */
  static async create(options: JournalOptions): Promise<Journal> {
    const zeros = Buffer.alloc(options.capacityBytes);
    encodeHeader(options.bootId).copy(zeros);
    await writeNewFile(options.path, zeros);
    await syncFolder(dirname(options.path));
    const fd = openSync(options.path, 'r+');
    return new Journal(options, fd, statSync(options.path).ino);
  }

  get filled(): number {
    return this.#position / this.#capacityBytes;
  }

  hasRoom(key: string, bodyBytes: number): boolean {
    return this.#position + recordBytes(key, bodyBytes) <= this.#capacityBytes;
  }

  /** There must be room. Durable after `flush`. */
  append(record: JournalRecord): void {
    const bytes = encodeRecord(record);
    const position = this.#position;
    this.#position += bytes.length;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done, bytes.length - done, position + done);
  }

  async flush(): Promise<void> {
    const startedMs = performance.now();
    if (this.#flushMode.chooseInPlace()) fdatasyncSync(this.#fd);
    else await fdatasyncAsync(this.#fd);
    this.#flushMode.note(performance.now() - startedMs);
  }

  /** False once another process has sealed it, or the folder is gone: records appended since count for nothing. */
  isCurrent(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** Counts who is between `append` and the answer: the file is not closed under them. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await work();
    } finally {
      this.#users--;
      if (this.#users === 0) for (const wake of this.#onIdle.splice(0)) wake();
    }
  }

  async whenIdle(): Promise<void> {
    if (this.#users > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Once: nobody uses it, and nobody will. */
  close(): void {
    closeSync(this.#fd);
  }
}
