/** Memory that can be transferred between threads without a copy. */

/** Returns the buffers of the arrays, each once. Shared buffers are left out, since both threads have them anyway. */
export function movableMemory(arrays: Iterable<ArrayBufferView | null | undefined>): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const array of arrays) if (array?.buffer instanceof ArrayBuffer) buffers.add(array.buffer);
  return [...buffers];
}
