/**
 * A column of strings as UTF-8, copied from the bytes of the file: dictionary codes while few values are distinct (at
 * most half of the rows), otherwise the text of every row.
 */
import type { FieldBlock, Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import { ByteDictionary } from './byte-dictionary.ts';
import type { ColumnBuilder } from './column-builder.ts';
import { areConsecutive } from './copy-rows.ts';
import { grown } from './growing.ts';
import { reorder, reorderHeap } from './reorder.ts';
import { isSet, reorderBits, Validity } from './validity.ts';

/** After this many rows the dictionary is given up if hardly two rows have the same text (`ALL_DISTINCT`). */
const FIRST_DECISION_ROWS = 16_384;
const ALL_DISTINCT = 0.998;
/**
 * After this many rows, and each time they have doubled, the dictionary is given up if too many values are distinct.
 * Not earlier, as a dictionary of a hundred thousand names still pays in a table of millions of rows.
 */
const SECOND_DECISION_ROWS = 131_072;

/** How strings are stored: as dictionary codes, or as the text of every row. */
export type StringForm = 'dictionary' | 'string';

/** A column of strings. */
export class StringColumn implements ColumnBuilder {
  readonly storage = 'string';
  readonly #validity = new Validity();
  /** The dictionary; null: the column holds the text of every row. */
  #dictionary: ByteDictionary | null;
  /** The code of each row with a dictionary. Without one `#offsets` has where the text of each row begins in the heap. */
  #codes = new Int32Array(0);
  #offsets = new Uint32Array(1);
  #heap = new Uint8Array(0);
  #present = new Uint8Array(0);
  #nextDecision: number;
  readonly #mostDistinct: number;

  /**
   * @param form how values are stored; null: it is not known, so a dictionary is used as long as few values are
   *   distinct
   * @param mostDistinct the largest share of distinct values among the rows for which a dictionary is kept
   */
  constructor(form: StringForm | null, mostDistinct = 0.5) {
    this.#mostDistinct = mostDistinct;
    this.#dictionary = form === 'string' ? null : new ByteDictionary();
    this.#nextDecision = form === null ? FIRST_DECISION_ROWS : Number.POSITIVE_INFINITY;
  }

  get rows(): number {
    return this.#validity.rows;
  }

  get isEmpty(): boolean {
    return this.#validity.isEmpty;
  }

  get bytes(): number {
    const dictionary = this.#dictionary;
    const heapBytes = dictionary === null ? this.#offsets[this.rows]! : dictionary.offsets[dictionary.size]!;
    return 4 * this.rows + heapBytes;
  }

  append(block: FieldBlock, column: number, rows: Selection): void {
    this.#present = grown(this.#present, rows.length);
    const presentCount =
      this.#dictionary === null ? this.#appendText(block, column, rows) : this.#appendCodes(this.#dictionary, block, column, rows);
    this.#validity.append(this.#present, rows.length, presentCount);
    if (this.#dictionary !== null && this.rows >= this.#nextDecision) this.#decide(this.#dictionary);
  }

  #appendCodes(dictionary: ByteDictionary, { bytes, columns, starts, ends }: FieldBlock, column: number, rows: Selection): number {
    const first = this.rows;
    const codes = (this.#codes = grown(this.#codes, first + rows.length));
    const present = this.#present;
    let presentCount = 0;
    for (let i = 0; i < rows.length; i++) {
      const at = rows[i]! * columns + column;
      const from = starts[at]!;
      const to = ends[at]!;
      const there = to === from ? 0 : 1;
      present[i] = there;
      presentCount += there;
      codes[first + i] = there === 0 ? 0 : dictionary.intern(bytes, from, Math.max(from, to));
    }
    return presentCount;
  }

  #appendText({ bytes, columns, starts, ends }: FieldBlock, column: number, rows: Selection): number {
    const first = this.rows;
    const offsets = (this.#offsets = grown(this.#offsets, first + rows.length + 1));
    let end = offsets[first]!;
    let needed = end;
    for (let i = 0; i < rows.length; i++) {
      const at = rows[i]! * columns + column;
      needed += Math.max(ends[at]! - starts[at]!, 0);
    }
    const heap = (this.#heap = grown(this.#heap, needed));
    const present = this.#present;
    let presentCount = 0;
    for (let i = 0; i < rows.length; i++) {
      const at = rows[i]! * columns + column;
      const from = starts[at]!;
      const to = ends[at]!;
      const there = to === from ? 0 : 1;
      present[i] = there;
      presentCount += there;
      for (let position = from; position < to; position++) heap[end++] = bytes[position]!;
      offsets[first + i + 1] = end;
    }
    return presentCount;
  }

  appendColumn(column: SstColumn, rows: Selection): void {
    if (this.#dictionary === null) this.#appendTextOf(column, rows);
    else this.#appendCodesOf(this.#dictionary, column, rows);
    this.#validity.appendBits(column.valid, rows);
  }

  #appendTextOf({ values, valid, heap, dictionary }: SstColumn, rows: Selection): void {
    const text = dictionary === undefined ? { offsets: values, heap: heap! } : dictionary;
    if (dictionary === undefined && areConsecutive(rows)) return this.#appendTextInOnePiece(values as Uint32Array, heap!, rows);
    const start = this.rows;
    const offsets = (this.#offsets = grown(this.#offsets, start + rows.length + 1));
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const entry = dictionary === undefined ? row : Number(values[row]);
      const from = Number(text.offsets[entry]!);
      const to = isSet(valid, row) ? Number(text.offsets[entry + 1]!) : from;
      let end = offsets[start + i]!;
      this.#heap = grown(this.#heap, end + to - from);
      for (let position = from; position < to; position++) this.#heap[end++] = text.heap[position]!;
      offsets[start + i + 1] = end;
    }
  }

  /** Appends the text of consecutive rows in one piece; rows without a value have no text. */
  #appendTextInOnePiece(from: Uint32Array, heap: Uint8Array, rows: Selection): void {
    const start = this.rows;
    const offsets = (this.#offsets = grown(this.#offsets, start + rows.length + 1));
    const [first, end] = [rows[0]!, rows[0]! + rows.length];
    const shift = offsets[start]! - from[first]!;
    this.#heap = grown(this.#heap, from[end]! + shift);
    this.#heap.set(heap.subarray(from[first], from[end]), offsets[start]);
    for (let row = first + 1, at = start + 1; row <= end; row++, at++) offsets[at] = from[row]! + shift;
  }

  #appendCodesOf(target: ByteDictionary, { values, valid, heap, dictionary }: SstColumn, rows: Selection): void {
    const start = this.rows;
    const codes = (this.#codes = grown(this.#codes, start + rows.length));
    const translated = new Int32Array(dictionary === undefined ? 0 : dictionary.offsets.length - 1).fill(-1);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (!isSet(valid, row)) continue;
      if (dictionary === undefined) codes[start + i] = target.intern(heap!, Number(values[row]), Number(values[row + 1]));
      else {
        const code = Number(values[row]);
        if (translated[code]! < 0)
          translated[code] = target.intern(dictionary.heap, dictionary.offsets[code]!, dictionary.offsets[code + 1]!);
        codes[start + i] = translated[code]!;
      }
    }
  }

  #decide(dictionary: ByteDictionary): void {
    const isFirst = this.#nextDecision === FIRST_DECISION_ROWS;
    this.#nextDecision = isFirst ? SECOND_DECISION_ROWS : 2 * this.#nextDecision;
    this.#keepUpTo(isFirst ? ALL_DISTINCT : this.#mostDistinct, dictionary);
  }

  /** Gives the dictionary up if more than this share of the rows is distinct. */
  #keepUpTo(mostDistinct: number, dictionary: ByteDictionary): void {
    if (dictionary.size > mostDistinct * this.rows) this.#spellOut(dictionary);
  }

  /** Replaces the dictionary codes by the text of every row. */
  #spellOut({ offsets, heap }: ByteDictionary): void {
    const { rows } = this;
    const { bits } = this.#validity;
    const codes = this.#codes;
    const isPresent = (row: number): boolean => isSet(bits, row);
    const ends = new Uint32Array(codes.length + 1);
    let end = 0;
    for (let row = 0; row < rows; row++) {
      if (isPresent(row)) end += offsets[codes[row]! + 1]! - offsets[codes[row]!]!;
      ends[row + 1] = end;
    }
    const text = new Uint8Array(2 * end);
    for (let row = 0, at = 0; row < rows; row++) {
      if (!isPresent(row)) continue;
      const to = offsets[codes[row]! + 1]!;
      for (let position = offsets[codes[row]!]!; position < to; position++) text[at++] = heap[position]!;
    }
    this.#offsets = ends;
    this.#heap = text;
    this.#codes = new Int32Array(0);
    this.#dictionary = null;
  }

  padTo(rows: number): void {
    if (rows <= this.rows) return;
    if (this.#dictionary !== null) this.#codes = grown(this.#codes, rows);
    else {
      this.#offsets = grown(this.#offsets, rows + 1);
      this.#offsets.fill(this.#offsets[this.rows]!, this.rows + 1, rows + 1);
    }
    this.#validity.appendSame(rows - this.rows, false);
  }

  truncate(rows: number): void {
    if (this.#dictionary !== null) this.#codes.fill(0, rows, this.rows);
    this.#validity.rows = Math.min(rows, this.rows);
  }

  finish(name: string, order: Uint32Array | null): SstColumn {
    if (this.#dictionary !== null && Number.isFinite(this.#nextDecision)) this.#keepUpTo(this.#mostDistinct, this.#dictionary);
    const { bits } = this.#validity;
    const valid = bits === null || order === null ? bits : reorderBits(bits, order);
    const dictionary = this.#dictionary;
    if (dictionary !== null) {
      const values = order === null ? this.#codes : reorder(this.#codes, order);
      return {
        name,
        kind: 'dictionary',
        values,
        valid,
        dictionary: { offsets: dictionary.offsets.subarray(0, dictionary.size + 1), heap: dictionary.heap },
      };
    }
    const text = { offsets: this.#offsets, bytes: this.#heap };
    const { offsets, bytes } = order === null ? text : reorderHeap(text, order);
    return { name, kind: 'string', values: offsets, valid, heap: bytes };
  }
}
