/** A column in files that is read by page: a look-up of a row reads some thousand rows around it. */
import { assert } from '../../base/index.ts';
import type { SstLayout, SstReader } from '../../storage/index.ts';
import type { Value } from '../../value/index.ts';
import { ColumnPart } from './column-part.ts';
import { FileLayouts } from './file-layouts.ts';
import { lastAtMost } from './last-at-most.ts';
import type { PageCache } from './page-cache.ts';
import { type Missing, noteMissing } from './page-faults.ts';
import type { PagedFile } from './paged-numbers.ts';
import { ReadAhead } from './read-ahead.ts';

/** A block of one of the files, and the parts of the column read from it. */
interface ColumnBlock {
  readonly reader: SstReader;
  /** The position of the block in its file. */
  readonly index: number;
  /** The block holds the rows of the table from `from` to below `to`. */
  readonly from: number;
  readonly to: number;
  /** The parts in memory, ascending by the first row. A part of a string column may lie within another. */
  readonly parts: ColumnPart[];
  /** For each slot a part that has its first rows, usually all of its rows. */
  readonly bySlot: (ColumnPart | undefined)[];
  readonly missing: Map<number, Missing>;
}

interface ColumnBlocks {
  readonly list: readonly ColumnBlock[];
  /** The first row of each block. */
  readonly firstRows: readonly number[];
  /** 1 / the rows of the first block: guesses the block of a row without a search, correctly when all blocks are of equal length. */
  readonly blocksPerRow: number;
}

/** A slot: rows that are noted as missing together. One read brings all of them, unless their strings are long. */
const SLOT_SHIFT = 13;
const SLOT_ROWS = 2 ** SLOT_SHIFT;
const SLOT_BYTES = 4 * SLOT_ROWS;
/** With up to this many files, all layouts are read when the column is opened; with more, each when it is needed. */
const LAYOUTS_AT_ONCE = 4;

/** A column that is read by page. */
export class PagedColumn {
  readonly #name: string;
  readonly #files: readonly PagedFile[];
  readonly #layouts: FileLayouts;
  /** The blocks of each file; null while its layout has not been needed. */
  readonly #blocks: (ColumnBlocks | null)[];
  readonly #cache: PageCache;
  readonly #ahead = new ReadAhead();
  /** The part of the last look-up. */
  #last: ColumnPart | null = null;
  /** Parts with rows from this one on are never evicted. */
  #keptFrom = Number.POSITIVE_INFINITY;
  /** Each row below `end` has this many bytes; 0 when the width is not known. */
  #width = { bytes: 0, end: 0 };

  private constructor(name: string, files: readonly PagedFile[], cache: PageCache) {
    this.#cache = cache;
    this.#name = name;
    this.#files = files;
    this.#layouts = new FileLayouts(files);
    this.#blocks = files.map(() => null);
  }

  /** Opens a column. @param files the files of the table that have the column; their layouts are read now when they are few */
  static async open(name: string, files: readonly PagedFile[], cache: PageCache): Promise<PagedColumn> {
    const column = new PagedColumn(name, files, cache);
    if (files.length <= LAYOUTS_AT_ONCE) await Promise.all(files.map((_, file) => column.#layouts.load(file)));
    return column;
  }

  /**
   * Returns the value of a row; null when the row has none, or when the value is not in memory, which is noted.
   * @throws INTERNAL when the value is not in memory and no statement is watched
   */
  get(row: number): Value {
    let part = this.#last;
    if (part === null || row < part.from || row >= part.to) {
      part = this.#find(row);
      if (part === null) return null;
      this.#last = part;
    }
    part.used = this.#cache.now;
    return part.get(row);
  }

  #find(row: number): ColumnPart | null {
    const file = this.#fileOf(row);
    if (file < 0) return null;
    const block = this.#blockOf(file, row);
    if (block === null) return null;
    const part = block.bySlot[(row - block.from) >>> SLOT_SHIFT];
    if (part !== undefined && row >= part.from && row < part.to) return part;
    const other = partWith(block.parts, row);
    if (other === null) noteMissing(this.#missingAround(block, row), `row ${row} of column ${this.#name}`);
    return other;
  }

  /** Returns the file with the row; -1 when the row is in a file without the column. */
  #fileOf(row: number): number {
    const { firstRows } = this.#layouts;
    const file = lastAtMost(firstRows, row);
    return file < 0 || row >= firstRows[file]! + this.#files[file]!.reader.file.rows ? -1 : file;
  }

  /** Returns the block with the row; null when the layout of the file is missing, which is noted. */
  #blockOf(file: number, row: number): ColumnBlock | null {
    const known = this.#blocks[file]!;
    const layout = known === null ? this.#layouts.find(file) : null;
    const blocks = known ?? (layout && this.#place(file, layout));
    if (blocks === null) return null;
    const { list, firstRows, blocksPerRow } = blocks;
    const likely = list[Math.floor((row - firstRows[0]!) * blocksPerRow)];
    if (likely !== undefined && row >= likely.from && row < likely.to) return likely;
    return list[lastAtMost(firstRows, row)]!; // The blocks of a file have all of its rows.
  }

  /** Declares that each row below `end` has `bytes` bytes: such rows are read one by one. */
  takeWidth(bytes: number, end: number): void {
    this.#width = { bytes, end };
  }

  /** Reads the layouts of all files. */
  async loadLayouts(): Promise<void> {
    await Promise.all(this.#files.map((_, file) => this.#layouts.load(file)));
  }

  #widthOf({ to }: ColumnBlock): number {
    return to <= this.#width.end ? this.#width.bytes : 0;
  }

  /** Loads the rows from `firstRow` on, which then stay in memory as long as the column is open. */
  async loadFrom(firstRow: number): Promise<void> {
    this.#keptFrom = Math.min(this.#keptFrom, firstRow);
    const loads = this.#files.map(async ({ reader, firstRow: first }, file) => {
      if (first + reader.file.rows <= firstRow) return;
      const { list } = this.#blocks[file] ?? this.#place(file, await this.#layouts.load(file));
      await Promise.all(list.map((block) => this.#loadBlockFrom(block, firstRow)));
    });
    await Promise.all(loads);
  }

  async #loadBlockFrom(block: ColumnBlock, firstRow: number): Promise<void> {
    for (let row = Math.max(firstRow, block.from); row < block.to; ) {
      if (partWith(block.parts, row) === null) await this.#loadSlot(block, row);
      const part = partWith(block.parts, row)!; // It was read now.
      this.#cache.forget(part);
      row = part.to;
    }
  }

