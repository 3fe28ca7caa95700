/**
 * Growing typed arrays over SharedArrayBuffers. A grown array is a new fixed-length view (length-tracking views are 24 times slower);
 * large arrays reserve address space and grow in place, small ones are copied. Views taken before a growth stay valid for their elements,
 * because elements that readers may see never change. New elements are zero.
 */

/** A typed array whose memory can be shared. */
export type SharedTypedArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array | BigInt64Array;

interface SharedArrayConstructor<T extends SharedTypedArray> {
  new (buffer: SharedArrayBuffer, byteOffset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** From this size on a buffer reserves address space of `RESERVE_FACTOR` times its length, `LARGEST_RESERVE_BYTES` at most. */
const RESERVE_FROM_BYTES = 1 << 20;
const RESERVE_FACTOR = 16;
const LARGEST_RESERVE_BYTES = 2 ** 32;
const SMALLEST_LENGTH = 16;
/** An array of at least `SHRINK_FROM_BYTES` gives memory back when less than 1 / `SHRINK_FACTOR` of its elements are in use. */
const SHRINK_FROM_BYTES = 1 << 22;
const SHRINK_FACTOR = 4;

const NOTHING = new SharedArrayBuffer(0);

/** An empty array of bytes. */
export const EMPTY_U8 = new Uint8Array(NOTHING);

/** An empty array of unsigned 16-bit integers. */
export const EMPTY_U16 = new Uint16Array(NOTHING);

/** An empty array of unsigned 32-bit integers. */
export const EMPTY_U32 = new Uint32Array(NOTHING);

/** An empty array of 32-bit integers. */
export const EMPTY_I32 = new Int32Array(NOTHING);

/** An empty array of doubles. */
export const EMPTY_F64 = new Float64Array(NOTHING);

/** An empty array of 64-bit integers. */
export const EMPTY_I64 = new BigInt64Array(NOTHING);

/** Makes an array of exactly `length` zeros, of the type of `like`. */
export function sharedArray<T extends SharedTypedArray>(like: T, length: number): T {
  const constructor = like.constructor as unknown as SharedArrayConstructor<T>;
  return new constructor(new SharedArrayBuffer(length * constructor.BYTES_PER_ELEMENT), 0, length);
}

/** Returns an array of the same elements with room for at least `count`; the array itself when it has room. Amortised O(1) per element. */
export function grown<T extends SharedTypedArray>(array: T, count: number): T {
  return count <= array.length ? array : grow(array, count);
}

function grow<T extends SharedTypedArray>(array: T, count: number): T {
  const constructor = array.constructor as unknown as SharedArrayConstructor<T>;
  const length = Math.max(count, array.length * 2, SMALLEST_LENGTH);
  const bytes = length * constructor.BYTES_PER_ELEMENT;
  const buffer = array.buffer as SharedArrayBuffer;
  if (buffer.growable && bytes <= buffer.maxByteLength) {
    if (bytes > buffer.byteLength) buffer.grow(bytes);
    return new constructor(buffer, 0, length);
  }
  const larger = new constructor(sharedBuffer(bytes), 0, length);
  larger.set(array as never);
  return larger;
}

function sharedBuffer(bytes: number): SharedArrayBuffer {
  if (bytes < RESERVE_FROM_BYTES) return new SharedArrayBuffer(bytes);
  const reserve = Math.max(bytes, Math.min(bytes * RESERVE_FACTOR, LARGEST_RESERVE_BYTES));
  return new SharedArrayBuffer(bytes, { maxByteLength: reserve });
}

/**
 * Returns the array, or a copy of its first `count` elements when the array is large and these are less than a quarter of
 * it. The copy has room for twice as many.
 */
export function shrunk<T extends SharedTypedArray>(array: T, count: number): T {
  return array.byteLength >= SHRINK_FROM_BYTES && count * SHRINK_FACTOR < array.length ? copied(array, count, 2 * count) : array;
}

/** Returns a copy of the first `count` elements, with room for `capacity` elements. */
export function copied<T extends SharedTypedArray>(array: T, count: number, capacity = count): T {
  const copy = sharedArray(array, capacity);
  copy.set(array.subarray(0, count) as never);
  return copy;
}
