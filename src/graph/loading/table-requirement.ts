/** The requirement of a load: a part of one table that has to be in memory. */
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { NodeTable } from '../tables/node-table.ts';

/** The rows of a table, some of its columns, and perhaps its identifiers. */
export interface TableRequirement {
  readonly table: NodeTable | RelationshipTable;
  /** The symbol ids of the property keys whose columns are needed. */
  readonly keys: readonly number[];
  readonly ids: boolean;
}

/** Tells whether any required part is not in memory. */
export function isMissing({ table, keys, ids }: TableRequirement): boolean {
  return !table.hasLoaded(keys) || (ids && table.files !== null && !table.files.idsLoaded);
}
