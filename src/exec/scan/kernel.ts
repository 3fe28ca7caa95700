/**
 * Searches columns in WebAssembly. Data is copied into the memory of the module first, in pieces that stay in the cache
 * of the processor.
 *
 * Each thread has one instance. Every call is complete in itself, and its results are in an array of the caller.
 */
import { compileKernel, WASM_PAGE_BYTES } from '../../base/index.ts';
import { MODULE } from './kernel-module.ts';

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  integersWithin(from: number, n: number, low: number, high: number, out: number): number;
  numbersWithin(from: number, n: number, low: number, high: number, out: number): number;
  find(from: number, n: number, wanted: number, length: number, i: number, j: number, out: number): number;
}

/** The values or bytes that `kernel.wat` processes in one iteration. */
const PER_TURN = 16;
/** The bits of a mask in the table of positions, which lies at the beginning of the memory. */
const EIGHT = 8;
const POSITIONS_BYTES = 256 * 2 * EIGHT;
/** The most bytes of a text that `findIn` searches for. */
export const LONGEST_WANTED = 1 << 12;
/** The bytes that are searched at a time. */
const PIECE = 1 << 15;
/** Addresses in the memory of the module: of the bytes searched for, of those searched in, and of the results. */
const WANTED = POSITIONS_BYTES;
const FROM = WANTED + LONGEST_WANTED;
const OUT = FROM + PIECE + LONGEST_WANTED + 4 * PER_TURN;
const PAGES = Math.ceil((OUT + 4 * (PIECE + PER_TURN)) / WASM_PAGE_BYTES);

interface Kernel {
  readonly exports: Exports;
  readonly bytes: Buffer;
  /** The memory of the module from `OUT` on. */
  readonly found: Int32Array;
  readonly positions: Uint16Array;
}

let instance: Kernel | null = null;

function kernel(): Kernel {
  if (instance === null) {
    const exports = compileKernel(MODULE)() as Exports;
    exports.memory.grow(PAGES - 1);
    const { buffer } = exports.memory;
    writePositions(buffer);
    instance = { exports, bytes: Buffer.from(buffer), found: new Int32Array(buffer, OUT), positions: new Uint16Array(buffer, OUT) };
  }
  return instance;
}

/** Fills the table of positions: for each mask, the positions of its bits, in 16 bits each. */
function writePositions(memory: ArrayBuffer): void {
  const table = new Uint16Array(memory, 0, POSITIONS_BYTES / 2);
  for (let mask = 0; mask < 256; mask++) {
    let found = 0;
    for (let bit = 0; bit < EIGHT; bit++) if ((mask >> bit) & 1) table[mask * EIGHT + found++] = bit;
  }
}

/** Returns a Buffer over the same memory, whose `copy` moves shared bytes several times as fast as `set` does. */
export function bufferOver({ buffer, byteOffset, byteLength }: Int32Array | Float64Array | Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A column and bounds for its values, in the form of the kernel. */
export interface Within {
  /** The values of the column: 32-bit integers, or doubles. */
  readonly bytes: Buffer;
  readonly bytesPerValue: 4 | 8;
  readonly low: number;
  readonly high: number;
}

/** A list of rows that results are appended to, after the first `count`. */
interface FoundRows {
  readonly rows: Int32Array;
  readonly count: number;
}

/**
 * Appends, in ascending order, the rows of [first, end) whose values lie between the bounds, both included.
 *
 * @returns the number of rows in the list
 */
export function rowsWithin({ bytes, bytesPerValue, low, high }: Within, first: number, end: number, found: FoundRows): number {
  const { rows } = found;
  let { count } = found;
  const { exports, bytes: memory, positions } = kernel();
  const mostValues = PIECE / bytesPerValue;
  for (let from = first; from < end; from += mostValues) {
    const values = Math.min(mostValues, end - from);
    const n = Math.ceil(values / PER_TURN) * PER_TURN;
    bytes.copy(memory, FROM, from * bytesPerValue, (from + values) * bytesPerValue);
    const last = bytesPerValue === 4 ? exports.integersWithin(FROM, n, low, high, OUT) : exports.numbersWithin(FROM, n, low, high, OUT);
    let here = (last - OUT) >> 1;
    while (here > 0 && positions[here - 1]! >= values) here--;
    for (let i = 0; i < here; i++) rows[count++] = from + positions[i]!;
  }
  return count;
}

/** The bytes searched for, and the indexes of the two of them that are compared first. */
export interface Wanted {
  readonly bytes: Buffer;
  readonly i: number;
  readonly j: number;
}

/**
 * Finds the positions of the bytes in one piece of a heap that begins at `from`, and stores them in `found`, which is
 * overwritten by the next call.
 *
 * @param to occurrences that end beyond this position are not found
 * @returns the position where the next piece begins; `to` at the end
 */
export function findIn(heap: Buffer, { bytes, i, j }: Wanted, { from, to }: { from: number; to: number }, found: FoundPlaces): number {
  const { exports, bytes: memory, found: places } = kernel();
  const { length } = bytes;
  const starts = Math.min(PIECE, to - from - length + 1);
  found.count = 0;
  if (starts <= 0) return to;
  bytes.copy(memory, WANTED);
  heap.copy(memory, FROM, from, from + starts + length - 1);
  const n = Math.ceil(starts / PER_TURN) * PER_TURN;
  const last = exports.find(FROM, n, WANTED, length, i, j, OUT);
  let count = (last - OUT) >> 2;
  while (count > 0 && places[count - 1]! - FROM >= starts) count--;
  found.take(places, count, from - FROM);
  return starts < PIECE ? to : from + starts;
}

/** The positions found, ascending, at the indexes below `count`. */
export class FoundPlaces {
  count = 0;
  places = new Float64Array(64);

  take(places: Int32Array, count: number, offset: number): void {
    if (count > this.places.length) this.places = new Float64Array(2 * count);
    for (let i = 0; i < count; i++) this.places[i] = places[i]! + offset;
    this.count = count;
  }
}
