/**
 * Exact arithmetic on doubles, so that no rounding and no overflow on the way to a result is anybody's: a double is an integer of units of
 * 2^-1074, and so is any sum of doubles.
 */

const UNITS = 1074;

const EXTRA_BITS = 128;

/** A double in units of 2^-1074; throws for NaN and the infinities. */
export function unitsOf(x: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  if (exponent === 0x7ff) throw new RangeError('a number that is not finite');
  const fraction = word & 0xfffffffffffffn;
  const magnitude = exponent === 0 ? fraction : (fraction | (1n << 52n)) << BigInt(exponent - 1);
  return x < 0 ? -magnitude : magnitude;
}

/** The double nearest to a number of units of 2^-scale. */
function toDouble(value: bigint, scale: number): number {
  const negative = value < 0n;
  const magnitude = negative ? -value : value;
  const excess = Math.max(0, magnitude.toString(2).length - 60);
  const top = magnitude >> BigInt(excess);
  // What is cut off counts as one bit more, so that rounding sees that the number is no tie.
  const scaled = Number(top << BigInt(excess) === magnitude ? top : top | 1n);
  // In two steps: a power of two beyond the range of a double would make the product Infinity or 0.
  const power = excess - scale;
  const result = scaled * 2 ** Math.trunc(power / 2) * 2 ** (power - Math.trunc(power / 2));
  return negative ? -result : result;
}

/** Rounded as if it were exact. */
export function meanOf(values: readonly number[]): number {
  const sum = values.reduce((total, x) => total + unitsOf(x), 0n);
  const [shifted, count] = [sum << BigInt(EXTRA_BITS), BigInt(values.length)];
  const mean = shifted / count;
  return toDouble(mean * count === shifted ? mean : mean | 1n, UNITS + EXTRA_BITS);
}

/** The standard deviation; of a sample the sum of the squares is divided by one less than their number. */
export function deviationOf(values: readonly number[], sample: boolean): number {
  const count = BigInt(values.length);
  const divisor = sample ? count - 1n : count;
  if (divisor <= 0n) return 0;
  const units = values.map(unitsOf);
  const sum = units.reduce((total, x) => total + x, 0n);
  const squares = units.reduce((total, x) => total + x * x, 0n);
  // The square of the deviation, times `count * divisor`: count Σx² − (Σx)².
  const radicand = ((count * squares - sum * sum) << BigInt(2 * EXTRA_BITS)) / (count * divisor);
  return toDouble(squareRoot(radicand), UNITS + EXTRA_BITS);
}

/** The largest integer whose square is not larger. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** A decimal number: `digits` times ten to the power of `-scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** The shortest decimal that reads as the double. */
function decimalOf(x: number): Decimal {
  const [mantissa = '', exponent = '0'] = x.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}

/** The digits that rounding cuts off, and those that it leaves. */
interface Tail {
  /** Negative, zero or positive as the rest is less than, equal to or more than a half. */
  readonly half: number;
  readonly negative: boolean;
  /** The whole part is odd. */
  readonly odd: boolean;
}

const AWAY: Record<string, (tail: Tail) => boolean> = {
  UP: () => true,
  DOWN: () => false,
  CEILING: ({ negative }) => !negative,
  FLOOR: ({ negative }) => negative,
  HALF_UP: ({ half }) => half >= 0,
  HALF_DOWN: ({ half }) => half > 0,
  HALF_EVEN: ({ half, odd }) => half > 0 || (half === 0 && odd),
  /** Ties towards positive infinity: `round` without a mode and without places. */
  HALF_CEILING: ({ half, negative }) => half > 0 || (half === 0 && !negative),
};

/** Rounds to decimal places; a mode that there is not is undefined. A zero has no sign. */
export function rounded(x: number, places: number, mode: string): number | undefined {
  const away = AWAY[mode];
  if (away === undefined) return undefined;
  if (!Number.isFinite(x)) return x;
  const { digits, scale } = decimalOf(x);
  if (scale <= places) return x + 0;
  const unit = 10n ** BigInt(scale - places);
  const magnitude = digits < 0n ? -digits : digits;
  const [whole, rest] = [magnitude / unit, magnitude % unit];
  const half = Number(2n * rest > unit) - Number(2n * rest < unit);
  const up = rest > 0n && away({ half, negative: x < 0, odd: whole % 2n === 1n });
  const result = up ? whole + 1n : whole;
  return Number(`${x < 0 && result > 0n ? '-' : ''}${result}e${-places}`);
}
