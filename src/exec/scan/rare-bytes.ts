/** Which two bytes of a text to look for first: the rarest, by a sample of what is searched. */

/** Runs of neighbouring bytes, since memory comes in lines. */
const RUNS = 64;
const RUN_BYTES = 64;
const counts = new Uint32Array(256);

/** Places in `wanted`; the same one twice where it has only one. */
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
