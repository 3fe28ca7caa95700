/**
 * The relationships of one type that one chunk of a file brings, in its order: in one piece of memory that all threads see, so that what one has read another can sort, and that is used
 * again for later chunks. (V8 does not count shared memory, and may leave what is dropped for long.)
 */
import type { SstColumn } from '../../storage/index.ts';

export interface RelationshipRowsOfType {
  readonly type: string;
  readonly rows: number;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly columns: readonly SstColumn[];
}

export interface RelationshipPiece extends RelationshipRowsOfType {
  /** Bounds of the sources. */
  readonly minSource: number;
  readonly maxSource: number;
  readonly memory: SharedArrayBuffer;
  /** Which of the rooms that were offered it took; -1: none of them. */
  readonly room: number;
}

const ALIGNMENT = 8;
const STEP_BYTES = 4096;

/** Memory for the pieces of one chunk: what is offered, and new one. */
export class Rooms {
  readonly #offered: readonly SharedArrayBuffer[];
  readonly #taken = new Set<number>();

  constructor(offered: readonly SharedArrayBuffer[]) {
    this.#offered = offered;
  }

  take(bytes: number): { readonly memory: SharedArrayBuffer; readonly room: number } {
    const room = bestFitting(this.#offered, bytes, (index) => !this.#taken.has(index));
    if (room >= 0) {
      this.#taken.add(room);
      return { memory: this.#offered[room]!, room };
    }
    // A little more, so that the next chunk of the file fits as well.
    return { memory: new SharedArrayBuffer(Math.ceil((bytes * 1.125) / STEP_BYTES) * STEP_BYTES), room };
  }
}

/** The smallest that holds the bytes and is not more than twice as large; -1: none. */
export function bestFitting(buffers: readonly SharedArrayBuffer[], bytes: number, isFree: (index: number) => boolean = () => true): number {
  let best = -1;
  for (let index = 0; index < buffers.length; index++) {
    const { byteLength } = buffers[index]!;
    if (byteLength < bytes || byteLength > 2 * bytes + STEP_BYTES || !isFree(index)) continue;
    if (best < 0 || byteLength < buffers[best]!.byteLength) best = index;
  }
  return best;
}

export function packPiece(source: RelationshipRowsOfType, rooms: Rooms): RelationshipPiece {
  const { type, rows } = source;
  const trimmed: RelationshipRowsOfType = {
    ...source,
    sources: source.sources.subarray(0, rows),
    targets: source.targets.subarray(0, rows),
    columns: source.columns.map((column) => trimColumn(column, rows)),
  };
  const bytes = arraysOf(trimmed).reduce((sum, array) => sum + aligned(array.byteLength), 0);
  const { memory, room } = rooms.take(bytes);
  let at = 0;
  const moved = <T extends SstColumn['values']>(array: T): T => {
    const copy = new (array.constructor as new (memory: SharedArrayBuffer, offset: number, length: number) => T)(memory, at, array.length);
    copy.set(array as never);
    at += aligned(array.byteLength);
    return copy;
  };
  const columns = trimmed.columns.map((column) => ({
    ...column,
    values: moved(column.values),
    valid: column.valid === null ? null : moved(column.valid),
    ...(column.heap === undefined ? {} : { heap: moved(plain(column.heap)) }),
    ...(column.dictionary === undefined
      ? {}
      : { dictionary: { offsets: moved(column.dictionary.offsets), heap: moved(column.dictionary.heap) } }),
  }));
  return {
    type,
    rows,
    sources: moved(trimmed.sources),
    targets: moved(trimmed.targets),
    columns,
    ...boundsOf(trimmed.sources),
    memory,
    room,
  };
}

function boundsOf(sources: Uint32Array): { readonly minSource: number; readonly maxSource: number } {
  let minSource = sources[0] ?? 0;
  let maxSource = minSource;
  for (let row = 1; row < sources.length; row++) {
    const source = sources[row]!;
    if (source < minSource) minSource = source;
    if (source > maxSource) maxSource = source;
  }
  return { minSource, maxSource };
}

/** The columns without what their arrays have beyond the rows. */
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

function arraysOf({ sources, targets, columns }: RelationshipRowsOfType): SstColumn['values'][] {
  const ofColumns = columns.flatMap(({ values, valid, heap, dictionary }) => [
    values,
    ...(valid === null ? [] : [valid]),
    ...(heap === undefined ? [] : [heap]),
    ...(dictionary === undefined ? [] : [dictionary.offsets, dictionary.heap]),
  ]);
  return [...ofColumns, sources, targets];
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Not as a Buffer, which has another constructor. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
