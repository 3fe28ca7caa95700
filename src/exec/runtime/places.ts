/** Arrays by node ordinal, of any content, that go from walk to walk: see `DistinctWalk`. */
const MOST_FREE = 6;
/** Longer ones are left to the garbage collector. */
const LONGEST_FREE = 1 << 24;
const free: Int32Array[] = [];

/** An array of at least that many entries. */
export function takePlaces(length: number): Int32Array {
  const known = free.pop();
  if (known !== undefined && known.length >= length) return known;
  return new Int32Array(Math.max(1024, length + (length >> 3)));
}

/** Nobody uses it any more. One that never comes back (its statement was stopped) is no loss. */
export function givePlaces(places: Int32Array): void {
  if (places.length <= LONGEST_FREE && free.length < MOST_FREE) free.push(places);
}
