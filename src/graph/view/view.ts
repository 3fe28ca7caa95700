/**
 * The graph as a reader sees it: flat typed arrays over SharedArrayBuffers, as of one sequence (a snapshot) or of a
 * transaction (its own writes included). The compiler in src/exec generates loops over exactly these fields; nothing
 * else of the store is visible to it.
 *
 * Vocabulary
 * - A *symbol id* is a small dense integer for a label, a relationship type or a property key (three separate spaces, see `Symbols`).
 * - A *node* is an ordinal (dense, u32, never reused). Its properties are in a row of the *node table* of its label set.
 * - A *relationship* is (type symbol id, home row): the row of the type's table at which it was created. It keeps that
 *   identity until the store is reorganised, which never happens under a live view. Its persistent identity is its
 *   ordinal.
 * - An update appends a row version: a node's current row is found through the directory, a relationship's through `currentRow(home)`.
 * - A `versioned` or `ended` bitmap (bit r of byte r>>3) marks the few places where a plain read of the arrays is not
 *   enough and a method must be asked. null means: no such place in this view, and the loop tests nothing.
 *
 * Views are immutable for readers (M1, M2). The view of a write transaction is refreshed with `refresh()` after writes;
 * arrays taken before may be stale.
 */

import type { Value, ValueMap, ValueType } from '../../value/index.ts';
import type { FoundIndex, IndexKindName, IndexSettings, IndexView, SearchIndexKindName, WantedIndex } from './index-view.ts';
import type { Residency } from './residency.ts';

/** The names of labels, of types or of property keys. Ids are dense from 0, given in the order of first use, and never reused. */
export interface SymbolTable {
  readonly size: number;
  /** Returns the id of a name; -1 when the name is unknown. */
  find(name: string): number;
  name(id: number): string;
}

/**
 * Physical forms of a column:
 * - `int32` Integer in Int32Array · `integer` Integer in Float64Array, all safe · `int64` Integer in BigInt64Array
 * - `float` Float in Float64Array · `boolean` Uint8Array of 0/1 · `date` days since 1970-01-01 in Int32Array
 * - `dictionary` String as codes in Int32Array, into `dictionary`
 * - `string` UTF-8: `values` is a Uint32Array of rows+1 offsets into `heap`
 * - `vector` Vector: `values` is a Uint32Array of rows+1 offsets, in bytes, into `heap`: 32-bit floats, little-endian
 * - `any` encoded values: `values` is a Uint32Array of rows+1 offsets into `heap` (src/value codec); holds every type,
 *   lists and temporals among them
 */
export type ColumnKind = 'int32' | 'integer' | 'int64' | 'float' | 'boolean' | 'date' | 'dictionary' | 'string' | 'vector' | 'any';

/** A property of all rows of one table. */
export interface ColumnView {
  readonly kind: ColumnKind;
  readonly values: Int32Array | Float64Array | BigInt64Array | Uint8Array | Uint32Array;
  /** Bitmap of the rows that have a value; null when every row of the table in this view has one. */
  readonly valid: Uint8Array | null;
  readonly heap: Uint8Array | null;
  readonly dictionary: DictionaryView | null;
  /** Returns the value of a row; null when it has none. */
  get(row: number): Value;
  /**
   * Reads a column of strings through a cache of decoded strings. Only for rows of a snapshot: the rows in the view of a
   * transaction may change.
   */
  readonly texts: TextReader;
}

/** Reads the strings of a column; null for a row without a value. */
export interface TextReader {
  get(row: number): string | null;
}

/** The dictionary of a property key, shared by all tables: equal strings have equal codes in all columns of kind `dictionary`. */
export interface DictionaryView {
  readonly size: number;
  /** Returns the string of a code; each is decoded once per thread. */
  decode(code: number): string;
  /** Returns the code of a string; -1 when the dictionary does not have it. */
  find(text: string): number;
}

