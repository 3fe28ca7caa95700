/** A column of a table that lies in files, read block by block as rows are asked for. */
import { assert } from '../../base/index.ts';
import type { SstColumn, SstReader } from '../../storage/index.ts';
import type { Value } from '../../value/index.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { decodeUtf8 } from '../arrays/utf8.ts';
import { readColumn } from '../columns/column-snapshot.ts';
import { lastAtMost } from './last-at-most.ts';
import { type Missing, noteMissing } from './page-faults.ts';

/** A file of the table that has the column. */
interface ColumnFile {
  readonly reader: SstReader;
  /** Row of the table that is row 0 of each block, and of the end. */
  readonly blockStarts: readonly number[];
  /** By block; undefined: not read. */
  readonly blocks: (SstColumn | undefined)[];
}

export class PagedColumn {
  readonly #name: string;
  readonly #files: readonly ColumnFile[];
  readonly #firstRows: readonly number[];
  readonly #missing = new Map<SstReader, Map<number, Missing>>();

  private constructor(name: string, files: readonly ColumnFile[]) {
    this.#name = name;
    this.#files = files;
    this.#firstRows = files.map(({ blockStarts }) => blockStarts[0]!);
  }

  /** Reads the layouts of the files. `parts`: the files of the table that have the column, and the row of the table that is the first of each. */
  static async open(name: string, parts: readonly { readonly reader: SstReader; readonly firstRow: number }[]): Promise<PagedColumn> {
    const files = parts.map(async ({ reader, firstRow }): Promise<ColumnFile> => {
      const blockStarts = [firstRow];
      for (const { rows } of (await reader.readLayout()).blocks) blockStarts.push(blockStarts.at(-1)! + rows);
      return { reader, blockStarts, blocks: [] };
    });
    return new PagedColumn(name, await Promise.all(files));
  }

  /** The value of a row of the files; null where it has none, or where its block was not in memory and is noted. INTERNAL: nobody watches for pages. */
  get(row: number): Value {
    const file = this.#files[lastAtMost(this.#firstRows, row)];
    if (file === undefined || row >= file.blockStarts.at(-1)!) return null;
    const at = lastAtMost(file.blockStarts, row);
    const block = file.blocks[at];
    if (block !== undefined) return valueIn(block, row - file.blockStarts[at]!);
    noteMissing(this.#missingBlock(file, at), `block ${at} of column ${this.#name}`);
    return null;
  }

  #missingBlock(file: ColumnFile, at: number): Missing {
    let ofFile = this.#missing.get(file.reader);
    if (ofFile === undefined) this.#missing.set(file.reader, (ofFile = new Map()));
    let missing = ofFile.get(at);
    if (missing === undefined) {
      let loading: Promise<void> | null = null;
      missing = { load: () => (loading ??= this.#load(file, at).finally(() => ofFile.delete(at))) };
      ofFile.set(at, missing);
    }
    return missing;
  }

  async #load(file: ColumnFile, at: number): Promise<void> {
    const [block] = await file.reader.readBlock(at, new Set([this.#name]));
    assert(block !== undefined, `a file has the column ${this.#name}`);
    file.blocks[at] = block;
  }
}

function valueIn(column: SstColumn, row: number): Value {
  const { kind, values, valid, heap = null, dictionary } = column;
  if (valid !== null && !hasBit(valid, row)) return null;
  assert(kind !== 'uint32', 'a property column of a system kind');
  if (dictionary === undefined) return readColumn({ kind, values, valid, heap, dictionary: null }, row);
  const code = values[row] as number;
  return decodeUtf8(dictionary.heap, dictionary.offsets[code]!, dictionary.offsets[code + 1]!);
}
