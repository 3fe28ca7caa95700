/** Integers: 32 bits while they fit, then Float64 (safe integers), then 64 bits. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import type { NumberVector } from '../csv/number-vector.ts';
import type { ColumnBuilder } from './column-builder.ts';
import { copyRows } from './copy-rows.ts';
import { grown } from './growing.ts';
import { reorder } from './reorder.ts';
import { reorderBits, Validity } from './validity.ts';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

export class IntegerColumn implements ColumnBuilder {
  readonly storage = 'integer';
  readonly #validity = new Validity();
  #values: Int32Array | Float64Array | BigInt64Array = new Int32Array(0);

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
    this.#fit(vector);
    const start = this.rows;
    this.#values = grown(this.#values, start + vector.length);
    if (this.#values instanceof BigInt64Array) appendBigints(this.#values, start, vector);
    else this.#values.set(vector.numbers.subarray(0, vector.length), start);
    this.#validity.append(vector.present, vector.length, vector.presentCount);
  }

  appendColumn({ kind, values, valid }: SstColumn, rows: Selection): void {
    if (kind === 'int64' && !(this.#values instanceof BigInt64Array)) this.#values = bigints(this.#values);
    else if (kind === 'integer' && this.#values instanceof Int32Array) this.#values = Float64Array.from(this.#values);
    const start = this.rows;
    const target = (this.#values = grown(this.#values, start + rows.length));
    if (target instanceof BigInt64Array) for (let i = 0; i < rows.length; i++) target[start + i] = BigInt(values[rows[i]!]!);
    else copyRows(target, start, values as Int32Array | Float64Array, rows);
    this.#validity.appendBits(valid, rows);
  }

  /** Widens the array as far as the vector needs it. */
  #fit({ wideCount, minimum, maximum }: NumberVector): void {
    if (wideCount > 0) {
      if (!(this.#values instanceof BigInt64Array)) this.#values = bigints(this.#values);
    } else if (this.#values instanceof Int32Array && (minimum < INT32_MIN || maximum > INT32_MAX)) {
      this.#values = Float64Array.from(this.#values);
    }
  }

  padTo(rows: number): void {
    if (rows <= this.rows) return;
    this.#values = grown(this.#values, rows);
    this.#validity.appendSame(rows - this.rows, false);
  }

  truncate(rows: number): void {
    if (this.#values instanceof BigInt64Array) this.#values.fill(0n, rows, this.rows);
    else this.#values.fill(0, rows, this.rows);
    this.#validity.rows = Math.min(rows, this.rows);
  }

  finish(name: string, order: Uint32Array | null): SstColumn {
    const { bits } = this.#validity;
    const kind = this.#values instanceof Int32Array ? 'int32' : this.#values instanceof Float64Array ? 'integer' : 'int64';
    return {
      name,
      kind,
      values: order === null ? this.#values : reorder(this.#values, order),
      valid: bits === null || order === null ? bits : reorderBits(bits, order),
    };
  }
}

function bigints(values: Int32Array | Float64Array): BigInt64Array {
  const wide = new BigInt64Array(values.length);
  for (let row = 0; row < values.length; row++) wide[row] = BigInt(values[row]!);
  return wide;
}

function appendBigints(target: BigInt64Array, start: number, { numbers, wide, length }: NumberVector): void {
  for (let i = 0; i < length; i++) {
    const number = numbers[i]!;
    target[start + i] = number === number ? BigInt(number) : wide[i]!;
  }
}
