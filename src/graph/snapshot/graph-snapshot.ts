/**
 * A view of the graph as of a sequence: `GraphStore.snapshot` returns it to readers, and a transaction takes it again after each batch of
 * its writes. The flat arrays are those of the moment of taking; the generic methods read the tables, and are right in every case, even for
 * a transaction that has written since.
 */
import { assert } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { Adjacency } from '../adjacency/adjacency.ts';
import type { Csr } from '../adjacency/csr.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { bitmapFor } from '../arrays/bitmap.ts';
import { EMPTY_U32 } from '../arrays/shared-array.ts';
import type { GraphCounts, GraphData } from '../data/graph-data.ts';
import { EMPTY_SCHEMA, type Schema } from '../data/schema.ts';
import type { AutomaticIndexes } from '../indexes/automatic-indexes.ts';
import { type Entities, LabelledNodes, type RelationshipReader, type RevisedReader, TypedRelationships } from '../indexes/entities.ts';
import type { GraphIndex, IndexedGraph } from '../indexes/graph-index.ts';
import type { Requirements } from '../loading/requirements.ts';
import type { PagedAdjacency } from '../paged/paged-relationships.ts';
import type { Directory } from '../tables/directory.ts';
import type { NodePlaces } from '../tables/endpoint-tables.ts';
import { computedNodeId, computedRelationshipId, type NodeIds, ordinalOfId } from '../tables/node-ids.ts';
import { assertNoNode, nodeIdOf, nodePropertyOf, tableOfNode } from '../tables/node-reader.ts';
import { NO_TABLE, type NodeTable } from '../tables/node-table.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { IndexView } from '../view/index-view.ts';
import type { GraphStatistics, GraphView, NodeTableView, OpenedList, PropertyReader, SymbolTable } from '../view/view.ts';
import { NodePropertyReader, RelationshipPropertyReader } from './property-readers.ts';
import { SampledStatistics } from './statistics.ts';
import { NodeTableSnapshot, RelationshipTableSnapshot } from './table-snapshots.ts';

/** The rows that a view sees: the published ones, or all, including those of the open transaction. */
export type Horizon = 'published' | 'newest';

/** The state that a snapshot is taken from. */
export interface SnapshotSource {
  readonly data: GraphData;
  readonly counts: GraphCounts;
  readonly sequence: number;
  readonly publishedSequence: number;
  readonly horizon: Horizon;
}

const NO_TABLES: readonly NodeTableView[] = [];
let revisions = 0;

/** The graph as of a sequence. */
export class GraphSnapshot implements GraphView, RevisedReader, RelationshipReader, IndexedGraph {
  readonly labels: SymbolTable;
  readonly types: SymbolTable;
  readonly keys: SymbolTable;
  sequence = 0;
  shapeVersion = 0;
  revision = 0;
  nodeLimit = 0;
  nodeCount = 0;
  relationshipCount = 0;
  nodeTableOf: Uint16Array;
  nodeRowOf: Uint32Array;
  nodeVersioned: Uint8Array | null = null;
  locatedTable = NO_TABLE;
  nodeTables: readonly NodeTableSnapshot[] = [];
  relationshipTables: readonly (RelationshipTableSnapshot | undefined)[] = [];
  indexesVersion = 0;
  schema: Schema = EMPTY_SCHEMA;
  /** How many columns `take` has looked at so far, over all calls. */
  columnsLookedAt = 0;
  /** The node tables behind this view. */
  tables: readonly NodeTable[] = [];
  directory: Directory;
  /** The store behind this view. */
  readonly data: GraphData;
  readonly #horizon: Horizon;
  #nodeIds: NodeIds;
  #tablesWithLabel: (readonly NodeTableView[] | undefined)[] = [];
  #statistics: GraphStatistics | null = null;
  #graphIndexes: readonly GraphIndex[] = [];
  /** The views of the indexes; null until they are first asked for. */
  #indexViews: readonly IndexView[] | null = null;
  /** Requirements that are known to be in memory and in this view. */
  readonly #loaded = new WeakSet<Requirements>();

