/** The bytes of an input file, decompressed if its name ends in `.gz` or `.zst`. */
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { GraphDBError } from '../../base/index.ts';

/** A sequential reader of an input file. */
export interface ByteSource {
  /** Fills `target`, and returns the number of bytes, which is smaller than `target` only at the end of the file. */
  read(target: Uint8Array): Promise<number>;
  /** The number of bytes of the file, still compressed, that have been read so far. */
  readonly position: number;
  close(): Promise<void>;
}

/** Opens an input file. @throws ARGUMENT_ERROR, which names the file, if it cannot be opened */
export async function openByteSource(path: string): Promise<ByteSource> {
  const handle = await translated(path, () => open(path, 'r'));
  if (path.endsWith('.gz')) return new PackedSource(path, handle, createGunzip());
  if (path.endsWith('.zst')) return new PackedSource(path, handle, createZstdDecompress());
  return new PlainSource(path, handle);
}

async function translated<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Makes the ARGUMENT_ERROR for a file that cannot be read. */
export function unreadable(path: string, error: unknown): GraphDBError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = code === 'ENOENT' ? 'no such file' : error instanceof Error ? error.message : String(error);
  return new GraphDBError('ARGUMENT_ERROR', `cannot read ${path}: ${reason}`, { cause: error });
}

class PlainSource implements ByteSource {
  position = 0;
  readonly #path: string;
  readonly #handle: FileHandle;

  constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  async read(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length) {
      const { bytesRead } = await translated(this.#path, () => this.#handle.read(target, filled, target.length - filled, null));
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.position += filled;
    return filled;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

const PACKED_READ_BYTES = 256 * 1024;

class PackedSource implements ByteSource {
  position = 0;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #packed: Readable;
  readonly #pieces: AsyncIterator<Buffer>;
  /** The decompressed bytes that have not been asked for yet. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string, handle: FileHandle, unpacking: ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>) {
    this.#path = path;
    this.#handle = handle;
    this.#packed = Readable.from(this.#readPacked());
    this.#packed.on('error', (error) => unpacking.destroy(error));
    this.#pieces = this.#packed.pipe(unpacking)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async *#readPacked(): AsyncGenerator<Buffer> {
    for (;;) {
      const buffer = Buffer.allocUnsafe(PACKED_READ_BYTES);
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      this.position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async read(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length) {
      if (this.#rest.length === 0) {
        const next = await translated(this.#path, () => this.#pieces.next());
        if (next.done === true) break;
        this.#rest = next.value;
      }
      const taken = this.#rest.subarray(0, target.length - filled);
      target.set(taken, filled);
      filled += taken.length;
      this.#rest = this.#rest.subarray(taken.length);
    }
    return filled;
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
    this.#packed.destroy();
    await this.#handle.close();
  }
}
