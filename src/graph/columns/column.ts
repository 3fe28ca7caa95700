/**
 * A writable column, one property of one table: a growing typed array of the narrowest kind that holds all its values, a validity bitmap
 * once a row has no value, and a heap for values without a fixed width.
 *
 * - Rows are written at the end; only rows that no snapshot sees are ever changed in place.
 * - A value that the kind cannot hold converts the column to a wider kind, in new arrays; readers keep the old arrays.
 * - Rows from `length` on have no value; their bits in the bitmap are 0.
 * - Rows behind the last one with bytes in the heap get their offsets when the column is padded, as for a snapshot: a
 *   column that is filled row by row would otherwise write the offsets of all rows behind with each value.
 */
import { assert, ByteWriter } from '../../base/index.ts';
import { type CypherDate, CypherFloat, encodeValue, type Value } from '../../value/index.ts';
import { bitmapFor, clearBit, clearBits, hasBit, setBit, setBits } from '../arrays/bitmap.ts';
import { EMPTY_U8, grown, shrunk } from '../arrays/shared-array.ts';
import { copyBytes, Utf8Scratch } from '../arrays/utf8.ts';
import type { ColumnKind } from '../view/view.ts';
import { type ColumnValues, emptyValues, kindOf, usesHeap, widerKind } from './column-kind.ts';
import { type ColumnArrays, ColumnSnapshot, readColumn } from './column-snapshot.ts';
import type { Dictionary } from './dictionary.ts';

/** From this many rows on a dictionary must hold at most one string for every two rows, or the column gives it up. */
const DICTIONARY_MUST_PAY_ROWS = 1 << 16;
/** A heap value is replaced only when at most this many bytes, and rows, come after it and must move; else the row is rewritten. */
const REPLACE_LIMIT_BYTES = 1 << 14;

const scratch = new ByteWriter();
const text = new Utf8Scratch();

/** The state of a column, to restore later. */
export interface ColumnForm extends ColumnArrays {
  readonly dictionary: Dictionary | null;
  readonly heapLength: number;
  readonly heapRows: number;
  readonly length: number;
  readonly hasBase: boolean;
}

/** A column as it is written. */
export class Column implements ColumnArrays {
  kind: ColumnKind;
  values: ColumnValues;
  valid: Uint8Array | null = null;
  heap: Uint8Array | null;
  heapLength = 0;
  /** The number of rows up to the last one that got bytes in the heap. */
  heapRows = 0;
  dictionary: Dictionary | null;
  /** The number of rows written so far. */
  length = 0;
  /** Whether the first rows were loaded from files. */
  hasBase = false;
  /** The dictionary of the property key, in use while the kind is `dictionary`. */
  readonly #keyDictionary: Dictionary;
  #snapshot: ColumnSnapshot | null = null;
  /** The number of rows that have their offsets, at least `heapRows`. */
  #offsetRows = 0;

  constructor(kind: ColumnKind, keyDictionary: Dictionary) {
    this.#keyDictionary = keyDictionary;
    this.kind = kind;
    this.values = emptyValues(kind);
    this.heap = usesHeap(kind) ? EMPTY_U8 : null;
    this.dictionary = kind === 'dictionary' ? keyDictionary : null;
  }

  /** The bytes of the arrays, without the dictionary, which several columns share. */
  get bytes(): number {
    return this.values.byteLength + (this.valid?.byteLength ?? 0) + this.heapLength;
  }

  has(row: number): boolean {
    return row < this.length && (this.valid === null || hasBit(this.valid, row));
  }

  get(row: number): Value {
    return this.has(row) ? readColumn(this, row) : null;
  }

  /** Returns the column as readers of `rowCount` rows see it: the same object while no array was replaced. */
  snapshot(rowCount: number): ColumnSnapshot {
    this.pad(rowCount);
    const known = this.#snapshot;
    if (known !== null && known.values === this.values && known.valid === this.valid && known.heap === this.heap) return known;
    this.#snapshot = new ColumnSnapshot(this);
    return this.#snapshot;
  }

  /** Extends the column to at least `rowCount` rows without values, and completes the offsets of its rows. */
  pad(rowCount: number): void {
    this.#extend(rowCount);
    this.#setOffsets(this.length);
  }

