/** Walks through the rows of one file in key order, a block at a time, with the next block already on its way. */
import type { SstColumn, SstReader } from '../api.ts';
import { corruption } from '../faults.ts';
import { isVariableWidth } from '../sst/column-kinds.ts';

export class FileCursor {
  readonly #reader: SstReader;
  #nextBlock = 0;
  #coming: Promise<readonly SstColumn[]> | null = null;
  #fileRow = 0;
  #columns: ReadonlyMap<string, SstColumn> = new Map();
  #rows = 0;
  #ordinals: Uint32Array = new Uint32Array(0);
  #sources: Uint32Array | null = null;
  #targets: Uint32Array | null = null;
  #deleted: Uint8Array | null = null;
  #textOffsets: readonly Uint32Array[] = [];
  /** The next row of the block. */
  row = 0;
  /** Its place among the files that are merged. */
  readonly input: number;

  private constructor(reader: SstReader, input: number) {
    this.#reader = reader;
    this.input = input;
  }

  static async open(reader: SstReader, input: number): Promise<FileCursor> {
    const cursor = new FileCursor(reader, input);
    await cursor.loadBlock();
    return cursor;
  }

  /** Columns of the block by name. */
  get columns(): ReadonlyMap<string, SstColumn> {
    return this.#columns;
  }

  get ordinals(): Uint32Array {
    return this.#ordinals;
  }

  /** Null: no row of the block is a tombstone. */
  get deleted(): Uint8Array | null {
    return this.#deleted;
  }

  get atBlockEnd(): boolean {
    return this.row === this.#rows;
  }

  /** Goes to the next block. False: the file has ended. */
  async loadBlock(): Promise<boolean> {
    const { blocks } = this.#reader.file;
    const block = blocks[this.#nextBlock];
    if (block === undefined) return false;
    const columns = await (this.#coming ?? this.#reader.readBlock(this.#nextBlock));
    this.#nextBlock++;
    this.#coming = this.#nextBlock < blocks.length ? this.#reader.readBlock(this.#nextBlock) : null;
    this.#coming?.catch(() => {}); // Thrown where it is awaited.
    this.#takeBlock(columns, block.rows);
    return true;
  }

  /** Negative: this cursor's row comes first; 0: both rows are of one entity. */
  compare(other: FileCursor): number {
    return this.#compareRow(this.row, other);
  }

  /** How many rows of the block, from here, come before the other cursor's row. */
  rowsBefore(other: FileCursor): number {
    let low = this.row;
    let high = this.#rows;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareRow(middle, other) < 0) low = middle + 1;
      else high = middle;
    }
    return low - this.row;
  }

  /** Bytes of text in these rows of the block. */
  textBytes(from: number, to: number): number {
    let bytes = 0;
    for (const offsets of this.#textOffsets) bytes += offsets[to]! - offsets[from]!;
    return bytes;
  }

  get rowsLeft(): number {
    return this.#rows - this.row;
  }

  #compareRow(row: number, other: FileCursor): number {
    if (this.#sources !== null) {
      const bySource = this.#sources[row]! - other.#sources![other.row]!;
      if (bySource !== 0) return bySource;
      const byTarget = this.#targets![row]! - other.#targets![other.row]!;
      if (byTarget !== 0) return byTarget;
    }
    return this.#ordinals[row]! - other.#ordinals[other.row]!;
  }

  #takeBlock(columns: readonly SstColumn[], rows: number): void {
    const { file } = this.#reader;
    const byName = new Map(columns.map((column) => [column.name, column]));
    const firstOrdinal = file.minOrdinal + this.#fileRow;
    this.#columns = byName;
    this.#rows = rows;
    this.#ordinals = file.denseOrdinals ? countUp(firstOrdinal, rows) : this.#key('_ordinal');
    this.#sources = byName.has('_source') ? this.#key('_source') : null;
    this.#targets = this.#sources === null ? null : this.#key('_target');
    const deleted = byName.get('_deleted');
    this.#deleted = deleted === undefined ? null : (deleted.values as Uint8Array);
    this.#textOffsets = columns.filter(({ kind }) => isVariableWidth(kind)).map(({ values }) => values as Uint32Array);
    this.#fileRow += rows;
    this.row = 0;
    this.#checkOrder();
  }

  #key(name: string): Uint32Array {
    const column = this.#columns.get(name);
    if (column?.kind !== 'uint32' || column.valid !== null) throw corruption(this.#reader.file.key, `it has no proper column ${name}`);
    return column.values as Uint32Array;
  }

  #checkOrder(): void {
    const sources = this.#sources;
    const targets = this.#targets;
    const ordinals = this.#ordinals;
    for (let row = 1; row < this.#rows; row++) {
      let order = sources === null ? 0 : sources[row]! - sources[row - 1]!;
      if (order === 0 && targets !== null) order = targets[row]! - targets[row - 1]!;
      if (order === 0) order = ordinals[row]! - ordinals[row - 1]!;
      if (order <= 0) throw corruption(this.#reader.file.key, 'its rows are not in order');
    }
  }
}

function countUp(first: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let index = 0; index < count; index++) numbers[index] = first + index;
  return numbers;
}
