/** Floats, Booleans and dates: one number per row in an array of one type. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import type { NumberVector } from '../csv/number-vector.ts';
import { copyRows } from './copy-rows.ts';
import { grown } from './growing.ts';
import { NumberColumn } from './number-column.ts';

type FixedStorage = 'float' | 'boolean' | 'date';

/** A column of Floats, Booleans or dates. */
export class FixedColumn extends NumberColumn<Float64Array | Uint8Array | Int32Array> {
  readonly storage: FixedStorage;

  constructor(storage: FixedStorage) {
    super(storage === 'float' ? new Float64Array(0) : storage === 'boolean' ? new Uint8Array(0) : new Int32Array(0));
    this.storage = storage;
  }

  append(vector: NumberVector): void {
    this.values = grown(this.values, this.rows + vector.length);
    this.values.set(vector.numbers.subarray(0, vector.length), this.rows);
    this.validity.append(vector.present, vector.length, vector.presentCount);
  }

  appendColumn({ values, valid }: SstColumn, rows: Selection): void {
    const start = this.rows;
    const target = (this.values = grown(this.values, start + rows.length));
    copyRows(target, start, values as typeof target, rows);
    this.validity.appendBits(valid, rows);
  }

  protected kind(): SstColumn['kind'] {
    return this.storage;
  }
}
