/** A range of rows of a column that is read by page: the unit that is read and evicted. */
import { assert } from '../../base/index.ts';
import type { SstColumn, SstPart } from '../../storage/index.ts';
import type { Value } from '../../value/index.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { decodeUtf8 } from '../arrays/utf8.ts';
import { type ColumnArrays, readColumn } from '../columns/column-snapshot.ts';
import type { CachedPage } from './page-cache.ts';

type Dictionary = NonNullable<SstColumn['dictionary']>;

/** The decoded strings of each dictionary, by code. */
const textsOf = new WeakMap<Dictionary, (string | undefined)[]>();

function textsIn(dictionary: Dictionary): (string | undefined)[] {
  let texts = textsOf.get(dictionary);
  if (texts === undefined) {
    texts = new Array<string | undefined>(dictionary.offsets.length - 1).fill(undefined);
    textsOf.set(dictionary, texts);
  }
  return texts;
}

/** A range of rows of a column in memory. */
export class ColumnPart implements CachedPage {
  /** The part holds the rows of the table from `from` to below `to`. */
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  used = 0;
  readonly #values: SstColumn['values'];
  readonly #valid: Uint8Array | null;
  /** Whether the values are plain numbers that need no decoding. */
  readonly #isPlain: boolean;
  readonly #dictionary: Dictionary | null;
  readonly #texts: (string | undefined)[];
  readonly #column: ColumnArrays;
  readonly #onDrop: (part: ColumnPart) => void;

  /**
   * A dictionary is shared by all parts of a file, and not counted in `bytes`.
   * @param firstRow the row of the table that is the first of the block of the part
   */
  constructor({ firstRow: inBlock, rows, column }: SstPart, firstRow: number, onDrop: (part: ColumnPart) => void) {
    const { kind, values, valid, heap = null, dictionary = null } = column;
    assert(kind !== 'uint32', 'a property column of a system kind');
    this.from = firstRow + inBlock;
    this.to = this.from + rows;
    this.bytes = values.byteLength + (valid?.byteLength ?? 0) + (heap?.byteLength ?? 0);
    this.#values = values;
    this.#valid = valid;
    this.#isPlain = kind === 'int32' || kind === 'integer';
    this.#dictionary = dictionary;
    this.#texts = dictionary === null ? [] : textsIn(dictionary);
    this.#column = { kind, values, valid, heap, dictionary: null };
    this.#onDrop = onDrop;
  }

  /** Returns the value of a row of the table, which must be in the part; null when the row has none. */
  get(row: number): Value {
    const at = row - this.from;
    if (this.#valid !== null && !hasBit(this.#valid, at)) return null;
    if (this.#isPlain) return this.#values[at] as number;
    return this.#dictionary === null ? readColumn(this.#column, at) : this.#textAt(this.#dictionary, this.#values[at] as number);
  }

  #textAt({ heap, offsets }: Dictionary, code: number): string {
    return (this.#texts[code] ??= decodeUtf8(heap, offsets[code]!, offsets[code + 1]!));
  }

  drop(): void {
    this.#onDrop(this);
  }
}
