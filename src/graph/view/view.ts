/**
 * The graph as a reader sees it: flat typed arrays over SharedArrayBuffers, as of one sequence (a snapshot) or of a
 * transaction (its own writes included). The compiler in src/exec generates loops over exactly these fields; nothing
 * else of the store is visible to it.
 *
 * Vocabulary
 * - A *symbol id* is a small dense integer for a label, a relationship type or a property key (three separate spaces, see `Symbols`).
 * - A *node* is an ordinal (dense, u32, never reused). Its properties stand in a row of the *node table* of its label set.
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

/** Three spaces of names. Ids are dense from 0, given in order of first use, never reused. */
export interface SymbolTable {
  readonly size: number;
  /** -1 when the name is unknown. */
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

/** A column. */
export interface ColumnView {
  readonly kind: ColumnKind;
  readonly values: Int32Array | Float64Array | BigInt64Array | Uint8Array | Uint32Array;
  /** Bitmap: 1 = has a value. null: every row of the table in this view has one. */
  readonly valid: Uint8Array | null;
  readonly heap: Uint8Array | null;
  readonly dictionary: DictionaryView | null;
  /** The value of a row, null where there is none. */
  get(row: number): Value;
  /**
   * A reader of a column of strings, for rows of a snapshot, that decodes nothing twice that was decoded lately. Not
   * for views of a transaction, whose rows may change.
   */
  readonly texts: TextReader;
}

/** A reader of strings. */
export interface TextReader {
  get(row: number): string | null;
}

/** One per property key, shared by all tables: equal strings have equal codes wherever the column kind is `dictionary`. */
export interface DictionaryView {
  readonly size: number;
  /** The string of a code; decoded once per thread. */
  decode(code: number): string;
  /** -1 when the string is in no row. */
  find(text: string): number;
}

/** A node table. */
export interface NodeTableView {
  readonly index: number;
  /** A number that is the same in all threads; no other table has it. */
  readonly identity: number;
  /** Label symbol ids, ascending. */
  readonly labels: readonly number[];
  /** Rows to scan: [0, rowCount). */
  readonly rowCount: number;
  /** Live nodes in this view (exact). */
  readonly liveCount: number;
  /** False: some row lies in a file and was not loaded. What is said of rows below is INTERNAL then. */
  readonly rowsLoaded: boolean;
  /**
   * ≥ 0: the ordinal of row r is r + ordinalBase for every row and the directory agrees for every ordinal of the table;
   * -1: use `ordinals`.
   */
  readonly ordinalBase: number;
  /** The ordinal of each row; valid (length ≥ rowCount) only where ordinalBase is -1. */
  readonly ordinals: Uint32Array;
  /** Bit set: the row may have ended in this view; ask `isRowVisible`. null: every row is visible. */
  readonly ended: Uint8Array | null;
  isRowVisible(row: number): boolean;
  /** null: no row of the table has the key. INTERNAL: it was not loaded. */
  column(key: number): ColumnView | null;
  residency(key: number): Residency;
  /** Keys that some row has. INTERNAL: a column was not loaded. */
  readonly columnKeys: readonly number[];
}

/** The entries of one node in an adjacency, wherever they lie. */
export interface OpenedList {
  /** Positions in `neighbours`: from the first one to below `end`. */
  first: number;
  end: number;
  /** Ascending from `first` on. */
  neighbours: Uint32Array;
  /** The home row of the entry at a position k is `rows[k + rowShift]`; null: it is k + rowShift. */
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
  /** Ascending within a node's list. Where all is in memory, `openList` leaves it as it is, and `rows`, whose shift is 0. */
  neighbours: Uint32Array;
  /** Home row per entry; null: the home row is the position itself. */
  rows: Uint32Array | null;
  /** Relationships that came after the CSR was built: false when this view has none. */
  readonly hasLog: boolean;
  /** Some entry leads from a node to itself. Found out by a look at all of them when it is first asked for. */
  readonly hasLoops: boolean;
  /** Some node of the CSR has more than one entry. Found out when it is first asked for. */
  readonly hasLists: boolean;
  /** How many entries a node of the CSR has at most. Found out when it is first asked for. */
  readonly longestList: number;
  /**
   * How many entries of one node of the CSR name the same neighbour at most. Found out by a look at all of them when it
   * is first asked for.
   */
  readonly mostParallel: number;
  /** First home row in the log of a node, -1 for none. Entries may lie at or beyond the table's rowCount: skip those (they came later). */
  logHead(node: number): number;
  /** logNext[row - logBase]: next home row of the same node, -1 at the end. */
  readonly logNext: Int32Array;
  readonly logBase: number;
  /** The node at the other end, by home row in the log. */
  readonly logEnds: Uint32Array;
  /**
   * Finds the entries of a node that stand before the log: from `first` to below `end`, in `neighbours` and `rows`,
   * until the next list is opened; these arrays stay what they are. False: there are none, or they are not in memory,
   * and noted. Generic code and walks ask it; specialised code runs only where all of it is in memory.
   */
  openList(node: number): boolean;
}

/** A relationship table. */
export interface RelationshipTableView {
  /** A number that is the same in all threads; no other table has it. */
  readonly identity: number;
  /** Type symbol id. */
  readonly type: number;
  /** Rows [0, rowCount) exist in this view; home rows among them are relationships, others later versions. */
  readonly rowCount: number;
  readonly liveCount: number;
  /** As of node tables. */
  readonly rowsLoaded: boolean;
  /** The source of each row. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  /** The ends of one row, read by page if need be: 0 where the page is noted. */
  sourceOf(row: number): number;
  targetOf(row: number): number;
  /** ≥ 0: the relationship ordinal of row r is r + ordinalBase; -1: use `ordinals`. */
  readonly ordinalBase: number;
  readonly ordinals: Uint32Array;
  /** Bit set on a home row: it may have been deleted or have a newer version; ask. null: every row is home, visible and current. */
  readonly ended: Uint8Array | null;
  /** Is the relationship of this home row there in this view? (Only to be asked where the bit is set.) */
  isVisible(homeRow: number): boolean;
  /** The row with the properties of this relationship in this view. (Only to be asked where the bit is set.) */
  currentRow(homeRow: number): number;
  /** False for rows that are later versions of a relationship with another home row. (Scans ask it for rows ≥ `versionsFrom`.) */
  isHomeRow(row: number): boolean;
  readonly versionsFrom: number;
  readonly outgoing: AdjacencyView;
  readonly incoming: AdjacencyView;
  /** null: no row of the table has the key. INTERNAL: it was not loaded. */
  column(key: number): ColumnView | null;
  residency(key: number): Residency;
  readonly columnKeys: readonly number[];
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
  /** The commit this view shows; a transaction's own view shows its base sequence plus its writes. */
  readonly sequence: number;
  /** Changes when this view changes, as it does when more of it is loaded. */
  readonly shapeVersion: number;
  /**
   * A number that no other view has, and this one no more once it has changed: what was found out about it holds as
   * long as it is the same.
   */
  readonly revision: number;
  /** Ordinals below this exist (or existed) in the view. */
  readonly nodeLimit: number;
  readonly nodeCount: number;
  readonly relationshipCount: number;
  /** For each ordinal an index into `nodeTables`; 0xffff: no such node, or, where a node table is not loaded, `locateNode` knows. */
  readonly nodeTableOf: Uint16Array;
  /** For each ordinal the row in that table. */
  readonly nodeRowOf: Uint32Array;
  /** Bitmap by ordinal: bit set: ask `locateNode`. null: the two arrays are right for every node that can be reached in this view. */
  readonly nodeVersioned: Uint8Array | null;
  /**
   * The row of a node in this view, its table in `locatedTable`; -1 when it does not exist here. Right for every
   * ordinal, versioned or not.
   */
  locateNode(ordinal: number): number;
  readonly locatedTable: number;
  readonly nodeTables: readonly NodeTableView[];
  /** Tables by type symbol id; undefined where the type has no relationships. */
  readonly relationshipTables: readonly (RelationshipTableView | undefined)[];
  /** Tables whose label set contains the label. */
  tablesWithLabel(label: number): readonly NodeTableView[];
  /**
   * Indexes of nodes and of relationships: those that were declared or that constraints are checked with, and behind
   * them the automatic ones.
   */
  readonly indexes: readonly IndexView[];
  /** Is another one when the view has other automatic indexes. */
  readonly indexesVersion: number;
  /** The definitions that SHOW INDEXES and SHOW CONSTRAINTS list. */
  readonly schema: { readonly indexes: readonly IndexDefinition[]; readonly constraints: readonly ConstraintDefinition[] };

