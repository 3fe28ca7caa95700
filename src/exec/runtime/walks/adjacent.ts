/** The relationships of one type in one direction, as flat arrays that walks can read. */
import type { AdjacencyView, RelationshipTableView } from '../../../graph/index.ts';

/** A direction of relationships, as seen from a node. */
export type Direction = 'out' | 'in' | 'both';

/** The relationships of one type in one direction, as cursors and generated loops walk them. */
export interface Adjacent {
  readonly adjacency: AdjacencyView;
  readonly table: RelationshipTableView;
  readonly ended: Uint8Array | null;
  /** The ordinal of the neighbour by row of the log. */
  readonly logEnds: Uint32Array;
  /** Whether relationships are walked against their stored direction. */
  readonly reverse: boolean;
  /** Whether self-loops are skipped, because the other direction has them already. */
  readonly skipLoops: boolean;
}

/** Returns the outgoing relationships of a table, or, with `reverse`, the incoming ones. */
export function adjacentOf(table: RelationshipTableView, reverse: boolean, skipLoops: boolean): Adjacent {
  const adjacency = reverse ? table.incoming : table.outgoing;
  return {
    adjacency,
    table,
    ended: table.ended,
    logEnds: adjacency.logEnds,
    reverse,
    skipLoops,
  };
}
