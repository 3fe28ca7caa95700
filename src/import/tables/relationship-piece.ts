/** A piece: the relationships of one type that one chunk of a file brings, in the order of the file. */
import type { SstColumn } from '../../storage/index.ts';
import { type PieceMemory, packColumns, type Rooms } from './piece-memory.ts';

/** The relationships of a type while a chunk is read. */
export interface RelationshipRowsOfType {
  readonly type: string;
  readonly rows: number;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly columns: readonly SstColumn[];
}

/** The relationships of a type in a chunk. */
export interface RelationshipPiece extends RelationshipRowsOfType, PieceMemory {
  /** The least, and as `maxSource` the greatest source. */
  readonly minSource: number;
  readonly maxSource: number;
}

/** Packs relationships of a type into shared memory. */
export function packPiece({ type, rows, ...source }: RelationshipRowsOfType, rooms: Rooms): RelationshipPiece {
  const ends = [source.sources.subarray(0, rows), source.targets.subarray(0, rows)];
  const { arrays, ...packed } = packColumns({ columns: source.columns, rows, arrays: ends }, rooms);
  const [sources, targets] = arrays as [Uint32Array, Uint32Array];
  return { type, rows, sources, targets, ...packed, ...boundsOf(sources) };
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
