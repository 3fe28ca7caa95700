/** A column of a table that lies in files, read as rows are asked for, some thousand around each. */
import { assert } from '../../base/index.ts';
import type { SstColumn, SstLayout, SstPart, SstReader } from '../../storage/index.ts';
import type { Value } from '../../value/index.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { decodeUtf8 } from '../arrays/utf8.ts';
import { readColumn } from '../columns/column-snapshot.ts';
import { FileLayouts } from './file-layouts.ts';
import { lastAtMost } from './last-at-most.ts';
import type { CachedPage, PageCache } from './page-cache.ts';
import { type Missing, noteMissing } from './page-faults.ts';
import type { PagedFile } from './paged-numbers.ts';

interface PartPage extends CachedPage, SstPart {}

/** A block of a file of the table that has the column. */
interface ColumnBlock {
  readonly reader: SstReader;
  /** In the file. */
  readonly index: number;
  /** The row of the table that is its first. */
  readonly firstRow: number;
  readonly rows: number;
  /** What was read of it, ascending by the first row. Parts of texts may lie within others. */
  readonly parts: PartPage[];
  readonly missing: Map<number, Missing>;
}

interface ColumnBlocks {
  readonly list: readonly ColumnBlock[];
  /** By block. */
  readonly firstRows: readonly number[];
}

/** Rows that are noted as one: they are read together, unless their texts are long. */
const NOTED_ROWS = 8_192;
/** The layouts of so many files are read when a column is opened; of more, each when it is needed. */
const LAYOUTS_AT_ONCE = 4;

export class PagedColumn {
  readonly #name: string;
  readonly #files: readonly PagedFile[];
  readonly #layouts: FileLayouts;
  /** By file; null: its layout was not needed yet. */
  readonly #blocks: (ColumnBlocks | null)[];
  readonly #cache: PageCache;
  /** Parts that have rows from this one on stay. */
  #keptFrom = Number.POSITIVE_INFINITY;
  /** Rows below `end` have so many bytes each; 0: not known. */
  #width = { bytes: 0, end: 0 };

  private constructor(name: string, files: readonly PagedFile[], cache: PageCache) {
    this.#cache = cache;
    this.#name = name;
    this.#files = files;
    this.#layouts = new FileLayouts(files);
    this.#blocks = files.map(() => null);
  }

  /** `files`: those of the table that have the column. Reads their layouts where they are few. */
  static async open(name: string, files: readonly PagedFile[], cache: PageCache): Promise<PagedColumn> {
    const column = new PagedColumn(name, files, cache);
    if (files.length <= LAYOUTS_AT_ONCE) await Promise.all(files.map((_, file) => column.#layouts.load(file)));
    return column;
  }

  /** The value of a row of the files; null where it has none, or where it was not in memory and is noted. INTERNAL: nobody watches for what is missing. */
  get(row: number): Value {
    const { firstRows } = this.#layouts;
    const file = lastAtMost(firstRows, row);
    if (file < 0 || row >= firstRows[file]! + this.#files[file]!.reader.file.rows) return null;
    const layout = this.#blocks[file] === null ? this.#layouts.find(file) : null;
    const blocks = this.#blocks[file] ?? (layout && this.#place(file, layout));
    if (blocks === null) return null;
    const block = blocks.list[lastAtMost(blocks.firstRows, row)]!; // The blocks of a file have all of its rows.
    const inBlock = row - block.firstRow;
    const part = partWith(block.parts, inBlock);
    if (part !== null) {
      part.used = this.#cache.now;
      return valueIn(part.column, inBlock - part.firstRow);
    }
    noteMissing(this.#missingAround(block, inBlock), `row ${row} of column ${this.#name}`);
    return null;
  }

  /** Notes that each row of the first files, up to the row `end`, has so many bytes: then it is read alone. */
  takeWidth(bytes: number, end: number): void {
    this.#width = { bytes, end };
  }

  /** Reads the layouts of all files. */
  async loadLayouts(): Promise<void> {
    await Promise.all(this.#files.map((_, file) => this.#layouts.load(file)));
  }

  #widthOf({ firstRow, rows }: ColumnBlock): number {
    return firstRow + rows <= this.#width.end ? this.#width.bytes : 0;
  }

  /** Has the rows from this one on in memory, for as long as there is the column. */
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
    for (let row = Math.max(firstRow - block.firstRow, 0); row < block.rows; ) {
      if (partWith(block.parts, row) === null) await this.#missingAround(block, row).load();
      const part = partWith(block.parts, row)!; // It was read now.
      this.#cache.drop(part);
      row = part.firstRow + part.rows;
    }
  }

  #place(file: number, layout: SstLayout): ColumnBlocks {
    const { reader, firstRow } = this.#files[file]!;
    const list: ColumnBlock[] = [];
    let first = firstRow;
    for (const [index, { rows }] of layout.blocks.entries()) {
      list.push({ reader, index, firstRow: first, rows, parts: [], missing: new Map() });
      first += rows;
    }
    const blocks = { list, firstRows: list.map((block) => block.firstRow) };
    this.#blocks[file] = blocks;
    return blocks;
  }

  #missingAround(block: ColumnBlock, row: number): Missing {
    const width = this.#widthOf(block);
    const noted = width > 0 ? row : Math.floor(row / NOTED_ROWS);
    let missing = block.missing.get(noted);
    if (missing === undefined) {
      let loading: Promise<void> | null = null;
      const load = (): Promise<void> => (loading ??= this.#load(block, row).finally(() => block.missing.delete(noted)));
      missing = { bytes: width > 0 ? width : 4 * NOTED_ROWS, load };
      block.missing.set(noted, missing);
    }
    return missing;
  }

  async #load(block: ColumnBlock, row: number): Promise<void> {
    const { reader, index, parts, firstRow } = block;
    const part = await reader.readAround(this.#name, index, row, this.#widthOf(block));
    assert(part !== null, `a file has the column ${this.#name}`);
    const behind = parts.findIndex(({ firstRow }) => firstRow > part.firstRow);
    const page: PartPage = { ...part, bytes: bytesOf(part), used: this.#cache.now, drop: () => void parts.splice(parts.indexOf(page), 1) };
    parts.splice(behind < 0 ? parts.length : behind, 0, page);
    if (firstRow + part.firstRow + part.rows <= this.#keptFrom) this.#cache.add(page);
  }
}

/** Null: none has the row. */
function partWith(parts: readonly PartPage[], row: number): PartPage | null {
  let low = 0;
  for (let high = parts.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (parts[middle]!.firstRow <= row) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0; at--) if (row < parts[at]!.firstRow + parts[at]!.rows) return parts[at]!;
  return null;
}

/** A dictionary is one for all parts of a file. */
function bytesOf({ column: { values, valid, heap } }: SstPart): number {
  return values.byteLength + (valid?.byteLength ?? 0) + (heap?.byteLength ?? 0);
}

function valueIn(column: SstColumn, row: number): Value {
  const { kind, values, valid, heap = null, dictionary } = column;
  if (valid !== null && !hasBit(valid, row)) return null;
  assert(kind !== 'uint32', 'a property column of a system kind');
  if (dictionary === undefined) return readColumn({ kind, values, valid, heap, dictionary: null }, row);
  const code = values[row] as number;
  return decodeUtf8(dictionary.heap, dictionary.offsets[code]!, dictionary.offsets[code + 1]!);
}
