/** The relationships of one type in one direction, as flat arrays for whoever walks along them. */
import type { AdjacencyView, RelationshipTableView } from '../../../graph/index.ts';

/** A direction of relationships, as seen from a node. */
export type Direction = 'out' | 'in' | 'both';

/** One type's relationships in one direction, as cursors and generated loops walk them. */
export interface Adjacent {
  readonly adjacency: AdjacencyView;
  readonly table: RelationshipTableView;
  readonly ended: Uint8Array | null;
  /** Where a row of the log names the neighbour. */
  readonly logEnds: Uint32Array;
  /** Walked against the stored direction. */
  readonly reverse: boolean;
  /** Self-loops were given by the other direction already. */
  readonly skipLoops: boolean;
}

/** The outgoing relationships of a table, or, with `reverse`, the incoming ones. */
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
