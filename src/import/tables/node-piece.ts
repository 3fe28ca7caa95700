/** A piece: the nodes of one label set that one chunk of a file brings, in the order of the file. */
import type { Selection } from '../../formats/index.ts';
import type { SstColumn } from '../../storage/index.ts';
import type { PieceMemory } from './piece-memory.ts';

/** The nodes of a label set in a chunk. */
export interface NodePiece extends PieceMemory {
  readonly labels: readonly string[];
  readonly rows: number;
  readonly columns: readonly SstColumn[];
  /**
   * For each row the line at which it begins, from 1 for the first line of the chunk; `idStarts` and `idEnds` have
   * where its id stands in the bytes of the chunk, as in a `FieldBlock`.
   */
  readonly lines: Int32Array;
  readonly idStarts: Int32Array;
  readonly idEnds: Int32Array;
}

/** The rows of a piece that a table takes. */
export interface TakenPiece {
  readonly piece: NodePiece;
  readonly rows: Selection;
}
