/**
 * The mean of Floats whose sum leaves the range of doubles, though the mean itself lies inside it. Whoever takes a mean
 * adds up each value twice: as it is, and times `MEAN_SCALE`, of which no number of values can make an infinity. The
 * scaled sum is only looked at where the other one is not finite.
 */

/** A power of two: nothing is rounded. What is lost of values near zero does not matter beside a sum that is too large. */
export const MEAN_SCALE = 2 ** -64;

/** NaN and infinities come of such values alone. */
export function meanOf(sum: number, scaledSum: number, count: number): number {
  if (Number.isFinite(sum)) return sum / count;
  const mean = scaledSum / count / MEAN_SCALE;
  // Rounding must not carry the mean of the largest values beyond them.
  return Number.isFinite(scaledSum) ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, mean)) : mean;
}
