/** Integers: 32 bits while they fit, then Float64 (safe integers), then 64 bits. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import type { NumberVector } from '../csv/number-vector.ts';
import { copyRows } from './copy-rows.ts';
import { grown } from './growing.ts';
import { NumberColumn } from './number-column.ts';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** A column of Integers. */
export class IntegerColumn extends NumberColumn<Int32Array | Float64Array | BigInt64Array> {
  readonly storage = 'integer';

  constructor() {
    super(new Int32Array(0));
  }

  append(vector: NumberVector): void {
    this.#fit(vector);
    const start = this.rows;
    this.values = grown(this.values, start + vector.length);
    if (this.values instanceof BigInt64Array) appendBigints(this.values, start, vector);
    else this.values.set(vector.numbers.subarray(0, vector.length), start);
    this.validity.append(vector.present, vector.length, vector.presentCount);
  }

  appendColumn({ kind, values, valid }: SstColumn, rows: Selection): void {
    if (kind === 'int64' && !(this.values instanceof BigInt64Array)) this.values = bigints(this.values);
    else if (kind === 'integer' && this.values instanceof Int32Array) this.values = Float64Array.from(this.values);
    const start = this.rows;
    const target = (this.values = grown(this.values, start + rows.length));
    if (target instanceof BigInt64Array) for (let i = 0; i < rows.length; i++) target[start + i] = BigInt(values[rows[i]!]!);
    else copyRows(target, start, values as Int32Array | Float64Array, rows);
    this.validity.appendBits(valid, rows);
  }

  /** Widens the array so that the numbers of the vector fit. */
  #fit({ wideCount, minimum, maximum }: NumberVector): void {
    if (wideCount > 0) {
      if (!(this.values instanceof BigInt64Array)) this.values = bigints(this.values);
    } else if (this.values instanceof Int32Array && (minimum < INT32_MIN || maximum > INT32_MAX)) {
      this.values = Float64Array.from(this.values);
    }
  }

  protected kind(): SstColumn['kind'] {
    return this.values instanceof Int32Array ? 'int32' : this.values instanceof Float64Array ? 'integer' : 'int64';
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
