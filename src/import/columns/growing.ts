/** Typed arrays that grow by doubling. */

type TypedArray = Uint8Array | Uint32Array | Int32Array | Float64Array | BigInt64Array;

const SMALLEST_LENGTH = 1024;

/** Returns an array of the same elements with room for at least `count`, in shared memory if they were. Amortised O(1) per element. */
export function grown<T extends TypedArray>(array: T, count: number): T {
  if (count <= array.length) return array;
  const length = Math.max(count, 2 * array.length, SMALLEST_LENGTH);
  const larger = new (array.constructor as new (memory: number | SharedArrayBuffer) => T)(
    array.buffer instanceof SharedArrayBuffer ? new SharedArrayBuffer(length * array.BYTES_PER_ELEMENT) : length,
  );
  larger.set(array as never);
  return larger;
}