  /** Extends the column to `rowCount` rows; the added rows have no value. */
  #extend(rowCount: number): void {
    if (this.length >= rowCount) return;
    this.#reserve(rowCount);
    if (this.valid === null) this.#startBitmap(rowCount);
    else this.valid = bitmapFor(this.valid, rowCount);
    this.length = rowCount;
  }

  /** Completes the offsets of the rows up to row `end`, exclusive. */
  #setOffsets(end: number): void {
    if (!usesHeap(this.kind) || end <= this.#offsetRows) return;
    (this.values as Uint32Array).fill(this.heapLength, this.#offsetRows + 1, end + 1);
    this.#offsetRows = end;
  }

  #startBitmap(rowCount: number): void {
    this.valid = bitmapFor(null, Math.max(rowCount, this.values.length));
    setBits(this.valid, 0, this.length);
  }

  #reserve(rowCount: number): void {
    const wanted = usesHeap(this.kind) ? rowCount + 1 : rowCount;
    if (wanted > this.values.length) this.values = grown(this.values as Uint32Array, wanted);
  }

  /** Tells whether the column can hold the value without becoming a wider kind. */
  fits(value: Value): boolean {
    const kind = kindOf(value);
    if (kind === this.kind || widerKind(this.kind, kind) === this.kind) return true;
    return this.kind === 'dictionary' && kind === 'string' && this.length >= DICTIONARY_MUST_PAY_ROWS;
  }

  /** Tells whether the value of a row can be replaced in place. When it cannot, the row must be written anew at the end. */
  canReplace(row: number): boolean {
    if (!usesHeap(this.kind) || row >= this.heapRows - 1) return true;
    return this.heapLength - (this.values[row + 1] as number) <= REPLACE_LIMIT_BYTES && this.heapRows - row <= REPLACE_LIMIT_BYTES;
  }

  /** Writes a value that `fits`, at the end or in place of the value of a row. */
  set(row: number, value: Value): void {
    this.#extend(row);
    if (usesHeap(this.kind)) this.#setInHeap(row, value);
    else this.#setFixed(row, value);
    this.#written(row);
  }

  /** Notes that a row has a value. */
  #written(row: number): void {
    if (row >= this.length) this.length = row + 1;
    if (this.valid !== null) {
      this.valid = bitmapFor(this.valid, row + 1);
      setBit(this.valid, row);
    }
  }

  #setFixed(row: number, value: Value): void {
    if (row >= this.values.length) this.values = grown(this.values as Uint32Array, row + 1);
    const values = this.values;
    switch (this.kind) {
      case 'int32':
      case 'integer':
        values[row] = value as number;
        break;
      case 'dictionary':
        values[row] = this.#keyDictionary.intern(value as string);
        break;
      case 'float':
        values[row] = value instanceof CypherFloat ? value.value : (value as number);
        break;
      case 'boolean':
        values[row] = value === true ? 1 : 0;
        break;
      case 'date':
        values[row] = (value as CypherDate).epochDay;
        break;
      case 'int64':
        values[row] = BigInt(value as number | bigint);
        break;
      default:
        assert(false, 'a column without a heap');
    }
  }

  #setInHeap(row: number, value: Value): void {
    if (this.kind === 'string') {
      text.encode(value as string);
      copyBytes(text.bytes, { from: 0, count: text.length }, this.#space(row, text.length), this.values[row] as number);
    } else if (this.kind === 'vector') {
      const { buffer, byteOffset, byteLength } = value as Float32Array;
      this.#space(row, byteLength).set(new Uint8Array(buffer, byteOffset, byteLength), this.values[row] as number);
    } else {
      scratch.reset();
      encodeValue(value, scratch);
      this.#space(row, scratch.length).set(scratch.view(), this.values[row] as number);
    }
  }

  /** Makes room of `size` bytes for the value of a row, existing or the next one. @returns the heap */
  #space(row: number, size: number): Uint8Array {
    this.#reserve(row + 1);
    if (row < this.heapRows) this.#resize(row, size);
    else {
      this.#setOffsets(row);
      this.#setHeapLength(this.heapLength + size);
      (this.values as Uint32Array)[row + 1] = this.heapLength;
      this.heapRows = this.#offsetRows = row + 1;
    }
    return this.heap as Uint8Array;
  }

  /** Makes the space of a row's value `size` bytes wide; moves the values of the rows after it. */
  #resize(row: number, size: number): void {
    const offsets = this.values as Uint32Array;
    const end = offsets[row + 1] as number;
    const change = size - (end - (offsets[row] as number));
    const oldLength = this.heapLength;
    this.#setHeapLength(oldLength + change);
    if (change === 0) return;
    (this.heap as Uint8Array).copyWithin(end + change, end, oldLength);
    for (let i = row + 1; i <= this.heapRows; i++) offsets[i] = (offsets[i] as number) + change;
    this.#offsetRows = this.heapRows;
  }

  #setHeapLength(length: number): void {
    this.heap = grown(this.heap as Uint8Array, length);
    this.heapLength = length;
  }

  /** Removes the value of a row. */
  clear(row: number): void {
    if (!this.has(row)) return;
    if (this.valid === null) this.#startBitmap(this.length);
    clearBit(this.valid as Uint8Array, row);
  }

  /** Copies the value of row `from` of a column of the same kind and key to row `to`, at the end of this one. */
  copyRow(source: Column, from: number, to: number): void {
    this.#extend(to);
    if (usesHeap(this.kind)) {
      const bytes = source.heap as Uint8Array;
      const start = source.values[from] as number;
      const count = (source.values[from + 1] as number) - start;
      copyBytes(bytes, { from: start, count }, this.#space(to, count), this.values[to] as number);
    } else {
      if (to >= this.values.length) this.values = grown(this.values as Uint32Array, to + 1);
      this.values[to] = source.values[from] as number;
    }
    this.#written(to);
  }

  /** Removes the rows from `rowCount` on. */
  truncate(rowCount: number): void {
    if (this.length <= rowCount) return;
    if (this.valid !== null) clearBits(this.valid, rowCount, this.length);
    if (usesHeap(this.kind)) {
      if (rowCount < this.heapRows) this.heapLength = this.values[rowCount] as number;
      this.heapRows = Math.min(this.heapRows, rowCount);
      this.#offsetRows = Math.min(this.#offsetRows, rowCount);
      this.heap = shrunk(this.heap as Uint8Array, this.heapLength);
    }
    this.length = rowCount;
  }

  form(): ColumnForm {
    const { kind, values, valid, heap, heapLength, heapRows, dictionary, length, hasBase } = this;
    return { kind, values, valid, heap, heapLength, heapRows, dictionary, length, hasBase };
  }

  /** Restores an earlier form; rows written since then are lost. Does nothing when rows of files were loaded since then. */
  restore(form: ColumnForm): void {
    if (form.hasBase !== this.hasBase) return;
    this.#take(form);
  }

  /** Puts `rowCount` rows from files in place of the first rows; rows written after these keep their numbers. */
  takeBase(base: ColumnArrays, rowCount: number): void {
    const written = this.form();
    this.#take({
      ...base,
      dictionary: base.kind === 'dictionary' ? this.#keyDictionary : null,
      heapLength: usesHeap(base.kind) ? (base.values[rowCount] as number) : 0,
      heapRows: rowCount,
      length: rowCount,
      hasBase: true,
    });
    for (let row = rowCount; row < written.length; row++) {
      if (written.valid !== null && !hasBit(written.valid, row)) continue;
      const value = readColumn(written, row);
      if (!this.fits(value)) this.widenFor(value);
      this.set(row, value);
    }
    this.#keyDictionary.keep();
  }

  #take(form: ColumnForm): void {
    this.kind = form.kind;
    this.values = form.values;
    this.valid = form.valid;
    this.heap = form.heap;
    this.heapLength = form.heapLength;
    this.heapRows = this.#offsetRows = form.heapRows;
    this.dictionary = form.dictionary;
    this.length = form.length;
    this.hasBase = form.hasBase;
  }

  /** Converts the column to a kind that holds the value too, in new arrays. O(rows). */
  widenFor(value: Value): void {
    this.convert(widerKind(this.kind, kindOf(value)));
  }

  /** Tells whether the dictionary holds too many strings to pay off. To be asked after each added row; checks at powers of two only. */
  dictionaryIsTooLarge(): boolean {
    const rows = this.length;
    if (rows < DICTIONARY_MUST_PAY_ROWS || (rows & (rows - 1)) !== 0) return false;
    return this.dictionary !== null && this.dictionary.size * 2 > rows;
  }

  convert(kind: ColumnKind): void {
    const old = this.form();
    this.kind = kind;
    this.values = emptyValues(kind);
    this.heap = usesHeap(kind) ? EMPTY_U8 : null;
    this.heapLength = 0;
    this.heapRows = this.#offsetRows = 0;
    this.dictionary = kind === 'dictionary' ? this.#keyDictionary : null;
    this.valid = null;
    this.length = 0;
    this.#reserve(old.length);
    const strings = kind === 'string' && old.dictionary !== null ? old.dictionary.entries() : null;
    for (let row = 0; row < old.length; row++) {
      if (old.valid !== null && !hasBit(old.valid, row)) continue;
      if (strings === null) this.set(row, readColumn(old, row));
      else this.#setString(row, strings, old.values[row] as number);
    }
    this.pad(old.length);
  }

  /** Writes a string of a dictionary at the end, as bytes, without decoding it. */
  #setString(row: number, { offsets, heap }: ReturnType<Dictionary['entries']>, code: number): void {
    this.#extend(row);
    const from = offsets[code] as number;
    const count = (offsets[code + 1] as number) - from;
    copyBytes(heap, { from, count }, this.#space(row, count), this.values[row] as number);
    this.#written(row);
  }
}
