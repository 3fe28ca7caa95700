/**
 * Compares vectors in WebAssembly. The memory of the module holds two arrays: the *query*, as doubles, which stays
 * while other vectors are compared with it; and the *other*, either a stored vector as it lies in its column, or a list
 * as doubles.
 *
 * Each thread has one instance, made for its first comparison. Every call is complete in itself, so statements may take
 * turns.
 */
import { compileKernel, unreachable, WASM_PAGE_BYTES } from '../../base/index.ts';
import { isInRange, scaledCosine, scaledDistance, scaledDot } from '../../search/index.ts';
import { MODULE } from './kernel-module.ts';

/** The components of a vector, or the elements of a list of numbers. */
export type Components = Float32Array | readonly number[];

/** The functions by which two vectors are compared: dot product, cosine, distance, and the square of the distance. */
export type Kernel = 'dot' | 'cosine' | 'distance' | 'square';

type Compare = (other: number, query: number, numbers: number) => number;

interface Exports extends Readonly<Record<`${'dot' | 'cosine' | 'distance'}${32 | 64}`, Compare>> {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
}

/** The numbers that `kernel.wat` processes in one iteration; arrays are padded with zeros to a multiple of it. */
const NUMBERS_PER_TURN = 8;
/** The address of the query, in bytes. The cosine kernel leaves the square of a length below it. */
const QUERY = 64;

let made: Exports | null = null;
let bytes: Buffer = Buffer.alloc(0);
let doubles = new Float64Array(0);
/** The capacity of each of the two arrays, in numbers. */
let capacity = 0;
/** The address of the other array, in bytes. */
let other = QUERY;
/** The heap that was copied from last, as a Buffer, whose `copy` moves shared bytes three times as fast as `set` does. */
let heapBuffer: Buffer = Buffer.alloc(0);
let query: Components | null = null;
let querySquare = 0;

const padded = (length: number): number => Math.ceil(length / NUMBERS_PER_TURN) * NUMBERS_PER_TURN;

function instance(): Exports {
  if (made === null) {
    made = compileKernel(MODULE)() as Exports;
    takeMemory(made);
  }
  return made;
}

function takeMemory({ memory }: Exports): void {
  bytes = Buffer.from(memory.buffer);
  doubles = new Float64Array(memory.buffer);
}

function reserve(length: number): void {
  const exports = instance();
  if (padded(length) <= capacity) return;
  capacity = 2 * padded(length);
  other = QUERY + 8 * capacity;
  const { memory } = exports;
  const missing = other + 8 * capacity - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE_BYTES));
  takeMemory(exports);
  query = null;
}

/** Forces the next query to be loaded, even if it is the same object, which may have changed between statements. */
export function forgetQuery(): void {
  query = null;
}

function loadQuery(components: Components): void {
  if (components === query) return;
  reserve(components.length);
  loadDoubles(components, QUERY / 8);
  query = components;
  querySquare = instance().dot64(QUERY, QUERY, padded(components.length));
}

function loadDoubles(components: Components, at: number): void {
  const { length } = components;
  doubles.set(components, at);
  doubles.fill(0, at + length, at + padded(length));
}

/** Returns what a kernel tells of two vectors of equal length; null for the cosine if one is zero. */
export function compare(kernel: Kernel, left: Components, right: Components): number | null {
  forgetQuery();
  loadQuery(right);
  loadDoubles(left, other / 8);
  const numbers = padded(left.length);
  const { dot64, distance64, cosine64 } = instance();
  switch (kernel) {
    case 'dot':
      return dotOf(dot64(other, QUERY, numbers), left, right);
    case 'distance':
      return distanceOf(distance64(other, QUERY, numbers), left, right);
    case 'square':
      return distance64(other, QUERY, numbers);
    case 'cosine':
      return cosineOf(cosine64(other, QUERY, numbers), left, right);
    default:
      return unreachable(kernel, 'kernel');
  }
}

/** Compares as `compare` does, to the last bit, with a stored vector: 32-bit floats at bytes `from` to below `to` of a heap. */
export function compareStored(
  kernel: Kernel,
  heap: Uint8Array,
  { from, to }: { from: number; to: number },
  right: Components,
): number | null {
  loadQuery(right);
  const end = other + to - from;
  const numbers = padded(right.length);
  bufferOf(heap).copy(bytes, other, from, to);
  bytes.fill(0, end, other + 4 * numbers);
  const { dot32, distance32, cosine32 } = instance();
  switch (kernel) {
    case 'dot':
      return dotOf(dot32(other, QUERY, numbers), null, right);
    case 'distance':
      return distanceOf(distance32(other, QUERY, numbers), null, right);
    case 'square':
      return distance32(other, QUERY, numbers);
    case 'cosine':
      return cosineOf(cosine32(other, QUERY, numbers), null, right);
    default:
      return unreachable(kernel, 'kernel');
  }
}

function bufferOf(heap: Uint8Array): Buffer {
  const { buffer, byteOffset, length } = heap;
  const isKnown = heapBuffer.buffer === buffer && heapBuffer.byteOffset === byteOffset && heapBuffer.length === length;
  if (!isKnown) heapBuffer = Buffer.from(buffer, byteOffset, length);
  return heapBuffer;
}

/** Returns the other vector: `left`, or if that is null, the stored vector that was copied, which is as long as the query. */
function otherOf(left: Components | null, { length }: Components): Components {
  return left ?? new Float32Array(doubles.buffer, other, length);
}

function dotOf(dot: number, left: Components | null, right: Components): number {
  return Number.isFinite(dot) ? dot : scaledDot(otherOf(left, right), right);
}

function distanceOf(square: number, left: Components | null, right: Components): number {
  return isInRange(square) ? Math.sqrt(square) : scaledDistance(otherOf(left, right), right);
}

function cosineOf(dot: number, left: Components | null, right: Components): number | null {
  const square = doubles[0]!;
  if (!isInRange(square) || !isInRange(querySquare)) return scaledCosine(otherOf(left, right), right);
  return Math.max(-1, Math.min(1, dot / Math.sqrt(square * querySquare)));
}
