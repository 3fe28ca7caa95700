/** Floats, Booleans and dates: one number per row in an array of one type. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import type { NumberVector } from '../csv/number-vector.ts';
import type { ColumnBuilder } from './column-builder.ts';
import { copyRows } from './copy-rows.ts';
import { grown } from './growing.ts';
import { reorder } from './reorder.ts';
import { reorderBits, Validity } from './validity.ts';

type FixedStorage = 'float' | 'boolean' | 'date';

export class FixedColumn implements ColumnBuilder {
  readonly storage: FixedStorage;
  readonly #validity = new Validity();
  #values: Float64Array | Uint8Array | Int32Array;

  constructor(storage: FixedStorage) {
    this.storage = storage;
    this.#values = storage === 'float' ? new Float64Array(0) : storage === 'boolean' ? new Uint8Array(0) : new Int32Array(0);
  }

  get rows(): number {
    return this.#validity.rows;
  }

  get isEmpty(): boolean {
    return this.#validity.isEmpty;
  }

  get bytes(): number {
    return this.rows * this.#values.BYTES_PER_ELEMENT;
  }

  append(vector: NumberVector): void {
    this.#values = grown(this.#values, this.rows + vector.length);
    this.#values.set(vector.numbers.subarray(0, vector.length), this.rows);
    this.#validity.append(vector.present, vector.length, vector.presentCount);
  }

  appendColumn({ values, valid }: SstColumn, rows: Selection): void {
    const start = this.rows;
    const target = (this.#values = grown(this.#values, start + rows.length));
    copyRows(target, start, values as typeof target, rows);
    this.#validity.appendBits(valid, rows);
  }

  padTo(rows: number): void {
    if (rows <= this.rows) return;
    this.#values = grown(this.#values, rows);
    this.#validity.appendSame(rows - this.rows, false);
  }

  truncate(rows: number): void {
    this.#values.fill(0, rows, this.rows);
    this.#validity.rows = Math.min(rows, this.rows);
  }

  finish(name: string, order: Uint32Array | null): SstColumn {
    const { bits } = this.#validity;
    return {
      name,
      kind: this.storage,
      values: order === null ? this.#values : reorder(this.#values, order),
      valid: bits === null || order === null ? bits : reorderBits(bits, order),
    };
  }
}
