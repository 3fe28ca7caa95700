/** Keeps all rows of an input in order, in memory or in a file, to be read any number of times. */
import { bytesOfRow } from './row-bytes.ts';
import type { Row } from './row-codec.ts';
import type { SpillSpace } from './spill-space.ts';
import { SpilledRows } from './spilled-rows.ts';

/** All rows of an input in their order. */
export class RowList {
  readonly #space: SpillSpace;
  /** The rows in memory, which follow the written ones. */
  #rows: Row[] = [];
  #bytes = 0;
  #written: SpilledRows | null = null;

  constructor(space: SpillSpace) {
    this.#space = space;
  }

  get length(): number {
    return this.#rows.length + (this.#written?.count ?? 0);
  }

  /** Adds a row. Returns true when the rows in memory must be written with `flush`. */
  push(row: Row): boolean {
    const bytes = bytesOfRow(row, this.#space.limits);
    this.#space.memory.chargeBytes(bytes);
    this.#bytes += bytes;
    this.#rows.push(row);
    return this.#space.isFull(this.#rows.length, this.#bytes);
  }

  *flush(): Generator<null, void, void> {
    this.#written ??= new SpilledRows(this.#space, this.#space.open());
    for (const row of this.#rows) {
      if (this.#space.limits.worked(1)) yield null;
      this.#written.append(row);
    }
    this.#written.end();
    this.#rows = [];
    this.#space.releaseWritten(this.#bytes);
    this.#bytes = 0;
  }

  /** Yields the rows in order; null where other statements should run. */
  *rows(): Generator<Row | null, void, void> {
    const { limits } = this.#space;
    const reader = this.#written?.reader();
    try {
      while (reader !== undefined && reader.advance() !== null) {
        if (limits.worked(1)) yield null;
        yield reader.row;
      }
    } finally {
      reader?.close();
    }
    for (const row of this.#rows) {
      if (limits.worked(1)) yield null;
      yield row;
    }
  }

  /** Frees the memory and the file; the list must not be read afterwards. */
  close(): void {
    this.#space.memory.release(this.#bytes);
    this.#bytes = 0;
    this.#rows = [];
    if (this.#written !== null) this.#space.giveBack(this.#written.file);
    this.#written = null;
  }
}
