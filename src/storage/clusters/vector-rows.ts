/** Reads the vectors in a column of a batch of rows in the form that clusters need: padded, and of length one for cosine. */
import type { CodeShape, Similarity } from '../../search/index.ts';
import { isNumber, toNumber, type Value } from '../../value/index.ts';
import type { SstColumn } from '../api.ts';
import { type CoveredBatch, NOT_LIVE } from '../artefacts/covered-rows.ts';
import { columnValue } from '../sst/column-value.ts';

/** The column of the vectors to read, and the form that they get. */
export interface VectorRequest {
  readonly column: string;
  readonly shape: CodeShape;
  readonly similarity: Similarity;
}

/** Calls `take` for each live row with a vector that can be found, with the row's position. The vector is valid during the call only. */
export function eachVector(
  { columns, rows, positions }: CoveredBatch,
  { column: name, shape, similarity }: VectorRequest,
  take: (vector: Float32Array, position: number) => void,
): void {
  const column = columns.get(name);
  if (column === undefined) return;
  const vector = new Float32Array(shape.padded);
  const read = readerOf(column, shape.dimensions);
  for (let row = 0; row < rows; row++) {
    const position = positions[row]!;
    if (position !== NOT_LIVE && hasValue(column, row) && read(row, vector) && prepare(vector, similarity)) take(vector, position);
  }
}

/** Returns the number of components of the first vector of the batch; 0 when it has none. */
export function dimensionsIn({ columns, rows, positions }: CoveredBatch, name: string): number {
  const column = columns.get(name);
  for (let row = 0; column !== undefined && row < rows; row++) {
    if (positions[row] === NOT_LIVE || !hasValue(column, row)) continue;
    const length = componentsOf(columnValue(column, row))?.length ?? 0;
    if (length > 0) return length;
  }
  return 0;
}

const hasValue = ({ valid }: SstColumn, row: number): boolean => valid === null || ((valid[row >> 3]! >> (row & 7)) & 1) === 1;

/** Reads the vector of a row; false when the row has no vector of the expected number of components. */
type ReadVector = (row: number, into: Float32Array) => boolean;

function readerOf(column: SstColumn, dimensions: number): ReadVector {
  const { kind, values, heap } = column;
  if (kind !== 'vector' || heap === undefined) {
    return (row, into) => {
      const components = componentsOf(columnValue(column, row));
      if (components?.length !== dimensions) return false;
      into.set(components);
      return true;
    };
  }
  const bytes = new Uint8Array(4 * dimensions);
  const components = new Float32Array(bytes.buffer);
  return (row, into) => {
    const from = values[row] as number;
    if ((values[row + 1] as number) - from !== bytes.length) return false;
    bytes.set(heap.subarray(from, from + bytes.length));
    into.set(components);
    return true;
  };
}

function componentsOf(value: Value): Float32Array | number[] | null {
  if (value instanceof Float32Array) return value;
  return Array.isArray(value) && value.every(isNumber) ? value.map(toNumber) : null;
}

/** The limit of a vector's squared length, beyond which squares do not fit into 32-bit floats. */
const LARGEST_SQUARE = 1e36;

/** Prepares a vector for the similarity; false when it cannot be compared at all. */
function prepare(vector: Float32Array, similarity: Similarity): boolean {
  let square = 0;
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!;
  if (!Number.isFinite(square)) return false;
  if (similarity === 'EUCLIDEAN') return square < LARGEST_SQUARE;
  if (square === 0) return false;
  const inverse = 1 / Math.sqrt(square);
  for (let i = 0; i < vector.length; i++) vector[i]! *= inverse;
  return true;
}