  #place(file: number, layout: SstLayout): ColumnBlocks {
    const { reader, firstRow } = this.#files[file]!;
    const list: ColumnBlock[] = [];
    let from = firstRow;
    for (const [index, { rows }] of layout.blocks.entries()) {
      const bySlot = new Array<ColumnPart | undefined>(Math.ceil(rows / SLOT_ROWS)).fill(undefined);
      list.push({ reader, index, from, to: from + rows, parts: [], bySlot, missing: new Map() });
      from += rows;
    }
    const blocksPerRow = 1 / (list[0]!.to - list[0]!.from); // A file has rows.
    const blocks = { list, firstRows: list.map((block) => block.from), blocksPerRow };
    this.#blocks[file] = blocks;
    return blocks;
  }

  #missingAround(block: ColumnBlock, row: number): Missing {
    const width = this.#widthOf(block);
    const noted = this.#notedAs(block, row);
    let missing = block.missing.get(noted);
    if (missing === undefined) {
      const first = block.from + noted * SLOT_ROWS;
      const behind = width > 0 ? 0 : this.#ahead.behind(first / SLOT_ROWS, SLOT_BYTES, this.#cache.limit);
      let loading: Promise<void> | null = null;
      // `noted` is of now: the width of rows may become known while they are read.
      const load = (): Promise<void> => this.#loadSlots(block, row, { first, behind }).finally(() => block.missing.delete(noted));
      missing = { bytes: width > 0 ? width : SLOT_BYTES * (1 + behind), load: () => (loading ??= load()) };
      block.missing.set(noted, missing);
    }
    return missing;
  }

  /** Returns the key under which a row is noted as missing: its slot, or the row itself when rows are read one by one. */
  #notedAs(block: ColumnBlock, row: number): number {
    return this.#widthOf(block) > 0 ? row : (row - block.from) >>> SLOT_SHIFT;
  }

  /** Loads the slot with the row, and up to `behind` slots after it, as far as the layouts are known. */
  async #loadSlots(block: ColumnBlock, row: number, { first, behind }: { readonly first: number; readonly behind: number }): Promise<void> {
    const loads = [this.#loadSlot(block, row)];
    for (let at = 1; at <= behind; at++) {
      const next = first + at * SLOT_ROWS;
      const blocks = this.#blocks[this.#fileOf(next)];
      const other = blocks?.list[lastAtMost(blocks.firstRows, next)];
      if (other === undefined) break;
      if (partWith(other.parts, next) === null && !other.missing.has(this.#notedAs(other, next))) loads.push(this.#loadSlot(other, next));
    }
    await Promise.all(loads);
  }

  async #loadSlot(block: ColumnBlock, row: number): Promise<void> {
    const { reader, index, parts, bySlot, from } = block;
    const read = await reader.readAround(this.#name, index, row - from, this.#widthOf(block));
    assert(read !== null, `a file has the column ${this.#name}`);
    const part = new ColumnPart(read, from, (dropped) => this.#drop(block, dropped));
    part.used = this.#cache.now;
    const behind = parts.findIndex((other) => other.from > part.from);
    parts.splice(behind < 0 ? parts.length : behind, 0, part);
    for (let slot = read.firstRow >>> SLOT_SHIFT; slot * SLOT_ROWS < read.firstRow + read.rows; slot++) bySlot[slot] = part;
    if (part.to <= this.#keptFrom) this.#cache.add(part);
  }

  #drop({ parts, bySlot }: ColumnBlock, part: ColumnPart): void {
    parts.splice(parts.indexOf(part), 1);
    for (let slot = 0; slot < bySlot.length; slot++) if (bySlot[slot] === part) bySlot[slot] = undefined;
    if (this.#last === part) this.#last = null;
  }
}

/** Returns a part that has the row; null when none has. */
function partWith(parts: readonly ColumnPart[], row: number): ColumnPart | null {
  let low = 0;
  for (let high = parts.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (parts[middle]!.from <= row) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0; at--) if (row < parts[at]!.to) return parts[at]!;
  return null;
}