  /** @param reusable an earlier view with the same horizon, whose table snapshots are reused where nothing has changed */
  constructor(source: SnapshotSource, reusable: GraphSnapshot | null = null) {
    this.data = source.data;
    this.#horizon = source.horizon;
    this.labels = source.data.labels;
    this.types = source.data.types;
    this.keys = source.data.keys;
    this.directory = source.data.directory;
    this.nodeTableOf = this.directory.tableOf;
    this.nodeRowOf = this.directory.rowOf;
    this.#nodeIds = source.data.nodeIds;
    if (source.horizon === 'newest') this.tables = source.data.nodeTables;
    if (reusable !== null) {
      this.tables = reusable.tables;
      this.nodeTables = reusable.nodeTables;
      this.relationshipTables = reusable.relationshipTables;
    }
    this.take(source);
  }

  /** Brings the view up to the present state of the graph. */
  take(source: SnapshotSource): void {
    const { data, counts } = source;
    this.sequence = source.sequence;
    this.nodeLimit = counts.nodeLimit;
    this.nodeCount = counts.nodeCount;
    this.relationshipCount = counts.relationshipCount;
    this.#takeNodeTables(source);
    this.#takeRelationshipTables(source);
    this.#takeDirectory(data);
    this.#takeIndexes(counts, data.automaticIndexes);
    this.schema = counts.schema;
    this.#statistics = null;
    this.#changed();
  }

  /** Makes the view show parts of tables that were loaded since it was taken. */
  takeLoaded(): void {
    for (const table of this.nodeTables) table.takeLoaded();
    for (const table of this.relationshipTables) table?.takeLoaded();
    this.nodeTableOf = this.directory.tableOf;
    this.nodeRowOf = this.directory.rowOf;
    this.#changed();
  }

  /** Tells whether requirements are known to be in memory and in this view; a published view never loses what it shows. */
  hasLoaded(requirements: Requirements): boolean {
    return this.#loaded.has(requirements);
  }

  noteLoaded(requirements: Requirements): void {
    if (this.#horizon === 'published') this.#loaded.add(requirements);
  }

  #changed(): void {
    this.shapeVersion = this.data.shape.version;
    this.revision = ++revisions;
  }

  #takeNodeTables(source: SnapshotSource): void {
    const tables = source.data.nodeTables;
    const known = this.nodeTables;
    let fresh: NodeTableSnapshot[] | null = known.length === tables.length ? null : known.slice(0, tables.length);
    for (let i = 0; i < tables.length; i++) {
      const table = tables[i] as NodeTable;
      const before = known[i];
      const mayStay = before !== undefined && before.source === table;
      if (mayStay && before.version === table.version) continue;
      const counts = this.#horizon === 'published' ? table.published : table.counts();
      // A view of published rows is shared: what others hold must not change under them.
      const snapshot = mayStay && this.#horizon === 'newest' ? before : new NodeTableSnapshot(table);
      const looked = table.columnsLookedAt;
      snapshot.take(counts, source.sequence);
      this.columnsLookedAt += table.columnsLookedAt - looked;
      if (snapshot === before) continue;
      fresh ??= known.slice();
      fresh[i] = snapshot;
    }
    if (fresh === null) return;
    this.nodeTables = fresh;
    if (this.#horizon === 'published') this.tables = tables.slice();
    this.#tablesWithLabel = [];
  }

