/**
 * Sorts positions by 32-bit keys: a stable radix sort, least significant digit first, 16 bits a pass. O(n) a pass; a
 * pass in which all digits are equal is skipped.
 */

/** For fewer positions than this a comparison sort is faster than counting 65,536 digits. */
const FEW = 4096;
const DIGITS = 1 << 16;

/** Returns the positions in the ascending order of their keys; positions with equal keys keep their order. */
export function sortedBy(positions: Uint32Array, keys: Uint32Array): Uint32Array {
  if (isSorted(positions, keys)) return positions;
  if (positions.length < FEW) return sortedByComparison(positions, keys);
  return sortedByDigit(sortedByDigit(positions, keys, 0), keys, 16);
}

function isSorted(positions: Uint32Array, keys: Uint32Array): boolean {
  for (let i = 1; i < positions.length; i++) {
    if ((keys[positions[i - 1] as number] as number) > (keys[positions[i] as number] as number)) return false;
  }
  return true;
}

function sortedByComparison(positions: Uint32Array, keys: Uint32Array): Uint32Array {
  return positions.slice().sort((a, b) => (keys[a] as number) - (keys[b] as number));
}

function sortedByDigit(positions: Uint32Array, keys: Uint32Array, shift: number): Uint32Array {
  const starts = new Uint32Array(DIGITS + 1);
  for (let i = 0; i < positions.length; i++) starts[(((keys[positions[i] as number] as number) >>> shift) & 0xffff) + 1]!++;
  if (starts.includes(positions.length)) return positions;
  for (let digit = 1; digit <= DIGITS; digit++) starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number);
  const sorted = new Uint32Array(positions.length);
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i] as number;
    const digit = ((keys[position] as number) >>> shift) & 0xffff;
    sorted[starts[digit]!++] = position;
  }
  return sorted;
}