/** The nodes of one set of labels. */
export interface NodeTableView {
  readonly index: number;
  /** Identifies the table in all threads. */
  readonly identity: number;
  /** Label symbol ids, ascending. */
  readonly labels: readonly number[];
  /** Rows to scan: [0, rowCount). */
  readonly rowCount: number;
  /** The exact number of live nodes in this view. */
  readonly liveCount: number;
  /** False when some row is in a file and not loaded; the members below that concern rows then throw INTERNAL. */
  readonly rowsLoaded: boolean;
  /**
   * When ≥ 0, every row r has the ordinal r + ordinalBase, and the directory agrees for every ordinal of the table; when
   * -1, use `ordinals`.
   */
  readonly ordinalBase: number;
  /** The ordinal of each row; valid (length ≥ rowCount) only where ordinalBase is -1. */
  readonly ordinals: Uint32Array;
  /** Bitmap of the rows that may have ended in this view: ask `isRowVisible` for these. Null when every row is visible. */
  readonly ended: Uint8Array | null;
  isRowVisible(row: number): boolean;
  /** Returns the column of a key; null when no row of the table has it. @throws INTERNAL when the column is not loaded */
  column(key: number): ColumnView | null;
  residency(key: number): Residency;
  /** The keys that some row has. @throws INTERNAL when a column is not loaded */
  readonly columnKeys: readonly number[];
  /** The keys that are not `absent`: of columns in memory and of columns in files, whether these are loaded or not. */
  readonly presentKeys: readonly number[];
}

/** The entries of one node in an adjacency, in memory or read by page. */
export interface OpenedList {
  /** The entries are those of `neighbours` from position `first` to below `end`. */
  first: number;
  end: number;
  /** The neighbours, ascending from `first` on. */
  neighbours: Uint32Array;
  /** The home row of the entry at a position k is `rows[k + rowShift]`; it is k + rowShift when `rows` is null. */
  rows: Uint32Array | null;
  rowShift: number;
}

/** The adjacency of one type in one direction. */
export interface AdjacencyView extends OpenedList {
  /**
   * Nodes o with base ≤ o < limit have the entries offsets[o - base] … offsets[o - base + 1] - 1 of `neighbours`; other
   * nodes have none there.
   */
  readonly base: number;
  readonly limit: number;
  readonly offsets: Uint32Array;
  /** Ascending within each list. When all is in memory, `openList` does not change this array or `rows`, and `rowShift` is 0. */
  neighbours: Uint32Array;
  /** The home row of each entry; null when it is the position of the entry. */
  rows: Uint32Array | null;
  /** Whether this view has relationships that were added after the CSR was built. */
  readonly hasLog: boolean;
  /** Whether some node of the CSR is its own neighbour. The first access scans all entries. */
  readonly hasLoops: boolean;
  /** Whether some node of the CSR has more than one entry. The first access scans the nodes. */
  readonly hasLists: boolean;
  /** The largest number of entries of a node of the CSR. The first access scans the nodes. */
  readonly longestList: number;
  /**
   * The largest number of entries that one node of the CSR has for the same neighbour. The first access scans all
   * entries.
   */
  readonly mostParallel: number;
  /** Returns the first home row in the log of a node; -1 for none. Skip rows at or beyond the table's rowCount: later additions. */
  logHead(node: number): number;
  /** At `row - logBase` stands the next home row of the same node; -1 at the end. */
  readonly logNext: Int32Array;
  readonly logBase: number;
  /** The node at the other end, by home row in the log. */
  readonly logEnds: Uint32Array;
  /**
   * Finds the entries of a node outside the log: sets `first`, `end`, `neighbours` and `rows`, which hold until the next
   * list is opened; the content of the arrays never changes. Returns false when there are none, or when they are not in
   * memory, which is noted. For generic code and walks; specialised code runs only when the adjacency is all in memory.
   */
  openList(node: number): boolean;
}