  // Generic access: right in every case, used where the compiler does not specialise.
  nodeProperty(ordinal: number, key: number): Value;
  /** Readers of one property, for snapshots: they answer as `nodeProperty` and `relationshipProperty` do, faster. */
  nodePropertyReader(key: number): PropertyReader;
  relationshipPropertyReader(type: number, key: number): PropertyReader;
  relationshipProperty(type: number, homeRow: number, key: number): Value;
  nodeProperties(ordinal: number): Map<string, Value>;
  relationshipProperties(type: number, homeRow: number): Map<string, Value>;
  nodeLabels(ordinal: number): readonly number[];
  /**
   * Tables that hold every source (target) of the type's relationships, and perhaps others, ascending; null when that
   * is not known. The first call for a type looks at all its rows.
   */
  endpointTables(type: number, endpoint: 'source' | 'target'): readonly number[] | null;
  nodeExists(ordinal: number): boolean;
  relationshipExists(type: number, homeRow: number): boolean;
  /** `_id` as set by the user, or the computed one (`n` + ordinal). */
  nodeId(ordinal: number): string;
  /** `r` + relationship ordinal. */
  relationshipId(type: number, homeRow: number): string;
  relationshipOrdinal(type: number, homeRow: number): number;
  /** Ordinal, or -1. */
  findNodeById(id: string): number;
  /** [type, homeRow], or null. May build an index on first use. */
  findRelationshipById(id: string): readonly [number, number] | null;
  /** Live relationships of a node; both directions, a self-loop once; of all types when `type` is -1. */
  degree(node: number, direction: 'out' | 'in' | 'both', type: number): number;

