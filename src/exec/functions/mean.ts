/**
 * The mean of Floats whose sum exceeds the range of doubles, although the mean itself does not. Each value is added to
 * two sums: as it is, and multiplied by `MEAN_SCALE`, so that no number of values makes it infinite. The scaled sum is
 * only used if the other one is not finite.
 */

/** A power of two, so that scaling rounds nothing. Digits lost near zero do not matter beside a sum that is too large. */
export const MEAN_SCALE = 2 ** -64;

/** Returns the mean of `count` values; NaN or an infinity only if one of the values is. */
export function meanOf(sum: number, scaledSum: number, count: number): number {
  if (Number.isFinite(sum)) return sum / count;
  const mean = scaledSum / count / MEAN_SCALE;
  // Rounding must not carry the mean of the largest values to infinity.
  return Number.isFinite(scaledSum) ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, mean)) : mean;
}