/** The relationships of one type. */
export interface RelationshipTableView {
  /** Identifies the table in all threads. */
  readonly identity: number;
  /** The symbol id of the type. */
  readonly type: number;
  /** Rows [0, rowCount) exist in this view; home rows among them are relationships, others later versions. */
  readonly rowCount: number;
  readonly liveCount: number;
  /** False when some row is in a file and not loaded, as for node tables. */
  readonly rowsLoaded: boolean;
  /** The source of each row. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  /** Returns the source of a row, read by page if need be; 0 when its page is missing, which is noted. */
  sourceOf(row: number): number;
  targetOf(row: number): number;
  /** When ≥ 0, row r has the relationship ordinal r + ordinalBase; when -1, use `ordinals`. */
  readonly ordinalBase: number;
  readonly ordinals: Uint32Array;
  /** Bitmap of home rows that may be deleted or have a newer version: ask. Null when every row is home, visible and current. */
  readonly ended: Uint8Array | null;
  /** Tells whether the relationship of a home row exists in this view. Only to be asked for a row in `ended`. */
  isVisible(homeRow: number): boolean;
  /** Returns the row with the properties of a relationship in this view. Only to be asked for a row in `ended`. */
  currentRow(homeRow: number): number;
  /** False for a row that is a later version of a relationship with another home row. Scans ask it for rows ≥ `versionsFrom`. */
  isHomeRow(row: number): boolean;
  readonly versionsFrom: number;
  readonly outgoing: AdjacencyView;
  readonly incoming: AdjacencyView;
  /** Returns the column of a key; null when no row of the table has it. @throws INTERNAL when the column is not loaded */
  column(key: number): ColumnView | null;
  residency(key: number): Residency;
  readonly columnKeys: readonly number[];
  readonly presentKeys: readonly number[];
}

/** Reads one property of nodes by ordinal, or of the relationships of one type by home row. */
export interface PropertyReader {
  get(entity: number): Value;
}

/** The graph as a reader sees it. */
export interface GraphView {
  readonly labels: SymbolTable;
  readonly types: SymbolTable;
  readonly keys: SymbolTable;
  /** The sequence of the last commit that this view shows; for the view of a transaction, the sequence that its commit will get. */
  readonly sequence: number;
  /** Changes when the form of this view changes, and when more of it is loaded. */
  readonly shapeVersion: number;
  /**
   * A number that no other view has, and that changes when this view changes: facts found out about the view hold as long
   * as its revision is the same.
   */
  readonly revision: number;
  /** Ordinals below this exist (or existed) in the view. */
  readonly nodeLimit: number;
  readonly nodeCount: number;
  readonly relationshipCount: number;
  /** For each ordinal an index into `nodeTables`; 0xffff: there is no such node, or ask `locateNode` when some node table is not loaded. */
  readonly nodeTableOf: Uint16Array;
  /** For each ordinal the row in the table that `nodeTableOf` names. */
  readonly nodeRowOf: Uint32Array;
  /** Bitmap of ordinals for which to ask `locateNode`; null when the two arrays are right for every node that this view can reach. */
  readonly nodeVersioned: Uint8Array | null;
  /**
   * Returns the row of a node in this view and sets `locatedTable`; -1 when it does not exist here. Right for every
   * ordinal, versioned or not.
   */
  locateNode(ordinal: number): number;
  readonly locatedTable: number;
  readonly nodeTables: readonly NodeTableView[];
  /** The tables by type symbol id; undefined for a type without relationships. */
  readonly relationshipTables: readonly (RelationshipTableView | undefined)[];
  /** Returns the tables whose label set contains the label. */
  tablesWithLabel(label: number): readonly NodeTableView[];
  /**
   * The indexes on nodes and on relationships: first those that are declared or that check constraints, then the
   * automatic ones.
   */
  readonly indexes: readonly IndexView[];
  /** A number that differs between views with different automatic indexes. */
  readonly indexesVersion: number;
  /** The definitions that SHOW INDEXES and SHOW CONSTRAINTS list. */
  readonly schema: { readonly indexes: readonly IndexDefinition[]; readonly constraints: readonly ConstraintDefinition[] };