  #takeRelationshipTables(source: SnapshotSource): void {
    const tables = source.data.relationshipTables;
    const known = this.relationshipTables;
    let fresh: (RelationshipTableSnapshot | undefined)[] | null = known.length === tables.length ? null : known.slice(0, tables.length);
    for (let i = 0; i < tables.length; i++) {
      const table = tables[i];
      const before = known[i];
      if (before?.source === table && before?.version === table?.version) continue;
      const snapshot = this.#takeRelationshipTable(table, before, source);
      if (snapshot === before) continue;
      fresh ??= known.slice();
      fresh[i] = snapshot;
    }
    if (fresh !== null) this.relationshipTables = fresh;
  }

  #takeRelationshipTable(
    table: RelationshipTable | undefined,
    before: RelationshipTableSnapshot | undefined,
    source: SnapshotSource,
  ): RelationshipTableSnapshot | undefined {
    if (table === undefined) return undefined;
    const snapshot = before?.source === table && this.#horizon === 'newest' ? before : new RelationshipTableSnapshot(table);
    const counts = this.#horizon === 'published' ? table.published : table.counts();
    const looked = table.columnsLookedAt;
    snapshot.take(counts, source.sequence, source.publishedSequence);
    this.columnsLookedAt += table.columnsLookedAt - looked;
    snapshot.catchUpEndpoints({ directory: source.data.directory, tables: source.data.nodeTables, shape: source.data.shape });
    return snapshot;
  }

  #takeDirectory(data: GraphData): void {
    const directory = data.directory;
    this.directory = directory;
    this.nodeTableOf = directory.tableOf;
    this.nodeRowOf = directory.rowOf;
    const versions = directory.versions;
    if (versions.bitmap !== null) versions.bitmap = bitmapFor(versions.bitmap, this.nodeLimit);
    this.nodeVersioned = versions.bitmap;
    directory.noteShape(data.shape);
    this.#nodeIds = data.nodeIds;
  }

  #takeIndexes({ indexes: declared }: GraphCounts, automatic: AutomaticIndexes): void {
    this.indexesVersion = automatic.version;
    const indexes = automatic.beside(declared);
    if (this.#graphIndexes === indexes) return;
    this.#graphIndexes = indexes;
    this.#indexViews = null;
  }

  get indexes(): readonly IndexView[] {
    this.#indexViews ??= this.#graphIndexes.map((index) => index.seenBy(this));
    return this.#indexViews;
  }

  /** The indexes that `indexes` are the views of, in the same order. */
  get graphIndexes(): readonly GraphIndex[] {
    return this.#graphIndexes;
  }

  nodesWith(labels: readonly number[]): Entities {
    return new LabelledNodes(this, labels);
  }

  relationshipsOf(type: number): Entities {
    return new TypedRelationships(this, type);
  }

  get rowsRevision(): number {
    return this.#horizon === 'published' ? this.revision : -1;
  }

  nodeRowCountOf(table: RowTable): number {
    return this.#horizon === 'newest' ? table.rowCount : (this.nodeTables[table.index]?.rowCount ?? 0);
  }

  locateNode(ordinal: number): number {
    if (ordinal >= this.nodeLimit) this.locatedTable = NO_TABLE;
    else this.locatedTable = this.directory.tableAt(ordinal, this.sequence);
    if (this.locatedTable !== NO_TABLE) return this.directory.row;
    assertNoNode(this, ordinal);
    return -1;
  }

  tablesWithLabel(label: number): readonly NodeTableView[] {
    if (label < 0) return NO_TABLES;
    const known = this.#tablesWithLabel[label];
    if (known !== undefined) return known;
    const tables = this.nodeTables.filter((table) => table.labels.includes(label));
    this.#tablesWithLabel[label] = tables;
    return tables;
  }

  nodeProperty(ordinal: number, key: number): Value {
    return nodePropertyOf(this, ordinal, key);
  }

  nodePropertyReader(key: number): PropertyReader {
    return new NodePropertyReader(this, key);
  }

  relationshipPropertyReader(type: number, key: number): PropertyReader {
    const read = (homeRow: number): Value => this.relationshipProperty(type, homeRow, key);
    const table = this.relationshipTable(type);
    return table === undefined ? { get: read } : new RelationshipPropertyReader(table, key, read);
  }

  nodeProperties(ordinal: number): Map<string, Value> {
    const table = tableOfNode(this, ordinal);
    return table === undefined ? new Map() : propertiesOf(table, this.directory.row, this.keys);
  }

  nodeLabels(ordinal: number): readonly number[] {
    return tableOfNode(this, ordinal)?.labels ?? [];
  }

  endpointTables(type: number, endpoint: 'source' | 'target'): readonly number[] | null {
    const snapshot = this.relationshipTables[type];
    if (snapshot === undefined) return [];
    if (this.directory !== this.data.directory) return null;
    const tables = snapshot.endpointTables(endpoint, this.#nodePlaces());
    // What grew now, grew from nothing: no answer that this view has given before is another now.
    if (this.shapeVersion !== this.data.shape.version) this.#changed();
    return tables?.filter((index) => index < this.nodeTables.length) ?? null;
  }

  #nodePlaces(): NodePlaces {
    return { directory: this.directory, tables: this.data.nodeTables, shape: this.data.shape };
  }

  nodeExists(ordinal: number): boolean {
    return tableOfNode(this, ordinal) !== undefined;
  }

  nodeId(ordinal: number): string {
    return nodeIdOf(this, ordinal) ?? computedNodeId(ordinal);
  }

  findNodeById(id: string): number {
    return this.#nodeIds.find(id, this);
  }

  /** Returns the table of a type as this view reads it, even when the view was not taken again since the last write. */
  relationshipTable(type: number): RelationshipTable | undefined {
    return this.#horizon === 'newest' ? this.data.relationshipTables[type] : this.relationshipTables[type]?.source;
  }

  /**
   * Returns the table of a type, to read one of its rows.
   * @throws INTERNAL when the row is in a file, is not loaded, and cannot be read by page
   */
  #relationshipTableFor(type: number, homeRow: number): RelationshipTable | undefined {
    const table = this.relationshipTable(type);
    table?.assertRow(homeRow);
    return table;
  }

  get #typeCount(): number {
    return this.#horizon === 'newest' ? this.data.relationshipTables.length : this.relationshipTables.length;
  }

  rowCountOf(type: number): number {
    const rows = this.#horizon === 'newest' ? this.data.relationshipTables[type]?.rowCount : this.relationshipTables[type]?.rowCount;
    return rows ?? 0;
  }

  relationshipProperty(type: number, homeRow: number, key: number): Value {
    const table = this.#relationshipTableFor(type, homeRow);
    const row = table?.rowAt(homeRow, this.sequence) ?? -1;
    return row < 0 ? null : (table as RelationshipTable).get(row, key);
  }

  relationshipProperties(type: number, homeRow: number): Map<string, Value> {
    const table = this.#relationshipTableFor(type, homeRow);
    const row = table?.rowAt(homeRow, this.sequence) ?? -1;
    return row < 0 ? new Map() : propertiesOf(table as RelationshipTable, row, this.keys);
  }

  relationshipExists(type: number, homeRow: number): boolean {
    const table = this.#relationshipTableFor(type, homeRow);
    return table !== undefined && homeRow < this.rowCountOf(type) && table.rowAt(homeRow, this.sequence) >= 0;
  }

  relationshipOrdinal(type: number, homeRow: number): number {
    const table = this.#relationshipTableFor(type, homeRow);
    assert(table !== undefined, 'the ordinal of a relationship of a type that has none');
    const { stored, paged } = table;
    const relationships = stored?.rowsLoaded === false ? paged?.relationships : null;
    return relationships == null || homeRow >= relationships.rowCount ? table.ordinalOf(homeRow) : relationships.ordinals.at(homeRow);
  }

  relationshipId(type: number, homeRow: number): string {
    return computedRelationshipId(this.relationshipOrdinal(type, homeRow));
  }

  findRelationshipById(id: string): readonly [number, number] | null {
    const ordinal = ordinalOfId(id, 'r');
    if (ordinal < 0) return null;
    for (let type = 0; type < this.#typeCount; type++) {
      const table = this.relationshipTable(type);
      table?.assertRows();
      const row = table?.findRow(ordinal, this.rowCountOf(type)) ?? -1;
      if (row >= 0) return this.relationshipExists(type, row) ? [type, row] : null;
    }
    return null;
  }

  degree(node: number, direction: 'out' | 'in' | 'both', type: number): number {
    if (type >= 0) return this.#degreeOfType(node, direction, type);
    let total = 0;
    for (let i = 0; i < this.#typeCount; i++) total += this.#degreeOfType(node, direction, i);
    return total;
  }

  #degreeOfType(node: number, direction: 'out' | 'in' | 'both', type: number): number {
    const table = this.relationshipTable(type);
    if (table === undefined) return 0;
    const reader = { table, sequence: this.sequence, rowCount: this.rowCountOf(type) };
    const snapshot = this.#horizon === 'newest' ? undefined : this.relationshipTables[type];
    const outgoing = snapshot?.adjacencySource('outgoing') ?? table.outgoing;
    const incoming = snapshot?.adjacencySource('incoming') ?? table.incoming;
    const paged = table.stored?.rowsLoaded === false && table.isReadByPage ? table.paged!.relationships : null;
    if (paged === null) table.assertRows();
    const count = (adjacency: Adjacency, withLoops: boolean): number => {
      const inFiles = paged?.[adjacency.direction];
      const first =
        inFiles === undefined ? countInCsr(adjacency.csr(), reader, node, withLoops) : countInFiles(inFiles, reader, node, withLoops);
      return first + countInLog(adjacency, reader, node, withLoops);
    };
    if (direction === 'out') return count(outgoing, true);
    if (direction === 'in') return count(incoming, true);
    return count(outgoing, true) + count(incoming, false);
  }

  get statistics(): GraphStatistics {
    this.#statistics ??= new SampledStatistics(this);
    return this.#statistics;
  }
}

