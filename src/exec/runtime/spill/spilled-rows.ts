/**
 * A sequence of rows in a file that several sequences may share. It is written in pieces, and read in order any number
 * of times. In memory are the rows not written yet, and for each reader the rows of one piece.
 */

import { bytesOfRow } from './row-bytes.ts';
import { decodeRows, encodeRows, type Row } from './row-codec.ts';
import type { SpillFile } from './spill-file.ts';
import type { SpillSpace } from './spill-space.ts';

const MOST_CHUNK_ROWS = 1024;

interface Chunk {
  readonly position: number;
  readonly length: number;
  /** The bytes that its rows take in memory. */
  readonly memoryBytes: number;
}

/** A sequence of rows in a file. */
export class SpilledRows {
  /** The number of rows appended. */
  count = 0;
  readonly space: SpillSpace;
  readonly file: SpillFile;
  readonly #chunks: Chunk[] = [];
  #rows: Row[] = [];
  #bytes = 0;

  constructor(space: SpillSpace, file: SpillFile) {
    this.space = space;
    this.file = file;
  }

  append(row: Row, bytes = bytesOfRow(row, this.space.limits)): void {
    this.space.memory.chargeBytes(bytes);
    this.#rows.push(row);
    this.#bytes += bytes;
    this.count++;
    if (this.#rows.length >= MOST_CHUNK_ROWS || this.#bytes >= this.space.chunkBytes) this.end();
  }

  /** Writes buffered rows; must be called before rows are read. */
  end(): void {
    if (this.#rows.length === 0) return;
    const { writer, memory } = this.space;
    writer.reset();
    encodeRows(this.#rows, writer);
    const length = writer.length;
    this.#chunks.push({ position: this.space.append(this.file), length, memoryBytes: this.#bytes });
    memory.release(this.#bytes);
    this.#rows = [];
    this.#bytes = 0;
  }

  reader(): RowReader {
    return new RowReader(this.space, this.file, this.#chunks);
  }
}

/** Reads a sequence of rows; stands before the first row until `advance` is called. */
export class RowReader {
  /** The current row; null before the first and behind the last one. */
  row: unknown[] | null = null;
  readonly #space: SpillSpace;
  readonly #file: SpillFile;
  readonly #chunks: readonly Chunk[];
  #nextChunk = 0;
  #rows: unknown[][] = [];
  #at = 0;
  #bytes = 0;

  constructor(space: SpillSpace, file: SpillFile, chunks: readonly Chunk[]) {
    this.#space = space;
    this.#file = file;
    this.#chunks = chunks;
  }

  /** Moves to the next row and returns it; null when there are no more. */
  advance(): unknown[] | null {
    if (this.#at === this.#rows.length) this.#load();
    this.row = this.#at < this.#rows.length ? this.#rows[this.#at++]! : null;
    return this.row;
  }

  /** Releases the memory of its rows. */
  close(): void {
    this.#space.memory.release(this.#bytes);
    this.#bytes = 0;
    this.#rows = [];
    this.#at = 0;
  }

  #load(): void {
    this.close();
    const chunk = this.#chunks[this.#nextChunk++];
    if (chunk === undefined) return;
    this.#space.memory.chargeBytes(chunk.memoryBytes);
    this.#bytes = chunk.memoryBytes;
    this.#rows = decodeRows(this.#space.read(this.#file, chunk.position, chunk.length));
  }
}
