/** Returns the position of the last of ascending numbers that is not above a bound; -1 when all are above it. */
export function lastAtMost(numbers: ArrayLike<number>, bound: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= bound) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
