/**
 * Finds out for which ordinals a file has rows or tombstones, which replace those of older files, and entries of
 * artefacts over older files (B9). Cost: at most one column per file, once.
 */
import { assert } from '../../base/index.ts';
import type { SstFile, SstReader } from '../api.ts';

/** Whether a row or tombstone with an ordinal exists. */
export type HasOrdinal = (ordinal: number) => boolean;

/** The ordinals of files. */
export class FileOrdinals {
  readonly #openSst: (file: SstFile) => Promise<SstReader>;
  readonly #known = new Map<string, Promise<HasOrdinal>>();

  constructor(openSst: (file: SstFile) => Promise<SstReader>) {
    this.#openSst = openSst;
  }

  /** Returns a test for ordinals that any of the files has. @throws CORRUPTION when a file is damaged */
  async ofAny(files: readonly SstFile[]): Promise<HasOrdinal> {
    const each = await Promise.all(files.map((file) => this.#of(file)));
    return (ordinal) => each.some((has) => has(ordinal));
  }

  #of(file: SstFile): Promise<HasOrdinal> {
    const known = this.#known.get(file.key) ?? this.#read(file);
    this.#known.set(file.key, known);
    return known;
  }

  async #read(file: SstFile): Promise<HasOrdinal> {
    const { minOrdinal, maxOrdinal, denseOrdinals } = file;
    if (denseOrdinals) return (ordinal) => ordinal >= minOrdinal && ordinal <= maxOrdinal;
    const column = await (await this.#openSst(file)).readColumn('_ordinal');
    assert(column !== null, `file ${file.key} has ordinals`);
    const sorted = Uint32Array.from(column.values as Uint32Array).sort(); // as: of kind uint32
    return (ordinal) => includes(sorted, ordinal);
  }
}

function includes(sorted: Uint32Array, wanted: number): boolean {
  let from = 0;
  for (let to = sorted.length; from < to; ) {
    const middle = (from + to) >>> 1;
    if (sorted[middle]! < wanted) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === wanted;
}
