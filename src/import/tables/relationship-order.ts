/** Sorting by (source, target): a radix sort, least significant digit first, over both words. Stable; O(rows) per 11 bits of the largest ordinal. */

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Row r of the sorted table is row `order[r]` of the arrays; null: they are sorted as they are. */
export function relationshipOrder(sources: Uint32Array, targets: Uint32Array, rows: number): Uint32Array | null {
  if (isSorted(sources, targets, rows)) return null;
  let order: Uint32Array = Uint32Array.from({ length: rows }, (_, row) => row);
  let spare: Uint32Array = new Uint32Array(rows);
  for (const keys of [targets, sources]) {
    const bits = 32 - Math.clz32(maximum(keys, rows));
    for (let shift = 0; shift < bits; shift += DIGIT_BITS) {
      sortByDigit(keys, shift, order, spare);
      [order, spare] = [spare, order];
    }
  }
  return order;
}

function isSorted(sources: Uint32Array, targets: Uint32Array, rows: number): boolean {
  for (let row = 1; row < rows; row++) {
    const before = sources[row - 1]!;
    const source = sources[row]!;
    if (source < before || (source === before && targets[row]! < targets[row - 1]!)) return false;
  }
  return true;
}

function maximum(keys: Uint32Array, rows: number): number {
  let largest = 0;
  for (let row = 0; row < rows; row++) if (keys[row]! > largest) largest = keys[row]!;
  return largest;
}

function sortByDigit(keys: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array): void {
  const starts = new Uint32Array(DIGITS);
  for (let row = 0; row < from.length; row++) starts[(keys[row]! >>> shift) & (DIGITS - 1)]!++;
  let start = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = starts[digit]!;
    starts[digit] = start;
    start += count;
  }
  for (let position = 0; position < from.length; position++) {
    const row = from[position]!;
    const digit = (keys[row]! >>> shift) & (DIGITS - 1);
    to[starts[digit]!++] = row;
  }
}
