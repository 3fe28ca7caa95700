/** Properties of the nodes of a projected graph, by dense node. */

/** The values of one property: a number, or a list of numbers, for each node. Integers are exact up to 2^53. */
export interface NodeProperty {
  readonly kind: 'integer' | 'float' | 'integers' | 'floats';
  /** The numbers by dense node, NaN where a node has no value; or all lists, one after the other. */
  readonly values: Float64Array | Float32Array;
  /** Where the list of each node begins in `values`, and one more element for the end; null: one number for each node. */
  readonly offsets: Uint32Array | null;
  /** True: the database has the property under this name. False: it was computed or renamed. */
  readonly stored: boolean;
}

/** Returns the bytes that a property takes. */
export function bytesOfProperty({ values, offsets }: NodeProperty): number {
  return values.byteLength + (offsets?.byteLength ?? 0);
}

/** Makes a property of one number for each node. */
export function numbers(kind: 'integer' | 'float', values: Float64Array): NodeProperty {
  return { kind, values, offsets: null, stored: false };
}

/** Makes a property of lists that have the same length and lie one after the other. */
export function vectors(values: Float64Array | Float32Array, dimension: number): NodeProperty {
  const count = dimension === 0 ? 0 : values.length / dimension;
  const offsets = new Uint32Array(count + 1);
  for (let i = 0; i <= count; i++) offsets[i] = i * dimension;
  return { kind: 'floats', values, offsets, stored: false };
}
