/**
 * A file that an export writes, compressed if asked for. Its name ends in `.part` until the whole export is complete;
 * an export that fails removes it. Text is gathered to pieces of some 256 KiB, and writing waits while the disk is
 * behind.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { GraphDBError } from '../../base/index.ts';
import { errorCode, translateIoError } from '../../object-store/index.ts';
import type { ExportedFile, Packing } from './api.ts';

const PIECE_BYTES = 256 * 1024;
const GZIP_LEVEL = 6;

/** A file that an export writes. */
export class OutputFile {
  /** The path of the file, for messages and the summary. */
  readonly path: string;
  rows = 0;
  readonly #target: NodeJS.WritableStream;
  readonly #isFile: boolean;
  readonly #packing: NodeJS.ReadWriteStream | null;
  readonly #done: Promise<void>;
  #pending: string[] = [];
  #pendingLength = 0;
  #failure: unknown = null;

  private constructor(path: string, target: NodeJS.WritableStream, packing: Packing, isFile: boolean) {
    this.path = path;
    this.#target = target;
    this.#isFile = isFile;
    this.#packing = packing === 'none' ? null : packing === 'gzip' ? createGzip({ level: GZIP_LEVEL }) : createZstdCompress();
    this.#packing?.pipe(target, { end: isFile });
    this.#done = isFile ? finished(target) : this.#packing === null ? Promise.resolve() : finished(this.#packing);
    this.#done.catch((error: unknown) => {
      this.#failure = error;
    });
    this.#packing?.on('error', (error) => {
      this.#failure = error;
    });
  }

  static create(path: string, packing: Packing): OutputFile {
    return new OutputFile(path, createWriteStream(`${path}.part`), packing, true);
  }

  /** Writes to a stream such as standard output, which is not closed at the end. */
  static over(target: NodeJS.WritableStream, packing: Packing): OutputFile {
    return new OutputFile('-', target, packing, false);
  }

  /** Adds text. The caller must await `drained` from time to time. */
  text(text: string): void {
    this.#pending.push(text);
    this.#pendingLength += text.length;
  }

  async drained(): Promise<void> {
    if (this.#pendingLength >= PIECE_BYTES) await this.#write();
  }

  /** Writes bytes, which belong to the file from then on. */
  async bytes(bytes: Uint8Array): Promise<void> {
    await this.#write();
    await this.#put(bytes);
  }

  async #write(): Promise<void> {
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingLength = 0;
    if (text !== '') await this.#put(text);
  }

  async #put(piece: string | Uint8Array): Promise<void> {
    this.#check();
    const stream = this.#packing ?? this.#target;
    if (stream.write(piece)) return;
    await this.#drain(stream);
    this.#check();
  }

  /** Waits until the stream has room, or is closed. */
  async #drain(stream: NodeJS.WritableStream): Promise<void> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const ends = [once(stream, 'drain', { signal }), once(stream, 'close', { signal }), ...(this.#isFile ? [this.#done] : [])];
    for (const end of ends) end.catch(() => {}); // Of the one that came first only it is of interest that it came.
    await Promise.race(ends).catch(() => {});
    waiting.abort();
  }

  #check(): void {
    if (this.#failure !== null) throw unwritable(this.path, this.#failure);
  }

  /** Writes the rest. The file is complete then, but still ends in `.part`. */
  async finish(): Promise<void> {
    await this.#write();
    try {
      if (this.#packing !== null) this.#packing.end();
      else if (this.#isFile) this.#target.end();
      await this.#done;
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  /** Gives a finished file its name. */
  async publish(): Promise<ExportedFile> {
    const { path, rows } = this;
    if (!this.#isFile) return { path, rows, bytes: 0 };
    try {
      await rename(`${path}.part`, path);
      return { path, rows, bytes: (await stat(path)).size };
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  /** Closes the file and removes it. */
  async abandon(): Promise<void> {
    if (!this.#isFile) return;
    this.#packing?.unpipe();
    this.#target.end();
    await this.#done.catch(() => {});
    await rm(`${this.path}.part`, { force: true });
    await rm(this.path, { force: true });
  }
}

/** Codes of disk faults, which another path would not avoid. */
const FAULTS_OF_THE_DISK = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

/** Returns the error for a file that cannot be written: STORE_UNAVAILABLE for a full or faulty disk, else ARGUMENT_ERROR. */
export function unwritable(path: string, error: unknown): GraphDBError {
  if (error instanceof GraphDBError) return error;
  if (FAULTS_OF_THE_DISK.has(errorCode(error))) return translateIoError(error, `write ${path}`);
  return new GraphDBError('ARGUMENT_ERROR', `cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}