  // Generic access: right in every case, used where the compiler does not specialise.
  nodeProperty(ordinal: number, key: number): Value;
  /** Returns a reader of one property, for snapshots, that answers as `nodeProperty` (`relationshipProperty`) does, but faster. */
  nodePropertyReader(key: number): PropertyReader;
  relationshipPropertyReader(type: number, key: number): PropertyReader;
  relationshipProperty(type: number, homeRow: number, key: number): Value;
  nodeProperties(ordinal: number): Map<string, Value>;
  relationshipProperties(type: number, homeRow: number): Map<string, Value>;
  nodeLabels(ordinal: number): readonly number[];
  /**
   * Returns tables that together hold every source (target) of the type's relationships, perhaps with more tables,
   * ascending; null when they are not known. The first call for a type looks at all its rows.
   */
  endpointTables(type: number, endpoint: 'source' | 'target'): readonly number[] | null;
  nodeExists(ordinal: number): boolean;
  relationshipExists(type: number, homeRow: number): boolean;
  /** Returns the internal identifier: the one set by the user, or the computed one (`n` + ordinal). */
  nodeId(ordinal: number): string;
  /** Returns the internal identifier: `r` + relationship ordinal. */
  relationshipId(type: number, homeRow: number): string;
  relationshipOrdinal(type: number, homeRow: number): number;
  /** Returns the ordinal of the node with an internal identifier; -1 when there is none. */
  findNodeById(id: string): number;
  /** Returns [type, homeRow] by internal identifier; null when there is none. May build a hash table on first use. */
  findRelationshipById(id: string): readonly [number, number] | null;
  /** Returns how many live relationships a node has; 'both' counts a self-loop once; `type` -1 stands for all types. */
  degree(node: number, direction: 'out' | 'in' | 'both', type: number): number;

  /** Statistics for the planner; O(1), estimates allowed. */
  readonly statistics: GraphStatistics;
}

/** Statistics of the graph, for the planner. */
export interface GraphStatistics {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  /** Returns the number of nodes with a label; 0 for a name that the store does not know. */
  nodesWithLabel(label: string): number;
  /** All labels of the store; absent when they are not known. */
  readonly labelNames?: readonly string[] | undefined;
  relationshipsOfType(type: string): number;
  /** Estimates the number of relationships of a type whose source and target have labels; null stands for any type or label. */
  relationships(type: string | null, sourceLabel: string | null, targetLabel: string | null): number;
  /** Estimates the number of distinct values of a property over nodes of a label (null: all nodes), ≥ 1; null when nothing is known. */
  distinctValues(label: string | null, key: string): number | null;
  /** Estimates the number of distinct values of a property over relationships of a type; null when nothing is known. */
  distinctRelationshipValues(type: string, key: string): number | null;
  /** Returns the index by which the view answers the question; null when there is none. */
  findIndex(wanted: WantedIndex): FoundIndex | null;
}

// ---------------------------------------------------------------- writing

/** Measures the work of a transaction on columns. */
export interface ColumnMeter {
  /**
   * Called before a change adds a column, with the bytes of its arrays, which have room for each row of the table. When it
   * throws, the change ends, and the transaction must be rolled back.
   */
  added(bytes: number): void;
  /** Called after the view was refreshed, with the number of columns that the refresh looked at. */
  lookedAt(columns: number): void;
}

/**
 * A write transaction; at most one is open at a time. `view` sees its writes at once (its arrays after `refresh`), others after `publish`.
 * Every method keeps the log of logical changes that goes to the WAL.
 */
