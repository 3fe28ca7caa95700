/**
 * A file that an export writes, packed as asked. It has its name only once the export is complete: until then it ends
 * in `.part`, and an export that fails removes it. Text gathers to pieces of some 256 KiB; writing waits while the disk
 * is behind.
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
  /** For messages and the summary. */
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

  /** Standard output: it is not closed at the end. */
  static over(target: NodeJS.WritableStream, packing: Packing): OutputFile {
    return new OutputFile('-', target, packing, false);
  }

  /** Wait for `drained` from time to time. */
  text(text: string): void {
    this.#pending.push(text);
    this.#pendingLength += text.length;
  }

  async drained(): Promise<void> {
    if (this.#pendingLength >= PIECE_BYTES) await this.#write();
  }

  /** They belong to the file now. */
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

  /** Until there is room, or there will never be any. */
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

  /** Writes the rest. The file is complete, and has not its name yet. */
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

  /** Removes what was written. */
  async abandon(): Promise<void> {
    if (!this.#isFile) return;
    this.#packing?.unpipe();
    this.#target.end();
    await this.#done.catch(() => {});
    await rm(`${this.path}.part`, { force: true });
    await rm(this.path, { force: true });
  }
}

/** Faults of the disk, against which no other path would help. */
const FAULTS_OF_THE_DISK = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

/** STORE_UNAVAILABLE: the disk is full or at fault. ARGUMENT_ERROR: the path is. */
export function unwritable(path: string, error: unknown): GraphDBError {
  if (error instanceof GraphDBError) return error;
  if (FAULTS_OF_THE_DISK.has(errorCode(error))) return translateIoError(error, `write ${path}`);
  return new GraphDBError('ARGUMENT_ERROR', `cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}
