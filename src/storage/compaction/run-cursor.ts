/** Walks through the rows of one run in key order, a block at a time, while the next blocks are being read. */
import type { SstColumn, SstReader } from '../api.ts';
import { corruption } from '../faults.ts';
import { pauseIfDue } from '../files/background-thread.ts';
import { isVariableWidth } from '../sst/column-kinds.ts';
import type { RunBlock } from './run-list.ts';

/** A file, and its index (`input`) among all files that are merged. */
export interface RunFile {
  readonly reader: SstReader;
  readonly input: number;
  /** The number of rows of all files before this one. */
  readonly firstRow: number;
}

interface BlockPlace extends RunFile {
  readonly block: number;
}

/** A block that is being read. */
interface ComingBlock {
  readonly place: BlockPlace;
  readonly rows: number;
  readonly columns: readonly SstColumn[];
}

/** The most blocks to read ahead, so that requests to a distant store overlap; fewer when they have `ROWS_AHEAD` rows. */
const BLOCKS_AHEAD = 4;
const ROWS_AHEAD = 65_536;
/** The columns by which rows are merged. */
const KEY_COLUMNS = ['_ordinal', '_deleted', '_source', '_target'];

/** Walks through the rows of a run. */
export class RunCursor {
  readonly #places: Iterator<BlockPlace>;
  readonly #names: ReadonlySet<string> | undefined;
  readonly #coming: Promise<ComingBlock>[] = [];
  #file: RunFile;
  /** The row of the file at which the block begins. */
  #firstRow = 0;
  #block: RunBlock = { input: -1, columns: new Map(), ordinals: new Uint32Array(0), deleted: null, firstPosition: 0 };
  #rows = 0;
  #sources: Uint32Array | null = null;
  #targets: Uint32Array | null = null;
  #textOffsets: readonly Uint32Array[] = [];
  /** The next row of the block. */
  row = 0;

  private constructor(files: readonly RunFile[], names: ReadonlySet<string> | undefined) {
    this.#file = files[0]!;
    this.#names = names;
    this.#places = placesOf(files);
    this.#fetch();
  }

  /**
   * Opens a cursor at the first row of a run. The files, at least one, must not overlap, and must be in the order of
   * their keys. `names` are the columns to read besides the system columns; all when left out.
   */
  static async open(files: readonly RunFile[], names?: ReadonlySet<string>): Promise<RunCursor> {
    const cursor = new RunCursor(files, names === undefined ? undefined : new Set([...names, ...KEY_COLUMNS]));
    await cursor.loadBlock();
    return cursor;
  }

  /** The current block of the cursor. */
  get block(): RunBlock {
    return this.#block;
  }

  get atBlockEnd(): boolean {
    return this.row === this.#rows;
  }

  /** Moves to the next block; false when the run has ended. */
  async loadBlock(): Promise<boolean> {
    const coming = await this.#coming.shift();
    if (coming === undefined) return false;
    this.#fetch();
    this.#takeBlock(coming);
    return true;
  }

  #fetch(): void {
    let rows = 0;
    while (this.#coming.length < BLOCKS_AHEAD) {
      const next = this.#places.next();
      if (next.done === true) return;
      const reading = readBlock(next.value, this.#names);
      reading.catch(() => {}); // Thrown where it is awaited.
      this.#coming.push(reading);
      const { rows: inFile, blockCount } = next.value.reader.file;
      rows += inFile / blockCount;
      if (rows >= ROWS_AHEAD) return;
    }
  }

  /** Compares the rows of two cursors: negative when this cursor's row comes first, 0 when both are of one entity. */
  compare(other: RunCursor): number {
    return this.#compareRow(this.row, other);
  }

  /** Counts the rows from the cursor to the end of its block that come before the other cursor's row. */
  rowsBefore(other: RunCursor): number {
    let low = this.row;
    let high = this.#rows;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareRow(middle, other) < 0) low = middle + 1;
      else high = middle;
    }
    return low - this.row;
  }

  /** Returns the bytes of text in the rows from `from` to before `to` of the block. */
  textBytes(from: number, to: number): number {
    let bytes = 0;
    for (const offsets of this.#textOffsets) bytes += offsets[to]! - offsets[from]!;
    return bytes;
  }

  get rowsLeft(): number {
    return this.#rows - this.row;
  }

  #compareRow(row: number, other: RunCursor): number {
    if (this.#sources !== null) {
      const bySource = this.#sources[row]! - other.#sources![other.row]!;
      if (bySource !== 0) return bySource;
      const byTarget = this.#targets![row]! - other.#targets![other.row]!;
      if (byTarget !== 0) return byTarget;
    }
    return this.#block.ordinals[row]! - other.#block.ordinals[other.row]!;
  }

  #takeBlock({ place, rows, columns }: ComingBlock): void {
    const { file } = place.reader;
    const byName = new Map(columns.map((column) => [column.name, column]));
    this.#firstRow = place.block === 0 ? 0 : this.#firstRow + this.#rows;
    this.#file = place;
    this.#rows = rows;
    const key = (name: string): Uint32Array => this.#key(byName.get(name), name);
    const ordinals = file.denseOrdinals ? countUp(file.minOrdinal + this.#firstRow, rows) : key('_ordinal');
    this.#sources = byName.has('_source') ? key('_source') : null;
    this.#targets = this.#sources === null ? null : key('_target');
    const deleted = (byName.get('_deleted')?.values ?? null) as Uint8Array | null;
    this.#block = { input: place.input, columns: byName, ordinals, deleted, firstPosition: place.firstRow + this.#firstRow };
    this.#textOffsets = columns.filter(({ kind }) => isVariableWidth(kind)).map(({ values }) => values as Uint32Array);
    this.row = 0;
    this.#checkOrder();
    pauseIfDue();
  }

  #key(column: SstColumn | undefined, name: string): Uint32Array {
    if (column?.kind !== 'uint32' || column.valid !== null) throw corruption(this.#file.reader.file.key, `it has no proper column ${name}`);
    return column.values as Uint32Array;
  }

  #checkOrder(): void {
    const sources = this.#sources;
    const targets = this.#targets;
    const { ordinals } = this.#block;
    for (let row = 1; row < this.#rows; row++) {
      let order = sources === null ? 0 : sources[row]! - sources[row - 1]!;
      if (order === 0 && targets !== null) order = targets[row]! - targets[row - 1]!;
      if (order === 0) order = ordinals[row]! - ordinals[row - 1]!;
      if (order <= 0) throw corruption(this.#file.reader.file.key, 'its rows are not in order');
    }
  }
}

function* placesOf(files: readonly RunFile[]): Generator<BlockPlace> {
  for (const file of files) for (let block = 0; block < file.reader.file.blockCount; block++) yield { ...file, block };
}

async function readBlock(place: BlockPlace, names: ReadonlySet<string> | undefined): Promise<ComingBlock> {
  const { reader, block } = place;
  const { blocks } = await reader.readLayout();
  return { place, rows: blocks[block]!.rows, columns: await reader.readBlock(block, names) };
}

function countUp(first: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let index = 0; index < count; index++) numbers[index] = first + index;
  return numbers;
}
