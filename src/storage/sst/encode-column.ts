/** Encodes rows of a column as Arrow buffers: loops over typed arrays into a zeroed target of exactly the right length. */
import { assert, unreachable } from '../../base/index.ts';
import type { SstColumn } from '../api.ts';
import { bytesOf, fileWidth } from './column-kinds.ts';
import type { RowRange } from './statistics.ts';

/** Returns the bytes of each buffer of values (without validity) for these rows. */
export function valueBufferLengths({ kind, values }: SstColumn, { from, to }: RowRange): number[] {
  const rows = to - from;
  switch (kind) {
    case 'boolean':
      return [(rows + 7) >> 3];
    case 'string':
    case 'vector':
    case 'any':
      return [4 * (rows + 1), Number(values[to]!) - Number(values[from]!)];
    default:
      return [fileWidth(kind) * rows];
  }
}

/** Encodes the buffer at `index` of `valueBufferLengths`. `codes` are new dictionary codes by old ones; null keeps them. */
export function encodeValues(column: SstColumn, index: number, range: RowRange, codes: Int32Array | null, target: Uint8Array): void {
  const { kind, values } = column;
  switch (kind) {
    case 'uint32':
    case 'int32':
    case 'date':
    case 'float':
    case 'int64':
      return copyRows(values, range, target);
    case 'dictionary':
      return codes === null ? copyRows(values, range, target) : encodeCodes(values as Int32Array, range, codes, target);
    case 'integer':
      return encodeIntegers(values as Float64Array, range, target);
    case 'boolean':
      return encodeBooleans(values as Uint8Array, range, target);
    case 'string':
    case 'any':
      return index === 0 ? encodeOffsets(values as Uint32Array, range, { unit: 1, target }) : encodeHeap(column, range, target);
    case 'vector':
      return index === 0 ? encodeOffsets(values as Uint32Array, range, { unit: 4, target }) : encodeHeap(column, range, target);
    default:
      return unreachable(kind, 'column kind');
  }
}

function copyRows(values: SstColumn['values'], { from, to }: RowRange, target: Uint8Array): void {
  target.set(bytesOf(values.subarray(from, to)));
}

function encodeCodes(values: Int32Array, { from, to }: RowRange, codes: Int32Array, target: Uint8Array): void {
  const words = new Int32Array(target.buffer, target.byteOffset, to - from);
  // A code at a null row may be anything.
  for (let row = from; row < to; row++) words[row - from] = codes[values[row]!] ?? 0;
}

function encodeIntegers(values: Float64Array, { from, to }: RowRange, target: Uint8Array): void {
  const words = new Int32Array(target.buffer, target.byteOffset, 2 * (to - from));
  for (let row = from, at = 0; row < to; row++, at += 2) {
    const value = values[row]!;
    words[at] = value;
    words[at + 1] = Math.floor(value / 2 ** 32);
  }
}

function encodeBooleans(values: Uint8Array, { from, to }: RowRange, target: Uint8Array): void {
  for (let row = from; row < to; row++) target[(row - from) >> 3]! |= (values[row]! & 1) << ((row - from) & 7);
}

/** Encodes offsets relative to that of the first row, in units of `unit` bytes. */
function encodeOffsets(offsets: Uint32Array, { from, to }: RowRange, { unit, target }: { unit: number; target: Uint8Array }): void {
  const words = new Int32Array(target.buffer, target.byteOffset, to - from + 1);
  const base = offsets[from]!;
  assert(offsets[to]! - base < 2 ** 31, 'a block has less than 2^31 bytes of text');
  for (let row = from; row <= to; row++) words[row - from] = (offsets[row]! - base) / unit;
}

function encodeHeap({ values, heap }: SstColumn, { from, to }: RowRange, target: Uint8Array): void {
  target.set(heap!.subarray(Number(values[from]!), Number(values[to]!)));
}
