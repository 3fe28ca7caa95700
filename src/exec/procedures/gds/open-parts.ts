/** Makes those parts of the graph readable, or ready to be changed, that a procedure learns of only while it runs. */
import type { PageReading, Pieces, ProjectedGraph } from '../../../algorithms/index.ts';
import { assert, GraphDBError } from '../../../base/index.ts';
import { NoRoomError, type Requirements } from '../../../graph/index.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';

/**
 * Makes parts of the graph readable, as `ProcedureContext.open` does.
 *
 * @throws MEMORY_LIMIT if there is no room for them. The statement is run again once room was made, unless it has changed
 * the catalog of projected graphs: what it did to that stays, and would be done twice
 */
export function* openParts(context: ProcedureContext, requirements: Requirements, bytes: number): Pieces<PageReading | null> {
  try {
    return yield* context.open(requirements, bytes);
  } catch (error) {
    if (!(error instanceof NoRoomError && context.catalog.hasChanged)) throw error;
    throw new GraphDBError('MEMORY_LIMIT', error.message, { cause: error });
  }
}

/**
 * Loads what writing to the nodes of a graph needs, before the first of them is looked up. A changed node is written anew
 * with all its properties, so the tables of these nodes are needed whole; those of relationships and other nodes are not.
 *
 * @throws MEMORY_LIMIT if there is no room for them
 */
export function* openForWriting(context: ProcedureContext, { ordinals }: ProjectedGraph): Pieces<void> {
  if (ordinals.length === 0) return;
  const requirements: Requirements = {
    labels: [],
    ends: [],
    nodes: ordinals,
    types: [],
    nodeKeys: [],
    relationshipKeys: [],
    ids: false,
    lookups: false,
    writes: true,
  };
  const pages = yield* openParts(context, requirements, 0);
  assert(pages === null, 'what a transaction writes is not read by page');
}
