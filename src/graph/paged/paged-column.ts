/** A column of a table that lies in files, read as rows are asked for, some thousand around each. */
import { assert } from '../../base/index.ts';
import type { SstColumn, SstPart, SstReader } from '../../storage/index.ts';
import type { Value } from '../../value/index.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { decodeUtf8 } from '../arrays/utf8.ts';
import { readColumn } from '../columns/column-snapshot.ts';
import { lastAtMost } from './last-at-most.ts';
import type { CachedPage, PageCache } from './page-cache.ts';
import { type Missing, noteMissing } from './page-faults.ts';

interface PartPage extends CachedPage, SstPart {}

/** A block of a file of the table that has the column. */
interface ColumnBlock {
  readonly reader: SstReader;
  /** In the file. */
  readonly index: number;
  /** The row of the table that is its first. */
  readonly firstRow: number;
  /** What was read of it, ascending by the first row. Parts of texts may lie within others. */
  readonly parts: PartPage[];
  readonly missing: Map<number, Missing>;
}

/** Rows that are noted as one: they are read together, unless their texts are long. */
const NOTED_ROWS = 8_192;

export class PagedColumn {
  readonly #name: string;
  readonly #blocks: readonly ColumnBlock[];
  /** By block, the row of the table that is its first; and one beyond the last. */
  readonly #firstRows: readonly number[];
  readonly #ends: readonly number[];
  readonly #cache: PageCache;
  /** Parts that have rows from this one on stay. */
  #keptFrom = Number.POSITIVE_INFINITY;

  private constructor(
    name: string,
    blocks: readonly ColumnBlock[],
    bounds: { readonly firstRows: number[]; readonly ends: number[] },
    cache: PageCache,
  ) {
    this.#cache = cache;
    this.#name = name;
    this.#blocks = blocks;
    this.#firstRows = bounds.firstRows;
    this.#ends = bounds.ends;
  }

  /** Reads the layouts of the files. `parts`: the files of the table that have the column, and the row of the table that is the first of each. */
  static async open(
    name: string,
    parts: readonly { readonly reader: SstReader; readonly firstRow: number }[],
    cache: PageCache,
  ): Promise<PagedColumn> {
    const layouts = await Promise.all(parts.map(({ reader }) => reader.readLayout()));
    const blocks: ColumnBlock[] = [];
    const [firstRows, ends]: [number[], number[]] = [[], []];
    for (const [i, { reader, firstRow }] of parts.entries()) {
      let row = firstRow;
      for (const [index, { rows }] of layouts[i]!.blocks.entries()) {
        blocks.push({ reader, index, firstRow: row, parts: [], missing: new Map() });
        firstRows.push(row);
        row += rows;
        ends.push(row);
      }
    }
    return new PagedColumn(name, blocks, { firstRows, ends }, cache);
  }

  /** The value of a row of the files; null where it has none, or where it was not in memory and is noted. INTERNAL: nobody watches for what is missing. */
  get(row: number): Value {
    const at = lastAtMost(this.#firstRows, row);
    const block = this.#blocks[at];
    if (block === undefined || row >= this.#ends[at]!) return null;
    const inBlock = row - this.#firstRows[at]!;
    const part = partWith(block.parts, inBlock);
    if (part !== null) {
      part.used = this.#cache.now;
      return valueIn(part.column, inBlock - part.firstRow);
    }
    noteMissing(this.#missingAround(block, inBlock), `row ${row} of column ${this.#name}`);
    return null;
  }

  /** Has the rows from this one on in memory, for as long as there is the column. */
  async loadFrom(firstRow: number): Promise<void> {
    this.#keptFrom = Math.min(this.#keptFrom, firstRow);
    const loads = this.#blocks.map(async (block, at) => {
      const first = this.#firstRows[at]!;
      for (let row = Math.max(firstRow, first); row < this.#ends[at]!; ) {
        if (partWith(block.parts, row - first) === null) await this.#missingAround(block, row - first).load();
        const part = partWith(block.parts, row - first)!; // It was read now.
        this.#cache.drop(part);
        row = first + part.firstRow + part.rows;
      }
    });
    await Promise.all(loads);
  }

  #missingAround(block: ColumnBlock, row: number): Missing {
    const noted = Math.floor(row / NOTED_ROWS);
    let missing = block.missing.get(noted);
    if (missing === undefined) {
      let loading: Promise<void> | null = null;
      missing = { bytes: 4 * NOTED_ROWS, load: () => (loading ??= this.#load(block, row).finally(() => block.missing.delete(noted))) };
      block.missing.set(noted, missing);
    }
    return missing;
  }

  async #load({ reader, index, parts, firstRow }: ColumnBlock, row: number): Promise<void> {
    const part = await reader.readAround(this.#name, index, row);
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
