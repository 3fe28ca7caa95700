/** Chooses the two bytes of a text to search for first: the rarest, according to a sample of the searched bytes. */

/** The number of runs of adjacent bytes in the sample: memory is read in cache lines. */
const RUNS = 64;
const RUN_BYTES = 64;
const counts = new Uint32Array(256);

/** Returns the indexes in `wanted` of its two rarest bytes; the same index twice if it has only one byte. */
export function rarestTwo(wanted: Uint8Array, searched: Uint8Array): { readonly i: number; readonly j: number } {
  counts.fill(0);
  const step = Math.max(RUN_BYTES, Math.floor(searched.length / RUNS));
  for (let from = 0; from < searched.length; from += step) {
    const to = Math.min(from + RUN_BYTES, searched.length);
    for (let at = from; at < to; at++) counts[searched[at]!]!++;
  }
  const rarer = (one: number, other: number): boolean => counts[wanted[one]!]! < counts[wanted[other]!]!;
  let i = 0;
  for (let at = 1; at < wanted.length; at++) if (rarer(at, i)) i = at;
  let j = i === 0 ? Math.min(1, wanted.length - 1) : 0;
  for (let at = j + 1; at < wanted.length; at++) if (at !== i && rarer(at, j)) j = at;
  return { i, j };
}
