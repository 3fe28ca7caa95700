/** Lengths of fields as Lucene keeps them beside a document: one byte, exact below 40 terms, with four bits of precision above. */

/** A length below this is its own code. */
const EXACT = 24;

function encodeLong(length: number): number {
  const bits = 32 - Math.clz32(length);
  if (bits < 4) return length;
  const shift = bits - 4;
  return ((length >>> shift) & 7) | ((shift + 1) << 3);
}

function decodeLong(code: number): number {
  const shift = (code >>> 3) - 1;
  return shift < 0 ? code & 7 : ((code & 7) | 8) * 2 ** shift;
}

/** Returns the code of a length, from 0 to 255; a longer field never has a lower code. */
export function lengthCode(length: number): number {
  return length < EXACT ? length : EXACT + encodeLong(length - EXACT);
}

/** The length that scores use for each code: the shortest one with that code. */
export const CODED_LENGTHS: readonly number[] = Array.from({ length: 256 }, (_, code) =>
  code < EXACT ? code : EXACT + decodeLong(code - EXACT),
);
