/** Columns of one number per row, in a typed array with a bitmap of the rows that have a value. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import type { NumberVector } from '../csv/number-vector.ts';
import type { ColumnBuilder, Storage } from './column-builder.ts';
import { grown } from './growing.ts';
import { reorder } from './reorder.ts';
import { reorderBits, Validity } from './validity.ts';

/** A column of one number for each row. */
export abstract class NumberColumn<T extends Uint8Array | Int32Array | Float64Array | BigInt64Array> implements ColumnBuilder {
  abstract readonly storage: Storage;
  protected readonly validity = new Validity();
  protected values: T;

  constructor(values: T) {
    this.values = values;
  }

  get rows(): number {
    return this.validity.rows;
  }

  get isEmpty(): boolean {
    return this.validity.isEmpty;
  }

  get bytes(): number {
    return this.rows * this.values.BYTES_PER_ELEMENT;
  }

  abstract append(vector: NumberVector): void;

  abstract appendColumn(column: SstColumn, rows: Selection): void;

  padTo(rows: number): void {
    if (rows <= this.rows) return;
    this.values = grown(this.values, rows);
    this.validity.appendSame(rows - this.rows, false);
  }

  truncate(rows: number): void {
    if (this.values instanceof BigInt64Array) this.values.fill(0n, rows, this.rows);
    else this.values.fill(0, rows, this.rows);
    this.validity.rows = Math.min(rows, this.rows);
  }

  finish(name: string, order: Uint32Array | null): SstColumn {
    const { bits } = this.validity;
    return {
      name,
      kind: this.kind(),
      values: order === null ? this.values : reorder(this.values, order),
      valid: bits === null || order === null ? bits : reorderBits(bits, order),
    };
  }

  protected abstract kind(): SstColumn['kind'];
}
