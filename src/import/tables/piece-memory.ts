/**
 * Shared memory for the pieces of chunks: each piece lies in a buffer of its own, a *room*, that all threads see, so
 * that a piece which one thread has read can be written by another. Rooms are used again for later chunks. (V8 does not
 * count shared memory, and may leave unused buffers uncollected for long.)
 */
import { SharedMemoryPool } from '../../base/index.ts';
import type { SstColumn } from '../../storage/index.ts';

/** The memory in which a piece lies. */
export interface PieceMemory {
  readonly memory: SharedArrayBuffer;
  /** Which of the offered rooms the piece has taken; -1: a new one. */
  readonly room: number;
}

interface Packed<T> extends PieceMemory {
  readonly columns: readonly SstColumn[];
  readonly arrays: readonly T[];
}

const ALIGNMENT = 8;
const STEP_BYTES = 4096;

/** Makes a pool of rooms. @param mostSpareBytes the most bytes of unused rooms to keep */
export function roomPool(mostSpareBytes: number): SharedMemoryPool {
  return new SharedMemoryPool({
    // A room is a little larger than its piece, so that the same piece of the next chunk fits as well.
    sizeFor: (bytes) => Math.ceil((bytes * 1.125) / STEP_BYTES) * STEP_BYTES,
    largestFor: (bytes) => 2 * bytes + STEP_BYTES,
    mostSpareBytes,
  });
}

/** The memory for the pieces of one chunk: offered rooms first, then new ones. */
export class Rooms {
  readonly #offered: readonly SharedArrayBuffer[];
  readonly #pool = roomPool(Number.POSITIVE_INFINITY);

  constructor(offered: readonly SharedArrayBuffer[]) {
    this.#offered = offered;
    for (const room of offered) this.#pool.giveBack(room);
  }

  take(bytes: number): PieceMemory {
    const memory = this.#pool.take(bytes);
    return { memory, room: this.#offered.indexOf(memory) };
  }
}

/** Copies the first `rows` rows of the columns, and the arrays, into one room. */
export function packColumns<T extends Uint32Array | Int32Array>(
  { columns, rows, arrays }: { readonly columns: readonly SstColumn[]; readonly rows: number; readonly arrays: readonly T[] },
  rooms: Rooms,
): Packed<T> {
  const trimmed = columns.map((column) => trimColumn(column, rows));
  const bytes = [...arraysOf(trimmed), ...arrays].reduce((sum, array) => sum + aligned(array.byteLength), 0);
  const { memory, room } = rooms.take(bytes);
  let at = 0;
  const moved = <A extends SstColumn['values']>(array: A): A => {
    const copy = new (array.constructor as new (memory: SharedArrayBuffer, offset: number, length: number) => A)(memory, at, array.length);
    copy.set(array as never);
    at += aligned(array.byteLength);
    return copy;
  };
  const packed = trimmed.map((column) => ({
    ...column,
    values: moved(column.values),
    valid: column.valid === null ? null : moved(column.valid),
    ...(column.heap === undefined ? {} : { heap: moved(plain(column.heap)) }),
    ...(column.dictionary === undefined
      ? {}
      : { dictionary: { offsets: moved(column.dictionary.offsets), heap: moved(column.dictionary.heap) } }),
  }));
  return { columns: packed, arrays: arrays.map(moved), memory, room };
}

/** Returns a column without the parts of its arrays that lie beyond the rows. */
function trimColumn(column: SstColumn, rows: number): SstColumn {
  const { valid, heap, dictionary } = column;
  const values = column.values.subarray(0, heap === undefined ? rows : rows + 1);
  return {
    ...column,
    values,
    valid: valid === null ? null : valid.subarray(0, (rows + 7) >> 3),
    ...(heap === undefined ? {} : { heap: heap.subarray(0, Number(values[rows])) }),
    ...(dictionary === undefined ? {} : { dictionary: { ...dictionary, heap: dictionary.heap.subarray(0, dictionary.offsets.at(-1)) } }),
  };
}

function arraysOf(columns: readonly SstColumn[]): SstColumn['values'][] {
  return columns.flatMap(({ values, valid, heap, dictionary }) => [
    values,
    ...(valid === null ? [] : [valid]),
    ...(heap === undefined ? [] : [heap]),
    ...(dictionary === undefined ? [] : [dictionary.offsets, dictionary.heap]),
  ]);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Returns the bytes as a plain Uint8Array, since the constructor of a Buffer takes other arguments. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
