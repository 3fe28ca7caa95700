/** The temporary files of one statement, and when its operators are to write what they hold. */
import { statfsSync } from 'node:fs';
import { ByteWriter, GraphDBError, KnownGarbage } from '../../../base/index.ts';
import type { Limits } from '../limits.ts';
import type { MemoryAccount } from '../rows/memory-account.ts';
import { SpillFile } from './spill-file.ts';

/** The options of temporary files. */
export interface SpillOptions {
  /** null: the system's directory for temporary files. */
  readonly directory: string | null;
  /**
   * Bytes of the files that one statement may have at a time; null: a tenth of the disk of `directory`, without one as
   * many as there is room for.
   */
  readonly mostBytes: number | null;
  /**
   * Statements hold rows in files from their beginning, and operators write so many rows at a time, however much memory
   * there is; null: as memory calls for.
   */
  readonly afterRows: number | null;
}

/** Smaller states than this part of the memory are not worth writing. */
const LEAST_SHARE = 1 / 32;
/** Rows that are written together take this part of the memory. */
const CHUNK_SHARE = 1 / 512;
const LEAST_CHUNK_BYTES = 2048;
const MOST_CHUNK_BYTES = 2 ** 18;

/** The temporary files of one statement. */
export class SpillSpace {
  /** The statement has had a file. */
  wasUsed = false;
  readonly memory: MemoryAccount;
  readonly limits: Limits;
  /** In memory, of rows that are written together. */
  readonly chunkBytes: number;
  /** For rows on their way to a file. */
  readonly writer = new ByteWriter();
  readonly #options: SpillOptions;
  readonly #files = new Set<SpillFile>();
  readonly #garbage = new KnownGarbage();
  #readBuffer = new Uint8Array(0);
  #bytes = 0;
  /** null: not known yet. */
  #mostBytes: number | null = null;

  constructor(options: SpillOptions, memory: MemoryAccount, limits: Limits) {
    this.#options = options;
    this.memory = memory;
    this.limits = limits;
    this.chunkBytes = Math.max(LEAST_CHUNK_BYTES, Math.min(MOST_CHUNK_BYTES, memory.limit * CHUNK_SHARE));
  }

  /** Whether an operator that holds so many rows, and bytes, is to write them. */
  isFull(rows: number, bytes: number): boolean {
    const { afterRows } = this.#options;
    if (afterRows !== null && rows >= afterRows) return true;
    return this.memory.isPressed && bytes > this.memory.limit * LEAST_SHARE;
  }

  /** A new file; whoever made it gives it back. MEMORY_LIMIT: it cannot be made */
  open(): SpillFile {
    this.wasUsed = true;
    const file = new SpillFile(this.#options.directory);
    this.#mostBytes ??= mostBytesOf(this.#options);
    this.#files.add(file);
    return file;
  }

  /** Writes what is in `writer`. @returns where it begins. MEMORY_LIMIT: there is no room */
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
   * Releases so many bytes that an operator held and has written, to which nothing refers any more. Only a collection
   * makes room for what it will hold next.
   */
  releaseWritten(bytes: number): void {
    this.memory.release(bytes);
    this.#garbage.add(bytes);
    this.#garbage.collectIfMuch();
  }

  /** Valid until the next call. */
  read(file: SpillFile, position: number, length: number): Uint8Array {
    if (this.#readBuffer.length < length) this.#readBuffer = new Uint8Array(2 * length);
    const bytes = this.#readBuffer.subarray(0, length);
    this.limits.count(length >> 6);
    file.read(bytes, position);
    return bytes;
  }

  /** Frees the room of a file that nobody reads any more. */
  giveBack(file: SpillFile): void {
    if (!this.#files.delete(file)) return;
    this.#bytes -= file.length;
    file.close();
  }

  /** Q3: the statement has ended, in whatever way. */
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