function propertiesOf(table: NodeTable | RelationshipTable, row: number, keys: SymbolTable): Map<string, Value> {
  const properties = new Map<string, Value>();
  for (const key of table.keysOf(row)) {
    const value = table.get(row, key);
    if (value !== null) properties.set(keys.name(key), value);
  }
  return properties;
}

/** The relationships of one type as of a sequence, among the rows below `rowCount`. */
interface TypeReader {
  readonly table: RelationshipTable;
  readonly sequence: number;
  readonly rowCount: number;
}

function countInCsr(csr: Csr, { table, sequence }: TypeReader, node: number, withLoops: boolean): number {
  if (node < csr.base || node >= csr.limit) return 0;
  const [first, end] = [csr.offsets[node - csr.base]!, csr.offsets[node - csr.base + 1]!];
  if (table.chains.bitmap === null && withLoops) return end - first;
  let count = 0;
  for (let i = first; i < end; i++) {
    const row = csr.rows === null ? i : csr.rows[i]!;
    if ((withLoops || csr.neighbours[i] !== node) && table.rowAt(row, sequence) >= 0) count++;
  }
  return count;
}

/** Counts relationships of a node in an adjacency read by page; 0 when its list is not in memory, which is noted. */
function countInFiles(inFiles: PagedAdjacency, { table, sequence }: TypeReader, node: number, withLoops: boolean): number {
  const list: OpenedList = { first: 0, end: 0, neighbours: EMPTY_U32, rows: null, rowShift: 0 };
  if (!inFiles.open(node, list)) return 0;
  const { first, end, neighbours, rows, rowShift } = list;
  if (table.chains.bitmap === null && withLoops) return end - first;
  let count = 0;
  for (let k = first; k < end; k++) {
    const row = rows === null ? k + rowShift : rows[k + rowShift]!;
    if ((withLoops || neighbours[k] !== node) && table.rowAt(row, sequence) >= 0) count++;
  }
  return count;
}

function countInLog(adjacency: Adjacency, { table, sequence, rowCount }: TypeReader, node: number, withLoops: boolean): number {
  adjacency.catchUp(rowCount);
  const { ends, logBase } = adjacency;
  let count = 0;
  for (let row = adjacency.head(node, rowCount); row >= 0; row = adjacency.logNext[row - logBase]!) {
    if ((withLoops || ends[row] !== node) && table.rowAt(row, sequence) >= 0) count++;
  }
  return count;
}
