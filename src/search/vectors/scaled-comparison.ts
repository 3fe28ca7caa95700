/**
 * Compares vectors whose squares are beyond the range of doubles: components above some 1e154, whose squares are
 * infinite, or below some 1e-154, whose squares are zero. Components are divided by the greatest of their vector before
 * they are squared. These loops are slower than those on the components themselves, which are tried first.
 */

/** The sums of squares that have lost nothing to the range of doubles, and whose products have not either. */
const LEAST_SQUARE = 1e-140;
const GREATEST_SQUARE = 1e140;

/** Tells whether a sum of squares is exact but for rounding: none of its terms that matter is out of range. */
export function isInRange(square: number): boolean {
  return square > LEAST_SQUARE && square < GREATEST_SQUARE;
}

function greatestOf(vector: ArrayLike<number>): number {
  let greatest = 0;
  // Math.max keeps NaN.
  for (let i = 0; i < vector.length; i++) greatest = Math.max(greatest, Math.abs(vector[i]!));
  return greatest;
}

/** Returns the length of a vector. */
export function scaledLength(vector: ArrayLike<number>): number {
  const greatest = greatestOf(vector);
  if (greatest === 0 || greatest === Number.POSITIVE_INFINITY) return greatest;
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i]! / greatest) ** 2;
  return greatest * Math.sqrt(squares);
}

/** Returns the Euclidean distance of two vectors of equal length. */
export function scaledDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return scaledLength(Float64Array.from(a, (each, i) => each - b[i]!));
}

/** Returns the cosine of two vectors of equal length; null if one is zero. */
export function scaledCosine(a: ArrayLike<number>, b: ArrayLike<number>): number | null {
  const [greatestOfA, greatestOfB] = [greatestOf(a), greatestOf(b)];
  if (greatestOfA === 0 || greatestOfB === 0) return null;
  let [product, squaresOfA, squaresOfB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]! / greatestOfA, b[i]! / greatestOfB];
    product += x * y;
    squaresOfA += x * x;
    squaresOfB += y * y;
  }
  return Math.max(-1, Math.min(1, product / Math.sqrt(squaresOfA * squaresOfB)));
}

/** Returns the dot product of two vectors of equal length, whose sum goes beyond the range on the way at most. */
export function scaledDot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [scaleOfA, scaleOfB] = [scaleOf(a), scaleOf(b)];
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! / scaleOfA) * (b[i]! / scaleOfB);
  return sum * Math.min(scaleOfA, scaleOfB) * Math.max(scaleOfA, scaleOfB);
}

/** Returns what the components of a vector are divided by: the greatest, but 1 if that is zero or not finite. */
function scaleOf(vector: ArrayLike<number>): number {
  const greatest = greatestOf(vector);
  return Number.isFinite(greatest) && greatest > 0 ? greatest : 1;
}
