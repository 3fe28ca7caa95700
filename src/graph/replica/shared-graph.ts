/**
 * A snapshot on its way to another thread: plain objects and arrays in shared memory, to be cloned into a message.
 * Nothing in the arrays that a reader of the snapshot looks at is ever changed; what the writer changes in place
 * (bitmaps of what ended, hashed heads of logs) stays behind, and the reader makes its own from the logs.
 *
 * Only what the reader does not have yet is in it; see `GraphSharer`.
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

/** A snapshot on its way to another thread. */
export interface SharedGraph {
  readonly sequence: number;
  readonly nodeLimit: number;
  readonly nodeCount: number;
  readonly relationshipCount: number;
  readonly schema: Schema;
  /** Names by id; null: as before. */
  readonly labels: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly keys: readonly string[] | null;
  /** Dictionaries that have grown, by property key. */
  readonly dictionaries: readonly (readonly [number, SharedDictionary])[];
  readonly directory: SharedDirectory & { readonly id: number };
  /** In order. null: as before. */
  readonly nodeTables: readonly (SharedNodeTable | null)[];
  /** Tables by type; null: as before. */
  readonly relationshipTables: readonly (SharedRelationshipTable | null | undefined)[];
  readonly nodeIds: SharedMultimap;
  readonly indexes: readonly SharedIndex[];
  /** Bytes of shared memory that the reader was given before and needs no more. */
  readonly abandonedBytes: number;
}

/** A column on its way to another thread. */
export interface SharedColumn {
  readonly kind: ColumnKind;
  readonly values: ColumnValues;
  readonly valid: Uint8Array | null;
  readonly heap: Uint8Array | null;
  /** Rows that it has. */
  readonly length: number;
}

interface SharedRows {
  /** A number that is the same for the same table. */
  readonly id: number;
  readonly rowCount: number;
  readonly liveCount: number;
  readonly ordinalBase: number;
  readonly ordinals: Uint32Array;
  /** Columns by property key, in the order of the table. */
  readonly columns: readonly (readonly [number, SharedColumn])[];
  readonly chains: SharedChains;
  /** null: no row lies in a file. */
  readonly stored: StoredRows | null;
}

/** A node table on its way to another thread. */
export interface SharedNodeTable extends SharedRows {
  readonly labels: readonly number[];
  readonly idColumn: SharedColumn | null;
}

/** A relationship table on its way to another thread. */
export interface SharedRelationshipTable extends SharedRows {
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly sortedRows: number;
  readonly versionsFrom: number;
  readonly versionRows: Uint8Array | null;
  readonly outgoing: SharedAdjacency;
  readonly incoming: SharedAdjacency;
  /** Tables of all sources (targets); null: not known. */
  readonly sourceTables: readonly number[] | null;
  readonly targetTables: readonly number[] | null;
}

/** An index on its way to another thread. */
export interface SharedIndex {
  readonly id: number;
  readonly subject: IndexSubject;
  /** null: the reader fills its own. */
  readonly form: SharedIndexForm | null;
}
