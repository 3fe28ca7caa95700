/**
 * Numbers read from one column of a block, in the order of the selected rows, on their way from text to a column. A
 * vector is used again for each block. Integers beyond the safe range stand in `wide`.
 */

/** Numbers that were read from a column. */
export class NumberVector {
  length = 0;
  numbers = new Float64Array(0);
  /** 1 for each row that has a value, else 0. */
  present = new Uint8Array(0);
  presentCount = 0;
  /** The least, and as `maximum` the greatest of `numbers`, without absent and wide values. */
  minimum = 0;
  maximum = 0;
  /** How many values stand in `wide`; they are NaN in `numbers`. */
  wideCount = 0;
  wide = new BigInt64Array(0);

  start(length: number): void {
    this.length = length;
    this.presentCount = 0;
    this.wideCount = 0;
    this.minimum = Number.POSITIVE_INFINITY;
    this.maximum = Number.NEGATIVE_INFINITY;
    if (length <= this.numbers.length) return;
    this.numbers = new Float64Array(length);
    this.present = new Uint8Array(length);
  }

  setWide(index: number, value: bigint): void {
    if (this.wide.length < this.length) {
      const wide = new BigInt64Array(this.numbers.length);
      wide.set(this.wide);
      this.wide = wide;
    }
    this.wide[index] = value;
    this.numbers[index] = Number.NaN;
    this.wideCount++;
  }
}
