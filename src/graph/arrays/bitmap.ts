/** Bitmaps in shared bytes: bit i is bit i & 7 of byte i >> 3. Bits beyond the last byte count as 0. */
import { EMPTY_U8, grown } from './shared-array.ts';

/** Returns how many bytes a bitmap of `count` bits needs. */
export function bytesForBits(count: number): number {
  return (count + 7) >>> 3;
}

/** Tells whether a bit is set. */
export function hasBit(bitmap: Uint8Array, index: number): boolean {
  return ((bitmap[index >>> 3] as number) & (1 << (index & 7))) !== 0;
}

/** Sets a bit. */
export function setBit(bitmap: Uint8Array, index: number): void {
  const at = index >>> 3;
  bitmap[at] = (bitmap[at] as number) | (1 << (index & 7));
}

/** Clears a bit. */
export function clearBit(bitmap: Uint8Array, index: number): void {
  const at = index >>> 3;
  bitmap[at] = (bitmap[at] as number) & ~(1 << (index & 7));
}

/** Returns the bitmap with room for at least `count` bits; null starts an empty one. */
export function bitmapFor(bitmap: Uint8Array | null, count: number): Uint8Array {
  return grown(bitmap ?? EMPTY_U8, bytesForBits(count));
}

/** Clears the bits from `from` to below `to`. */
export function clearBits(bitmap: Uint8Array, from: number, to: number): void {
  let index = from;
  while (index < to && (index & 7) !== 0) clearBit(bitmap, index++);
  if (to - index >= 8) bitmap.fill(0, index >>> 3, to >>> 3);
  index = Math.max(index, to & ~7);
  while (index < to) clearBit(bitmap, index++);
}

/** Sets the bits from `from` to below `to`. */
export function setBits(bitmap: Uint8Array, from: number, to: number): void {
  let index = from;
  while (index < to && (index & 7) !== 0) setBit(bitmap, index++);
  if (to - index >= 8) bitmap.fill(0xff, index >>> 3, to >>> 3);
  index = Math.max(index, to & ~7);
  while (index < to) setBit(bitmap, index++);
}

/** Copies the first `count` bits of `from` to `to`, from bit `at` on. The target bits must be 0. */
export function copyBits(from: Uint8Array, to: Uint8Array, at: number, count: number): void {
  const whole = (at & 7) === 0 ? count & ~7 : 0;
  to.set(from.subarray(0, whole >>> 3), at >>> 3);
  for (let i = whole; i < count; i++) if (hasBit(from, i)) setBit(to, at + i);
}