export interface GraphTransaction {
  /** The sequence of its commit, if it changes anything. A transaction that is rolled back leaves it to the next one. */
  readonly sequence: number;
  /** The view of this transaction; the same object for its whole life, its fields refreshed by `refresh()`. */
  readonly view: GraphView;
  /** Brings the arrays of `view` up to the writes. Cheap when nothing was written. */
  refresh(): void;
  /** Refreshes the view for readers of nodes and their indexes only: does nothing when only relationships were written. */
  refreshNodes(): void;
  internLabel(name: string): number;
  internType(name: string): number;
  internKey(name: string): number;
  /**
   * @param labels symbol ids, any order, no duplicates
   * @param keys, values the properties, lengths agree; null values are left out
   * @param id the internal identifier; null for a computed one. @throws CONSTRAINT_VIOLATION when it is taken
   * @returns the ordinal
   */
  createNode(labels: readonly number[], keys: readonly number[], values: readonly Value[], id: string | null): number;
  /** @returns the home row in the type's table */
  createRelationship(type: number, source: number, target: number, keys: readonly number[], values: readonly Value[]): number;
  /**
   * Sets a property of a node; a value of null removes it.
   *
   * @returns whether this counts as setting a property, as in Neo4j: a value was given, or an existing one was removed;
   * false when the node does not exist.
   */
  setNodeProperty(node: number, key: number, value: Value): boolean;
  setRelationshipProperty(type: number, homeRow: number, key: number, value: Value): boolean;
  /** @returns how many of the labels the node did not have yet */
  addLabels(node: number, labels: readonly number[]): number;
  removeLabels(node: number, labels: readonly number[]): number;
  /** Deletes a node, which must have no relationships when the statement ends (the executor checks). @returns false if it did not exist */
  deleteNode(node: number): boolean;
  deleteRelationship(type: number, homeRow: number): boolean;
  /** Creates an index; the definition is stored in the catalog. @returns false when there is one like it */
  createIndex(definition: IndexDefinition): boolean;
  dropIndex(name: string): boolean;
  /** Creates a constraint, and checks the graph as `checkConstraint` does. Returns false when there is one like it. */
  createConstraint(definition: ConstraintDefinition): Generator<number, boolean, void>;
  dropConstraint(name: string): boolean;
  /**
   * Checks what this transaction changed against all constraints, in steps. Yields the units of work of the next step;
   * readers may run between steps. The engine calls it before the commit. @throws CONSTRAINT_VIOLATION
   */
  checkConstraints(): Generator<number, void, void>;
  /**
   * Checks the whole graph against a constraint, in steps as `checkConstraints` does. The tables that it reads must be in
   * memory. @throws CONSTRAINT_VIOLATION
   */
  checkConstraint(definition: ConstraintDefinition): Generator<number, void, void>;
  readonly hasChanges: boolean;
  /** Reports work on columns to a meter, in addition to work on rows: a table may have any number of columns. */
  measureColumns(meter: ColumnMeter): void;
  /**
   * Returns the logical changes for the WAL, with the facts of the commit when changes are captured. Call it once, before
   * `commit` or `rollback`.
   */
  changes(facts?: () => ValueMap): Uint8Array;
  /**
   * Ends the transaction, keeping its writes in memory for the next one; snapshots do not see these until
   * `GraphStore.publish(sequence)`.
   *
   * @returns the sequence of the commit; of the last one when nothing was changed
   */
  commit(): number;
  rollback(): void;
}

/** The definition of an index. */
export type IndexDefinition = PropertyIndexDefinition | SearchIndexDefinition;

/** The definition of an index that answers predicates over properties. */
export interface PropertyIndexDefinition {
  readonly name: string;
  readonly entity: 'node' | 'relationship';
  /** Empty for `lookup`. */
  readonly labelOrType: string;
  readonly keys: readonly string[];
  readonly kind: Exclude<IndexKindName, SearchIndexKindName>;
}

/** The definition of a search index, which finds the best entities by a score among those with any of the labels or types. */
export interface SearchIndexDefinition {
  readonly name: string;
  readonly entity: 'node' | 'relationship';
  readonly labelsOrTypes: readonly string[];
  /** The keys that are searched; for a vector index the vector, followed by the properties by which a search may filter. */
  readonly keys: readonly string[];
  readonly kind: SearchIndexKindName;
  /** All settings of the kind; one without a default is present only when it was given. */
  readonly settings: IndexSettings;
}

interface ConstraintSubject {
  readonly name: string;
  readonly entity: 'node' | 'relationship';
  readonly labelOrType: string;
  readonly keys: readonly string[];
}

/** The definition of a constraint; `type` demands that the property, where present, has this type. */
export type ConstraintDefinition = ConstraintSubject &
  ({ readonly kind: 'unique' | 'exists' | 'key' } | { readonly kind: 'type'; readonly propertyType: ValueType });
