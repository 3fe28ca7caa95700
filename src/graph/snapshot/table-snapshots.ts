/** Node and relationship tables as readers see them: arrays of one moment, and the sequence that decides which row versions are seen. */
import { type Adjacency, AdjacencySnapshot, type Direction } from '../adjacency/adjacency.ts';
import { mayHaveNodesIn, type RelationshipEnd, type RelationshipTable } from '../adjacency/relationship-table.ts';
import { bitmapFor } from '../arrays/bitmap.ts';
import { EMPTY_U32 } from '../arrays/shared-array.ts';
import type { ColumnSnapshot } from '../columns/column-snapshot.ts';
import { isReadingByPage } from '../paged/page-faults.ts';
import { PagedAdjacencySnapshot, type PagedRelationships } from '../paged/paged-relationships.ts';
import type { EndpointTables, NodePlaces } from '../tables/endpoint-tables.ts';
import type { NodeTable } from '../tables/node-table.ts';
import type { RowCounts, RowTable } from '../tables/row-table.ts';
import { notLoaded, type Residency } from '../view/residency.ts';
import type { AdjacencyView, ColumnView, NodeTableView, RelationshipTableView } from '../view/view.ts';

/** The members that both kinds of tables have. */
abstract class TableSnapshot {
  rowCount = 0;
  liveCount = 0;
  ordinalBase = -1;
  rowsLoaded = true;
  /** The version of the table when this was taken; -1 after `takeLoaded`, so that the next view takes the table anew. */
  version = -1;
  protected sequence = 0;
  /** How many parts of the table had been loaded when this was taken. */
  loads = 0;
  #ordinals: Uint32Array = EMPTY_U32;
  #ended: Uint8Array | null = null;
  #columnKeys: readonly number[] = [];
  #columns: readonly (ColumnSnapshot | undefined)[] = [];

  abstract readonly source: RowTable;

  get identity(): number {
    return this.source.identity;
  }

  column(key: number): ColumnView | null {
    if (this.residency(key) === 'notLoaded') throw notLoaded(`the column of property key ${key}`);
    return this.#columns[key] ?? null;
  }

