/** Operations on bitmaps: bit r is bit r & 7 of byte r >> 3, as in Arrow. */

/** Copies `count` bits. Bits of `target` outside the range keep their value. */
export function copyBits(source: Uint8Array, sourceBit: number, target: Uint8Array, targetBit: number, count: number): void {
  if ((sourceBit & 7) === 0 && (targetBit & 7) === 0) {
    const bytes = count >> 3;
    target.set(source.subarray(sourceBit >> 3, (sourceBit >> 3) + bytes), targetBit >> 3);
    copyBitByBit(source, sourceBit + 8 * bytes, target, targetBit + 8 * bytes, count & 7);
  } else copyBitByBit(source, sourceBit, target, targetBit, count);
}

function copyBitByBit(source: Uint8Array, sourceBit: number, target: Uint8Array, targetBit: number, count: number): void {
  for (let index = 0; index < count; index++) {
    const from = sourceBit + index;
    const to = targetBit + index;
    if ((source[from >> 3]! >> (from & 7)) & 1) target[to >> 3]! |= 1 << (to & 7);
    else target[to >> 3]! &= ~(1 << (to & 7));
  }
}

/** Sets `count` bits of a bitmap from bit `from` on. */
export function setBits(target: Uint8Array, from: number, count: number): void {
  const end = from + count;
  let bit = from;
  for (; bit < end && (bit & 7) !== 0; bit++) target[bit >> 3]! |= 1 << (bit & 7);
  const wholeEnd = end & ~7;
  if (bit < wholeEnd) {
    target.fill(0xff, bit >> 3, wholeEnd >> 3);
    bit = wholeEnd;
  }
  for (; bit < end; bit++) target[bit >> 3]! |= 1 << (bit & 7);
}

/** Counts the set bits in [from, from + count). */
export function countBits(bitmap: Uint8Array, from: number, count: number): number {
  const end = from + count;
  let total = 0;
  let bit = from;
  for (; bit < end && (bit & 7) !== 0; bit++) total += (bitmap[bit >> 3]! >> (bit & 7)) & 1;
  for (; bit + 8 <= end; bit += 8) {
    let byte = bitmap[bit >> 3]!;
    byte -= (byte >> 1) & 0x55;
    byte = (byte & 0x33) + ((byte >> 2) & 0x33);
    total += (byte + (byte >> 4)) & 0x0f;
  }
  for (; bit < end; bit++) total += (bitmap[bit >> 3]! >> (bit & 7)) & 1;
  return total;
}

/** Tells whether a bit is set. */
export function isSet(bitmap: Uint8Array, bit: number): boolean {
  return ((bitmap[bit >> 3]! >> (bit & 7)) & 1) !== 0;
}
