/** Decodes values from their form in a file to their form in memory. */

/** Decodes 64-bit integers, all of which are safe, to doubles. The offset of `bytes` must be a multiple of four. */
export function decodeIntegers(bytes: Uint8Array, values: Float64Array): void {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, 2 * values.length);
  for (let row = 0, at = 0; row < values.length; row++, at += 2) values[row] = words[at + 1]! * 2 ** 32 + (words[at]! >>> 0);
}

/** Decodes bits, one for each value, to bytes of 0 and 1. */
export function decodeBooleans(bytes: Uint8Array, values: Uint8Array): void {
  for (let row = 0; row < values.length; row++) values[row] = (bytes[row >> 3]! >> (row & 7)) & 1;
}