  residency(key: number): Residency {
    const { source } = this;
    const residency = source.residency(key);
    if (residency !== 'flat' || this.#columns[key] !== undefined) return residency;
    // The column was loaded for another view since this one was taken, or a later transaction has added it.
    return this.isStale && source.columns[key]?.hasBase === true ? 'notLoaded' : 'absent';
  }

  /** Whether some part of the table was loaded since this was taken. */
  protected get isStale(): boolean {
    return this.source.files !== null && this.source.files.loads !== this.loads;
  }

  get columnKeys(): readonly number[] {
    const { stored } = this.source;
    if (stored !== null && (stored.unloadedKeys.size > 0 || this.isStale)) throw notLoaded('a column');
    return this.#columnKeys;
  }

  get presentKeys(): readonly number[] {
    const { columnKeys, stored } = this.source;
    return [...new Set([...columnKeys, ...(stored?.unloadedKeys ?? [])])].filter((key) => this.residency(key) !== 'absent');
  }

  /** The property keys of the columns that were in memory when this was taken. */
  get loadedKeys(): readonly number[] {
    return this.#columnKeys;
  }

  get ordinals(): Uint32Array {
    this.assertTaken();
    return this.#ordinals;
  }

  get ended(): Uint8Array | null {
    if (!this.rowsLoaded && !this.source.isReadByPage) throw notLoaded('a table');
    return this.#ended;
  }

  /**
   * Asserts that the arrays may be read: rows written after those of files may be read before the latter are loaded.
   * @throws INTERNAL when all rows are in files and not loaded, or when the statement reads by page, which these arrays cannot serve
   */
  protected assertTaken(): void {
    if (!this.rowsLoaded && (isReadingByPage() || this.rowCount <= this.#rowsInFiles)) throw notLoaded('a table');
  }

  get #rowsInFiles(): number {
    return this.source.stored?.rowCount ?? 0;
  }

  /** Tells whether a row is in memory, also when the rows of files are not. */
  protected hasRow(row: number): boolean {
    return this.rowsLoaded || row >= (this.source.paged?.relationships?.rowCount ?? this.#rowsInFiles);
  }

  /** Columns by property key. */
  get columns(): readonly (ColumnSnapshot | undefined)[] {
    return this.#columns;
  }

  protected takeRows(table: RowTable, counts: RowCounts, sequence: number): void {
    this.rowCount = counts.rowCount;
    this.liveCount = counts.liveCount;
    this.#columns = table.columnSnapshots(counts.rowCount);
    this.#columnKeys = table.columnKeys;
    table.noteShape();
    this.ordinalBase = table.ordinalBase;
    this.#ordinals = table.ordinalBase >= 0 ? EMPTY_U32 : table.ordinals;
    const chains = table.chains;
    if (chains.bitmap !== null) chains.bitmap = bitmapFor(chains.bitmap, counts.rowCount);
    this.#ended = chains.bitmap;
    this.rowsLoaded = table.hasLoaded([]);
    this.sequence = sequence;
    this.version = table.version;
    this.loads = table.files?.loads ?? 0;
  }
}

/** A node table as readers see it. */
export class NodeTableSnapshot extends TableSnapshot implements NodeTableView {
  readonly index: number;
  readonly labels: readonly number[];
  readonly source: NodeTable;

  constructor(source: NodeTable) {
    super();
    this.source = source;
    this.index = source.index;
    this.labels = source.labels;
  }

  take(counts: RowCounts, sequence: number): void {
    this.takeRows(this.source, counts, sequence);
  }

  takeLoaded(): void {
    if (!this.isStale) return;
    this.take(this, this.sequence);
    this.version = -1;
  }

  isRowVisible(row: number): boolean {
    this.source.assertRow(row);
    return this.source.isVisible(row, this.sequence);
  }
}

/** A relationship table as readers see it. */
export class RelationshipTableSnapshot extends TableSnapshot implements RelationshipTableView {
  readonly type: number;
  readonly source: RelationshipTable;
  #sources: Uint32Array = EMPTY_U32;
  #targets: Uint32Array = EMPTY_U32;
  versionsFrom = Number.MAX_SAFE_INTEGER;
  #publishedSequence = 0;
  #outgoingSource: Adjacency;
  #incomingSource: Adjacency;
  #outgoing: AdjacencySnapshot | null = null;
  #incoming: AdjacencySnapshot | null = null;

  constructor(source: RelationshipTable) {
    super();
    this.source = source;
    this.type = source.type;
    this.#outgoingSource = source.outgoing;
    this.#incomingSource = source.incoming;
  }

  take(counts: RowCounts, sequence: number, publishedSequence: number): void {
    const table = this.source;
    this.#publishedSequence = publishedSequence;
    table.settleAdjacency(publishedSequence);
    this.takeRows(table, counts, sequence);
    this.#sources = table.sources;
    this.#targets = table.targets;
    this.versionsFrom = table.versionsFrom;
    this.#outgoingSource = table.outgoing;
    this.#incomingSource = table.incoming;
    this.#outgoing = null;
    this.#incoming = null;
  }

  get sources(): Uint32Array {
    this.assertTaken();
    return this.#sources;
  }

  get targets(): Uint32Array {
    this.assertTaken();
    return this.#targets;
  }

  sourceOf(row: number): number {
    const paged = this.hasRow(row) ? null : this.#paged('an end');
    return paged === null ? this.#sources[row]! : paged.sources.get(row);
  }

  targetOf(row: number): number {
    const paged = this.hasRow(row) ? null : this.#paged('an end');
    return paged === null ? this.#targets[row]! : paged.targets.get(row);
  }

  override get ended(): Uint8Array | null {
    if (!this.rowsLoaded) this.#paged('a table');
    return super.ended;
  }

  /**
   * Returns what is read by page; null when the rows were loaded since this was taken, for another view: then this has
   * taken them. @throws INTERNAL when the relationships are neither in memory nor open to be read by page
   */
  #paged(what: string): PagedRelationships | null {
    const { paged, isReadByPage } = this.source;
    if (isReadByPage) return paged!.relationships!; // That is what was asked.
    if (!this.source.hasLoaded([])) throw notLoaded(`${what} of type ${this.type}`);
    this.takeLoaded();
    return null;
  }

  get outgoing(): AdjacencyView {
    const paged = this.rowsLoaded ? null : this.#paged('the adjacency');
    if (paged !== null) return new PagedAdjacencySnapshot(paged.outgoing, this.#outgoingSource, this.rowCount);
    this.#outgoing ??= new AdjacencySnapshot(this.#outgoingSource, this.rowCount);
    return this.#outgoing;
  }

  get incoming(): AdjacencyView {
    const paged = this.rowsLoaded ? null : this.#paged('the adjacency');
    if (paged !== null) return new PagedAdjacencySnapshot(paged.incoming, this.#incomingSource, this.rowCount);
    this.#incoming ??= new AdjacencySnapshot(this.#incomingSource, this.rowCount);
    return this.#incoming;
  }

  takeLoaded(): void {
    if (!this.isStale) return;
    this.take(this, this.sequence, this.#publishedSequence);
    this.version = -1;
  }

  /** Returns the node tables of all sources or targets, and perhaps more tables; null when these are not known. */
  endpointTables(endpoint: 'source' | 'target', places: NodePlaces): readonly number[] | null {
    const table = this.source;
    if (!this.rowsLoaded) return null;
    const [endpoints, nodes] = endpoint === 'source' ? [table.sourceTables, this.#sources] : [table.targetTables, this.#targets];
    if (endpoints.isNew) this.#beginEndpoints(endpoints, endpoint, places);
    return endpoints.tables(nodes, this.rowCount, places);
  }

  #beginEndpoints(endpoints: EndpointTables, endpoint: RelationshipEnd, { tables, shape }: NodePlaces): void {
    const { files } = this.source;
    const bounds = this.source.endBounds(endpoint);
    if (files === null || bounds === null) return;
    const [only, second] = tables.filter((table) => mayHaveNodesIn(bounds, table));
    if (only !== undefined && second === undefined) endpoints.begin(files.rowCount, only, shape);
  }

  catchUpEndpoints(places: NodePlaces): void {
    this.source.sourceTables.catchUp(this.#sources, this.rowCount, places);
    this.source.targetTables.catchUp(this.#targets, this.rowCount, places);
  }

  adjacencySource(direction: Direction): Adjacency {
    return direction === 'outgoing' ? this.#outgoingSource : this.#incomingSource;
  }

  isVisible(homeRow: number): boolean {
    this.source.assertRow(homeRow);
    return this.source.rowAt(homeRow, this.sequence) >= 0;
  }

  currentRow(homeRow: number): number {
    this.source.assertRow(homeRow);
    return this.source.rowAt(homeRow, this.sequence);
  }

  isHomeRow(row: number): boolean {
    this.source.assertRow(row);
    return this.source.isHomeRow(row);
  }
}
