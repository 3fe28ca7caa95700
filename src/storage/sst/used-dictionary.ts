/**
 * Extracts the part of a dictionary that the rows of one file use: dictionaries in memory are shared by all tables,
 * while files stand alone. Codes keep their order.
 */
import type { SstColumn } from '../api.ts';
import { pieces } from '../files/background-thread.ts';
import { isSet } from './bits.ts';
import { type Bounds, compareEntries, entryBounds, PIECE_ROWS, type RowRange } from './statistics.ts';

/** The part of a dictionary that a file uses. */
export interface UsedDictionary {
  readonly size: number;
  readonly offsets: Uint32Array;
  readonly heap: Uint8Array;
  /** The new codes by old code; null when the codes stay as they are. */
  readonly codes: Int32Array | null;
  readonly bounds: Bounds;
}

/** Returns the part of a dictionary that rows use. */
export function usedDictionary(column: SstColumn, range: RowRange): UsedDictionary {
  const { offsets, heap } = column.dictionary!;
  const used = markUsed(column, offsets.length - 1, range);
  const codes = new Int32Array(used.length);
  let size = 0;
  let bytes = 0;
  let min = -1;
  let max = -1;
  for (let code = 0; code < used.length; code++) {
    if (used[code] === 0) continue;
    codes[code] = size++;
    bytes += offsets[code + 1]! - offsets[code]!;
    if (min < 0 || compareEntries(heap, offsets, code, min) < 0) min = code;
    if (max < 0 || compareEntries(heap, offsets, code, max) > 0) max = code;
  }
  const bounds = min < 0 ? {} : entryBounds(heap, offsets, min, max);
  if (size === used.length) return { size, offsets, heap: heap.subarray(0, offsets[size]), codes: null, bounds };
  return { size, ...copyUsed({ used, offsets, heap, size, bytes }), codes, bounds };
}

function markUsed({ values, valid }: SstColumn, size: number, range: RowRange): Uint8Array {
  const used = new Uint8Array(size);
  const codes = values as Int32Array;
  for (const { from, to } of pieces(range.from, range.to, PIECE_ROWS)) {
    for (let row = from; row < to; row++) if (valid === null || isSet(valid, row)) used[codes[row]!] = 1;
  }
  return used;
}

interface DictionaryParts {
  readonly used: Uint8Array;
  readonly offsets: Uint32Array;
  readonly heap: Uint8Array;
  readonly size: number;
  readonly bytes: number;
}

function copyUsed({ used, offsets, heap, size, bytes }: DictionaryParts): { offsets: Uint32Array; heap: Uint8Array } {
  const newOffsets = new Uint32Array(size + 1);
  const newHeap = new Uint8Array(bytes);
  let entry = 0;
  let at = 0;
  for (let code = 0; code < used.length; code++) {
    if (used[code] === 0) continue;
    newHeap.set(heap.subarray(offsets[code]!, offsets[code + 1]!), at);
    at += offsets[code + 1]! - offsets[code]!;
    newOffsets[++entry] = at;
  }
  return { offsets: newOffsets, heap: newHeap };
}
