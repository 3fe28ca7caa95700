/** A part of one table that has to be in memory. */
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { NodeTable } from '../tables/node-table.ts';

/** The part of one table that is wanted. */
export interface TableRequirement {
  readonly table: NodeTable | RelationshipTable;
  /** Property keys, by symbol id. */
  readonly keys: readonly number[];
  readonly ids: boolean;
}

/** Tells whether some of what is required is not in memory. */
export function isMissing({ table, keys, ids }: TableRequirement): boolean {
  return !table.hasLoaded(keys) || (ids && table.files !== null && !table.files.idsLoaded);
}
