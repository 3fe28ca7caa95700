/** A batch of rows of one table of a stored graph, column by column. */
import { isPropertyColumn, keyOfColumnName } from '../../graph/index.ts';
import type { SstColumn, SstTable } from '../../storage/index.ts';

/** Rows of one table. */
export interface TableBatch {
  readonly rows: number;
  readonly ordinals: Uint32Array;
  /** The identifiers of nodes that users have set; null: none is set. */
  readonly ids: SstColumn | null;
  /** The ordinals of the sources of relationships, and as `targets` of their targets; empty for nodes. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  /** Columns by property key. */
  readonly columns: ReadonlyMap<string, SstColumn>;
}

const NO_ORDINALS = new Uint32Array(0);

/** Returns the batch of a block of an SST. */
export function tableBatch({ rows, columns }: SstTable): TableBatch {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const numbers = (name: string): Uint32Array => (byName.get(name)?.values as Uint32Array | undefined) ?? NO_ORDINALS;
  const properties = columns.filter(({ name }) => isPropertyColumn(name));
  return {
    rows,
    ordinals: numbers('_ordinal'),
    ids: byName.get('_id') ?? null,
    sources: numbers('_source'),
    targets: numbers('_target'),
    columns: new Map(properties.map((column) => [keyOfColumnName(column.name), column])),
  };
}

/** Tells whether the row has a value in the column. */
export function hasValue({ valid }: SstColumn, row: number): boolean {
  return valid === null || ((valid[row >> 3]! >> (row & 7)) & 1) === 1;
}
