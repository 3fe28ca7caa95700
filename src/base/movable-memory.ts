/** Memory that can change hands between threads without a copy. */

/** That of the arrays, each once; what is shared is left out, both threads have it anyway. */
export function movableMemory(arrays: Iterable<ArrayBufferView | null | undefined>): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const array of arrays) if (array?.buffer instanceof ArrayBuffer) buffers.add(array.buffer);
  return [...buffers];
}
