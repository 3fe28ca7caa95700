/** The temporary files of one statement, and the decision when its operators write their rows to them. */
import { statfsSync } from 'node:fs';
import { ByteWriter, GraphDBError, KnownGarbage } from '../../../base/index.ts';
import type { Limits } from '../limits.ts';
import type { MemoryAccount } from '../rows/memory-account.ts';
import { SpillFile } from './spill-file.ts';

/** Options of temporary files. */
export interface SpillOptions {
  /** The directory of the files; null for the system's temporary directory. */
  readonly directory: string | null;
  /**
   * The most bytes that the files of one statement may take together, beyond which it fails with MEMORY_LIMIT. Null for
   * a tenth of the disk that holds `directory`, or for no limit if `directory` is null.
   */
  readonly mostBytes: number | null;
  /**
   * Set to make statements use files from their beginning: operators then write rows whenever they hold this many,
   * regardless of memory. Null to write rows only under memory pressure.
   */
  readonly afterRows: number | null;
}

/** The share of the memory limit that an operator must hold before its rows are worth writing. */
const LEAST_SHARE = 1 / 32;
/** The share of the memory limit that rows written together take. */
const CHUNK_SHARE = 1 / 512;
const LEAST_CHUNK_BYTES = 2048;
const MOST_CHUNK_BYTES = 2 ** 18;

/** The temporary files of one statement. */
export class SpillSpace {
  /** Whether the statement has made a file. */
  wasUsed = false;
  readonly memory: MemoryAccount;
  readonly limits: Limits;
  /** The memory, in bytes, of rows that are written together. */
  readonly chunkBytes: number;
  /** A buffer for rows on their way to a file. */
  readonly writer = new ByteWriter();
  readonly #options: SpillOptions;
  readonly #files = new Set<SpillFile>();
  readonly #garbage = new KnownGarbage();
  #readBuffer = new Uint8Array(0);
  #bytes = 0;
  /** The most bytes that all files may take together; null until the first file is made. */
  #mostBytes: number | null = null;

  constructor(options: SpillOptions, memory: MemoryAccount, limits: Limits) {
    this.#options = options;
    this.memory = memory;
    this.limits = limits;
    this.chunkBytes = Math.max(LEAST_CHUNK_BYTES, Math.min(MOST_CHUNK_BYTES, memory.limit * CHUNK_SHARE));
  }

  /** Tells whether an operator that holds this many rows and bytes must write them. */
  isFull(rows: number, bytes: number): boolean {
    const { afterRows } = this.#options;
    if (afterRows !== null && rows >= afterRows) return true;
    return this.memory.isPressed && bytes > this.memory.limit * LEAST_SHARE;
  }

  /** Makes a file, to be returned with `giveBack`. @throws MEMORY_LIMIT if the file cannot be made */
  open(): SpillFile {
    this.wasUsed = true;
    const file = new SpillFile(this.#options.directory);
    this.#mostBytes ??= mostBytesOf(this.#options);
    this.#files.add(file);
    return file;
  }

  /** Appends the content of `writer` to a file. Returns its position. @throws MEMORY_LIMIT if there is no space */
  append(file: SpillFile): number {
    const bytes = this.writer.view();
    this.#bytes += bytes.length;
    if (this.#bytes > this.#mostBytes!) {
      throw new GraphDBError(
        'MEMORY_LIMIT',
        `the statement needs more than its memory limit, and more than the ${this.#mostBytes} bytes that its temporary files ` +
          'may take; allow it more',
      );
    }
    this.limits.count(bytes.length >> 6);
    return file.append(bytes);
  }

  /**
   * Releases bytes that an operator has written and no longer refers to, and collects garbage if there is much of it,
   * because the memory is only free for further rows after a collection.
   */
  releaseWritten(bytes: number): void {
    this.memory.release(bytes);
    this.#garbage.add(bytes);
    this.#garbage.collectIfMuch();
  }

  /** Reads bytes of a file into a shared buffer; the result is valid until the next call. */
  read(file: SpillFile, position: number, length: number): Uint8Array {
    if (this.#readBuffer.length < length) this.#readBuffer = new Uint8Array(2 * length);
    const bytes = this.#readBuffer.subarray(0, length);
    this.limits.count(length >> 6);
    file.read(bytes, position);
    return bytes;
  }

  /** Closes a file and frees its space. */
  giveBack(file: SpillFile): void {
    if (!this.#files.delete(file)) return;
    this.#bytes -= file.length;
    file.close();
  }

  /** Closes all files. Called when the statement ends in any way (requirement Q3). */
  close(): void {
    for (const file of this.#files) file.close();
    this.#files.clear();
  }
}

function mostBytesOf({ directory, mostBytes }: SpillOptions): number {
  if (mostBytes !== null) return mostBytes;
  if (directory === null) return Number.POSITIVE_INFINITY;
  const { bsize, blocks } = statfsSync(directory);
  return (bsize * blocks) / 10;
}
