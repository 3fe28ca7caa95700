/**
 * How vectors are coded (pure). A vector x is a centroid plus a residual; a component of the residual is an integer u
 * of 8 bits that stands for (u − 127.5) · s, where each vector has a scale s of its own. The upper four bits of all
 * components lie together, and so do the lower four: the upper halves alone tell which vectors are worth reading the
 * lower halves of.
 *
 * Vectors are compared by `key` = q·x − |x|²/2, so that |q − x|² = |q|² − 2·key. For the cosine vectors are scaled to
 * length one before they are coded.
 */

/** A measure by which vectors are compared. */
export type Similarity = 'COSINE' | 'EUCLIDEAN';

/** How many components a block of 4-bit codes has. */
const NIBBLE_BLOCK = 32;
const BYTE_BLOCK = 16;
const HALF_RANGE = 127.5;
const CENTROID_RANGE = 63;

/** The sizes of codes, for vectors with so many dimensions. */
export class CodeShape {
  readonly dimensions: number;
  /** The number of components with the zeros after them. */
  readonly padded: number;
  readonly nibbleBlocks: number;
  /** Bytes of the upper halves of a vector's code, or of the lower halves. */
  readonly planeBytes: number;
  /** Blocks of a centroid's code; `centroidBytes` has its bytes. */
  readonly byteBlocks: number;
  readonly centroidBytes: number;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.nibbleBlocks = Math.ceil(dimensions / NIBBLE_BLOCK);
    this.padded = this.nibbleBlocks * NIBBLE_BLOCK;
    this.planeBytes = this.padded / 2;
    this.byteBlocks = this.padded / BYTE_BLOCK;
    this.centroidBytes = this.padded;
  }
}

/** The scale of a query that was written as signed bytes, and sums over its components. */
export interface QuantisedQuery {
  readonly scale: number;
  /** The sum of all components, as the codes give them. */
  readonly sum: number;
  /** The square of the query's length. */
  readonly square: number;
}

/** Writes a query as signed bytes into `into`. */
export function quantiseQuery(query: Float32Array, into: Int8Array): QuantisedQuery {
  let largest = 0;
  for (const component of query) largest = Math.max(largest, Math.abs(component));
  const scale = largest === 0 ? 1 : largest / 127;
  let sum = 0;
  let square = 0;
  for (let i = 0; i < query.length; i++) {
    const code = Math.round(query[i]! / scale);
    into[i] = code;
    sum += code * scale;
    square += query[i]! * query[i]!;
  }
  return { scale, sum, square };
}

/** Writes a centroid as 7-bit codes into `into`, and sets `centroid` to the values that these stand for. Returns the scale. */
export function quantiseCentroid(centroid: Float32Array, into: Uint8Array): number {
  let largest = 0;
  for (const component of centroid) largest = Math.max(largest, Math.abs(component));
  const scale = Math.fround(largest === 0 ? 1 : largest / CENTROID_RANGE);
  for (let i = 0; i < centroid.length; i++) {
    const code = Math.round(centroid[i]! / scale);
    into[i] = code + CENTROID_RANGE + 1;
    centroid[i] = code * scale;
  }
  return scale;
}

/** Returns the dot product of a query with a centroid, given that of their codes. */
export function centroidDot(dot: number, scale: number, { scale: queryScale, sum }: QuantisedQuery): number {
  return scale * (queryScale * dot - (CENTROID_RANGE + 1) * sum);
}

/** Returns the size of one step of a component in a residual. */
export function residualScale(residual: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < residual.length; i++) {
    const size = Math.abs(residual[i]!);
    if (size > largest) largest = size;
  }
  return Math.fround(largest / HALF_RANGE);
}

/** Writes the upper and the lower halves of the codes of a residual. */
export function quantiseResidual(residual: Float32Array, scale: number, upper: Uint8Array, lower: Uint8Array): void {
  const inverse = scale === 0 ? 0 : 1 / scale;
  for (let at = 0, block = 0; block < residual.length; block += NIBBLE_BLOCK) {
    for (let i = 0; i < NIBBLE_BLOCK / 2; i++, at++) {
      const first = codeOf(residual[block + i]! * inverse);
      const second = codeOf(residual[block + i + NIBBLE_BLOCK / 2]! * inverse);
      upper[at] = (first >> 4) | (second & 0xf0);
      lower[at] = (first & 0x0f) | ((second & 0x0f) << 4);
    }
  }
}

function codeOf(steps: number): number {
  const code = Math.floor(steps + HALF_RANGE + 0.5);
  return code < 0 ? 0 : Math.min(code, 255);
}

/** The mean of a code's lower half, in steps of the scale: what the upper half alone leaves out. */
export const MEAN_OF_LOWER = 7.5;
/** The standard deviation of a code's lower half, in steps of the scale. */
export const DEVIATION_OF_LOWER = 4.61;
/** The code that stands for a component of 0, in steps of the scale. */
export const CODE_ORIGIN = HALF_RANGE;
