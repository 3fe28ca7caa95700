/** Typed arrays that grow by doubling. */

type TypedArray = Uint8Array | Uint32Array | Int32Array | Float64Array | BigInt64Array;

const SMALLEST_LENGTH = 1024;

/** Returns an array with the same elements and room for at least `count`, in shared memory if the given one is. Amortised O(1). */
export function grown<T extends TypedArray>(array: T, count: number): T {
  if (count <= array.length) return array;
  const length = Math.max(count, 2 * array.length, SMALLEST_LENGTH);
  const larger = new (array.constructor as new (memory: number | SharedArrayBuffer) => T)(
    array.buffer instanceof SharedArrayBuffer ? new SharedArrayBuffer(length * array.BYTES_PER_ELEMENT) : length,
  );
  larger.set(array as never);
  return larger;
}
