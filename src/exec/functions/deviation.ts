/**
 * Standard deviations by Welford's method: one pass, without the cancellation of a difference of sums. Squares of
 * values above 10^154 exceed the range of doubles, and those of values below 10^-154 vanish in it, so the sums are also
 * computed at two other scales, one of which is used in such a case.
 */

/** Scales of the values: powers of two, so that nothing is rounded. */
const SCALES = [1, 2 ** -520, 2 ** 520] as const;
/** Sums of squares below this have lost digits. */
const SMALLEST_EXACT = 2 ** -900;

/** Computes a standard deviation in one pass. */
export class Deviation {
  #count = 0;
  readonly #spreads = SCALES.map((scale) => new Spread(scale));

  add(x: number): void {
    this.#count++;
    for (const spread of this.#spreads) spread.add(x, this.#count);
  }

  /** Returns the deviation of a sample (divided by one less than the count) or of a population; 0 if the divisor is 0 or less. */
  result(isSample: boolean): number {
    const divisor = isSample ? this.#count - 1 : this.#count;
    if (divisor <= 0) return 0;
    const [plain, down, up] = this.#spreads as [Spread, Spread, Spread];
    const isExact = plain.squares >= SMALLEST_EXACT && Number.isFinite(plain.squares);
    const spread = isExact ? plain : Number.isFinite(up.squares) ? up : down;
    return Math.sqrt(spread.squares / divisor) / spread.scale;
  }
}

class Spread {
  readonly scale: number;
  squares = 0;
  #mean = 0;

  constructor(scale: number) {
    this.scale = scale;
  }

  add(value: number, count: number): void {
    const x = value * this.scale;
    const distance = x - this.#mean;
    this.#mean += distance / count;
    this.squares += distance * (x - this.#mean);
  }
}