  /** Statistics for the planner; O(1), estimates allowed. */
  readonly statistics: GraphStatistics;
}

/** Statistics of the graph, for the planner. */
export interface GraphStatistics {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  /** Nodes with this label; names unknown to the store count 0. */
  nodesWithLabel(label: string): number;
  /** All labels of the store; absent where that is not known. */
  readonly labelNames?: readonly string[] | undefined;
  relationshipsOfType(type: string): number;
  /** Relationships of a type whose source (target) has a label; an estimate. null: any. */
  relationships(type: string | null, sourceLabel: string | null, targetLabel: string | null): number;
  /** Distinct values of a property over nodes of a label, an estimate ≥ 1; null when nothing is known. */
  distinctValues(label: string | null, key: string): number | null;
  /** Estimates the distinct values of a key of relationships of a type. */
  distinctRelationshipValues(type: string, key: string): number | null;
  /** The index that the view answers the question by; null: there is none. */
  findIndex(wanted: WantedIndex): FoundIndex | null;
}

// ---------------------------------------------------------------- writing

/** Measures the work of a transaction on columns. */
export interface ColumnMeter {
  /**
   * Called before a change adds a column, with the bytes of its arrays, which have room for each row of the table. What
   * it throws ends the change, and the transaction must be rolled back.
   */
  added(bytes: number): void;
  /** Called when the view has been brought up to changes, with the number of columns that were looked at. */
  lookedAt(columns: number): void;
}

/**
 * One write transaction; at most one is open at a time. Its writes are seen through `view()` at once, by others after `publish`.
 * Every method keeps the log of logical changes that goes to the WAL.
 */
export interface GraphTransaction {
  /** The view of this transaction; the same object for its whole life, its fields refreshed by `refresh()`. */
  readonly view: GraphView;
  /** Makes `view` show the arrays as they are now. Cheap when nothing grew. */
  refresh(): void;
  /** Refreshes the view where only nodes and their indexes will be asked for: relationships that were written are left for later. */
  refreshNodes(): void;
  internLabel(name: string): number;
  internType(name: string): number;
  internKey(name: string): number;
  /**
   * @param labels symbol ids, any order, no duplicates
   * @param keys, values the properties, lengths agree; null values are left out
   * @param id the internal identifier, null for a computed one. A taken one: CONSTRAINT_VIOLATION.
   * @returns the ordinal
   */
  createNode(labels: readonly number[], keys: readonly number[], values: readonly Value[], id: string | null): number;
  /** @returns the home row in the type's table */
  createRelationship(type: number, source: number, target: number, keys: readonly number[], values: readonly Value[]): number;
  /**
   * null removes.
   *
   * @returns whether the node had or has now such a property (what Neo4j counts as set: any value given, or an existing
   * one removed).
   */
  setNodeProperty(node: number, key: number, value: Value): boolean;
  setRelationshipProperty(type: number, homeRow: number, key: number, value: Value): boolean;
  /** @returns how many were not there before */
  addLabels(node: number, labels: readonly number[]): number;
  removeLabels(node: number, labels: readonly number[]): number;
  /** The node must have no relationships left when the statement ends (the executor checks). @returns false when it was deleted already */
  deleteNode(node: number): boolean;
  deleteRelationship(type: number, homeRow: number): boolean;
  /** Schema changes; the definition is stored in the catalog. */
  createIndex(definition: IndexDefinition): boolean;
  dropIndex(name: string): boolean;
  /** Creates a constraint, and checks as `checkConstraint` does. Returns false when there is one like it. */
  createConstraint(definition: ConstraintDefinition): Generator<number, boolean, void>;
  dropConstraint(name: string): boolean;
  /**
   * Uniqueness, existence, types: checks what this transaction changed, as it is iterated. Each number is the steps of
   * the work that comes next; between them others may read. CONSTRAINT_VIOLATION. The engine does it before the commit.
   */
  checkConstraints(): Generator<number, void, void>;
  /**
   * Checks everything that is there against a constraint, in pieces as `checkConstraints` does. What it looks at must
   * be in memory. CONSTRAINT_VIOLATION.
   */
  checkConstraint(definition: ConstraintDefinition): Generator<number, void, void>;
  readonly hasChanges: boolean;
  /** Tells of work on columns beside that on rows: a table may have any number of them. */
  measureColumns(meter: ColumnMeter): void;
  /**
   * The logical changes for the WAL, with the facts of the commit where changes are captured. Call once, then `publish`
   * when stored, or `rollback`.
   */
  changes(facts?: () => ValueMap): Uint8Array;
  /**
   * Ends the transaction, keeping its writes in memory for the next one; invisible to snapshots until
   * `GraphStore.publish(sequence)`.
   *
   * @returns its sequence
   */
  commit(): number;
  rollback(): void;
}

/** The definition of an index. */
export type IndexDefinition = PropertyIndexDefinition | SearchIndexDefinition;

/** An index that predicates over properties are answered from. */
export interface PropertyIndexDefinition {
  readonly name: string;
  readonly entity: 'node' | 'relationship';
  /** Empty for `lookup`. */
  readonly labelOrType: string;
  readonly keys: readonly string[];
  readonly kind: Exclude<IndexKindName, SearchIndexKindName>;
}

/** An index that finds the best by a score. It is over entities that have any of the labels or types. */
export interface SearchIndexDefinition {
  readonly name: string;
  readonly entity: 'node' | 'relationship';
  readonly labelsOrTypes: readonly string[];
  /** The keys that are searched; of a vector index the vector, and behind it the properties by which a search may filter. */
  readonly keys: readonly string[];
  readonly kind: SearchIndexKindName;
  /** Each setting that the kind has, or those of them that were given where it has no initial value. */
  readonly settings: IndexSettings;
}

interface ConstraintSubject {
  readonly name: string;
  readonly entity: 'node' | 'relationship';
  readonly labelOrType: string;
  readonly keys: readonly string[];
}

/** `type`: a property that is there is of this type. */
export type ConstraintDefinition = ConstraintSubject &
  ({ readonly kind: 'unique' | 'exists' | 'key' } | { readonly kind: 'type'; readonly propertyType: ValueType });
