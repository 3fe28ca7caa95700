/**
 * The form in which a snapshot is sent to another thread: plain objects, and arrays in shared memory, to be cloned into a
 * message. The parts of the arrays that a reader of the snapshot reads never change. Structures that the writer changes in
 * place (bitmaps of ended rows, hashed heads of logs) are not shared; the reader makes its own from the logs.
 *
 * A message holds only the parts that the reader does not have yet; see `GraphSharer`.
 */
import type { SharedAdjacency } from '../adjacency/adjacency.ts';
import type { SharedMultimap } from '../arrays/hash-multimap.ts';
import type { ColumnValues } from '../columns/column-kind.ts';
import type { SharedDictionary } from '../columns/dictionary.ts';
import type { Schema } from '../data/schema.ts';
import type { SharedIndexForm } from '../indexes/graph-index.ts';
import type { SharedDirectory } from '../tables/directory.ts';
import type { StoredRows } from '../tables/table-files.ts';
import type { SharedChains } from '../tables/version-chains.ts';
import type { IndexSubject } from '../view/index-view.ts';
import type { ColumnKind } from '../view/view.ts';

/** A snapshot in shared form; null stands for a part that has not changed since the last one. */
export interface SharedGraph {
  readonly sequence: number;
  readonly nodeLimit: number;
  readonly nodeCount: number;
  readonly relationshipCount: number;
  readonly schema: Schema;
  /** The names of labels by id; null when there are no new ones. `types` and `keys` likewise. */
  readonly labels: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly keys: readonly string[] | null;
  /** The dictionaries that have grown, by property key. */
  readonly dictionaries: readonly (readonly [number, SharedDictionary])[];
  readonly directory: SharedDirectory & { readonly id: number };
  /** The node tables by index; null for one that has not changed. */
  readonly nodeTables: readonly (SharedNodeTable | null)[];
  /** The relationship tables by type; null for one that has not changed, undefined for a type without relationships. */
  readonly relationshipTables: readonly (SharedRelationshipTable | null | undefined)[];
  readonly nodeIds: SharedMultimap;
  readonly indexes: readonly SharedIndex[];
  /** The bytes of shared memory that the reader was given earlier and no longer needs. */
  readonly abandonedBytes: number;
}

/** A column in shared form. */
export interface SharedColumn {
  readonly kind: ColumnKind;
  readonly values: ColumnValues;
  readonly valid: Uint8Array | null;
  readonly heap: Uint8Array | null;
  /** The number of rows. */
  readonly length: number;
}

interface SharedRows {
  /** Identifies the table: equal numbers mean the same table. */
  readonly id: number;
  readonly rowCount: number;
  readonly liveCount: number;
  readonly ordinalBase: number;
  readonly ordinals: Uint32Array;
  /** The columns by property key, in the order of the table. */
  readonly columns: readonly (readonly [number, SharedColumn])[];
  readonly chains: SharedChains;
  /** Which parts of the first rows are in memory; null when no row is in a file. */
  readonly stored: StoredRows | null;
}

/** A node table in shared form. */
export interface SharedNodeTable extends SharedRows {
  readonly labels: readonly number[];
  readonly idColumn: SharedColumn | null;
}

/** A relationship table in shared form. */
export interface SharedRelationshipTable extends SharedRows {
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly sortedRows: number;
  readonly versionsFrom: number;
  readonly versionRows: Uint8Array | null;
  readonly outgoing: SharedAdjacency;
  readonly incoming: SharedAdjacency;
  /** The node tables of all sources; null when they are not known. `targetTables` likewise. */
  readonly sourceTables: readonly number[] | null;
  readonly targetTables: readonly number[] | null;
}

/** An index in shared form. */
export interface SharedIndex {
  readonly id: number;
  readonly subject: IndexSubject;
  /** Null when the reader has the current form, or fills an index of its own. */
  readonly form: SharedIndexForm | null;
}
