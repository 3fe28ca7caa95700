/** Puts the rows of typed arrays into another order. */

/** Returns the values in another order: element r is `values[order[r]]`. */
export function reorder<T extends Int32Array | Uint32Array | Float64Array | BigInt64Array | Uint8Array>(values: T, order: Uint32Array): T {
  const result = new (values.constructor as new (length: number) => T)(order.length);
  for (let row = 0; row < order.length; row++) result[row] = values[order[row]!]!;
  return result;
}

/** Values of varying length in one array of bytes. */
export interface Heap {
  /** Where the value of each row begins in `bytes`, and one more element for the end. */
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Returns values of varying length in another order: row r is row `order[r]` of the given ones. */
export function reorderHeap({ offsets, bytes }: Heap, order: Uint32Array): Heap {
  const newOffsets = new Uint32Array(order.length + 1);
  const newBytes = new Uint8Array(offsets[order.length]! - offsets[0]!);
  let at = 0;
  for (let row = 0; row < order.length; row++) {
    const from = offsets[order[row]!]!;
    const to = offsets[order[row]! + 1]!;
    for (let position = from; position < to; position++) newBytes[at++] = bytes[position]!;
    newOffsets[row + 1] = at;
  }
  return { offsets: newOffsets, bytes: newBytes };
}
