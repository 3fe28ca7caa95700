/** A part of one table that has to be in memory. */
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { NodeTable } from '../tables/node-table.ts';

/** What of one table is wanted. */
export interface TableRequirement {
  readonly table: NodeTable | RelationshipTable;
  /** Property keys, by symbol id. */
  readonly keys: readonly number[];
  readonly ids: boolean;
}

export function isMissing({ table, keys, ids }: TableRequirement): boolean {
  return !table.hasLoaded(keys) || (ids && table.files !== null && !table.files.idsLoaded);
}
