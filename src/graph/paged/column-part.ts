/** Some rows of a column that is read by page. */
import { assert } from '../../base/index.ts';
import type { SstColumn, SstPart } from '../../storage/index.ts';
import type { Value } from '../../value/index.ts';
import { hasBit } from '../arrays/bitmap.ts';
import { decodeUtf8 } from '../arrays/utf8.ts';
import { type ColumnArrays, readColumn } from '../columns/column-snapshot.ts';
import type { CachedPage } from './page-cache.ts';

type Dictionary = NonNullable<SstColumn['dictionary']>;

/** The texts of dictionaries that were asked for, by their codes. */
const textsOf = new WeakMap<Dictionary, (string | undefined)[]>();

function textsIn(dictionary: Dictionary): (string | undefined)[] {
  let texts = textsOf.get(dictionary);
  if (texts === undefined) {
    texts = new Array<string | undefined>(dictionary.offsets.length - 1).fill(undefined);
    textsOf.set(dictionary, texts);
  }
  return texts;
}

/** Rows of a column that are in memory. */
export class ColumnPart implements CachedPage {
  /** Rows of the table: the first one, and that behind the last. */
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  used = 0;
  readonly #values: SstColumn['values'];
  readonly #valid: Uint8Array | null;
  /** Its values are numbers as they lie there. */
  readonly #isPlain: boolean;
  readonly #dictionary: Dictionary | null;
  readonly #texts: (string | undefined)[];
  readonly #column: ColumnArrays;
  readonly #onDrop: (part: ColumnPart) => void;

  /**
   * `firstRow`: the row of the table that is the first of the block of the part. A dictionary is one for all parts of a
   * file, and not counted here.
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

  /** The value of a row of the table that is in the part; null: it has none. */
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
