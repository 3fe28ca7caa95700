/**
 * The relationships of one type. A relationship is named by its home row, the row it was created at; later versions are rows of the same
 * table that only the version chain of the home row leads to. `chains` tells which row holds the properties from which sequence on, or -1
 * when the relationship is deleted from there on.
 */
import { assert } from '../../base/index.ts';
import { bitmapFor, clearBits, hasBit, setBit } from '../arrays/bitmap.ts';
import { EMPTY_U32, grown } from '../arrays/shared-array.ts';
import { U32Map } from '../arrays/u32-map.ts';
import { EndpointTables } from '../tables/endpoint-tables.ts';
import type { NodeTable } from '../tables/node-table.ts';
import { RowTable, type RowTableMark, type TableContext } from '../tables/row-table.ts';
import { SOURCE_COLUMN, TARGET_COLUMN, type TableFiles } from '../tables/table-files.ts';
import { Adjacency } from './adjacency.ts';

const DELETED = -1;

/** One of the two ends of a relationship. */
export type RelationshipEnd = 'source' | 'target';

/** The ordinals of each row: of the relationship, its source node and its target node. */
interface EndsOfRows {
  readonly ordinals: Uint32Array;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
}

/** A range of ordinals, both ends inclusive; empty when `low` is above `high`. */
export interface OrdinalBounds {
  readonly low: number;
  readonly high: number;
}

/**
 * Tells whether the table may have nodes in a range of ordinals, by the bounds of its files. When it has rows that are in
 * no file the answer is true: such a node may have moved here from any table.
 */
export function mayHaveNodesIn({ low, high }: OrdinalBounds, { files, rowCount }: NodeTable): boolean {
  if (files === null || rowCount > files.rowCount) return rowCount > 0;
  return files.parts.some(({ file }) => low <= file.maxOrdinal && high >= file.minOrdinal);
}

/** Tells whether the table may have some of the nodes with these ordinals, which ascend; see `mayHaveNodesIn`. O(files × log ordinals). */
export function mayHaveNodesOf(ordinals: Uint32Array, { files, rowCount }: NodeTable): boolean {
  if (files === null || rowCount > files.rowCount) return rowCount > 0;
  return files.parts.some(({ file }) => {
    let low = 0;
    let high = ordinals.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ordinals[middle]! < file.minOrdinal) low = middle + 1;
      else high = middle;
    }
    return low < ordinals.length && ordinals[low]! <= file.maxOrdinal;
  });
}

/** The relationships of one type. */
export class RelationshipTable extends RowTable {
  /** The symbol id of the type. */
  readonly type: number;
  sources: Uint32Array = EMPTY_U32;
  targets: Uint32Array = EMPTY_U32;
  /** How many of the first rows are sorted by (source, target). */
  sortedRows = 0;
  /** Rows below this are all home rows; rows from here on may be later versions. */
  versionsFrom = Number.MAX_SAFE_INTEGER;
  outgoing: Adjacency;
  incoming: Adjacency;
  readonly sourceTables = new EndpointTables();
  readonly targetTables = new EndpointTables();
  #versionRows: Uint8Array | null = null;
  /** The bounds of the node ordinals at the ends of the appended rows. */
  #lowestSource = Number.POSITIVE_INFINITY;
  #highestSource = -1;
  #lowestTarget = Number.POSITIVE_INFINITY;
  #highestTarget = -1;
  readonly #rowsByOrdinal = new U32Map();
  /** Rows below this are in `#rowsByOrdinal`. */
  #ordinalsRead = 0;

  constructor(type: number, context: TableContext) {
    super(context);
    this.type = type;
    this.outgoing = new Adjacency('outgoing', this);
    this.incoming = new Adjacency('incoming', this);
  }

  /** Until the rows of the files are in memory, the adjacencies hold only the rows appended after them, in their logs. */
  override startWith(files: TableFiles, liveRows: number): void {
    super.startWith(files, liveRows);
    this.outgoing = new Adjacency('outgoing', this, files.rowCount);
    this.incoming = new Adjacency('incoming', this, files.rowCount);
  }

  /** The symbol id of the type, which is also the position of the table. */
  override get index(): number {
    return this.type;
  }

  override isOf(types: readonly number[]): boolean {
    return types.includes(this.type);
  }

  /** The home row of the relationship that a row is a version of. */
  override entityOf(row: number): number {
    return this.homeRowOf(row);
  }

  override mayHaveVersions(row: number): boolean {
    return this.chains.has(row) || !this.isHomeRow(row);
  }

  /** The ordinals of all nodes at the ends are below this. */
  get nodeLimit(): number {
    return this.context.nodeLimit();
  }

  override rewind(mark: RowTableMark): void {
    const rows = this.rowCount;
    this.outgoing.truncate(mark.rowCount);
    this.incoming.truncate(mark.rowCount);
    super.rewind(mark);
    this.#ordinalsRead = Math.min(this.#ordinalsRead, mark.rowCount);
    this.sourceTables.truncate(mark.rowCount);
    this.targetTables.truncate(mark.rowCount);
    if (this.#versionRows !== null) clearBits(this.#versionRows, mark.rowCount, Math.min(rows, this.#versionRows.length * 8));
    if (this.versionsFrom >= mark.rowCount) this.versionsFrom = Number.MAX_SAFE_INTEGER;
  }

  /** Adds a relationship. @returns its home row */
  append(ordinal: number, source: number, target: number): number {
    const row = this.appendRow(ordinal);
    if (row >= this.sources.length) {
      this.sources = grown(this.sources, row + 1);
      this.targets = grown(this.targets, row + 1);
    }
    this.sources[row] = source;
    this.targets[row] = target;
    this.#lowestSource = Math.min(this.#lowestSource, source);
    this.#highestSource = Math.max(this.#highestSource, source);
    this.#lowestTarget = Math.min(this.#lowestTarget, target);
    this.#highestTarget = Math.max(this.#highestTarget, target);
    return row;
  }

  /** Returns bounds, perhaps too wide, of the nodes at one end of all relationships, loaded or not; null when they are not known. */
  endBounds(end: RelationshipEnd): OrdinalBounds | null {
    if (this.files === null) return null;
    const isSource = end === 'source';
    const name = isSource ? SOURCE_COLUMN : TARGET_COLUMN;
    let low = isSource ? this.#lowestSource : this.#lowestTarget;
    let high = isSource ? this.#highestSource : this.#highestTarget;
    for (const { file } of this.files.parts) {
      const { min, max } = file.columns.find((column) => column.name === name) ?? {};
      if (typeof min !== 'number' || typeof max !== 'number') return null;
      low = Math.min(low, min);
      high = Math.max(high, max);
    }
    return { low, high };
  }

  /** Appends a later version of a relationship, as a copy of row `from`. @returns the new row */
  appendVersion(from: number): number {
    assert(this.hasWholeRow(from), 'a relationship is changed in a table that is not loaded');
    const to = this.append(this.ordinalOf(from), this.sources[from] as number, this.targets[from] as number);
    this.copyColumns(from, to);
    this.#versionRows = bitmapFor(this.#versionRows, to + 1);
    setBit(this.#versionRows, to);
    this.versionsFrom = Math.min(this.versionsFrom, to);
    return to;
  }

  /** Bitmap of the rows that are later versions; null while there are none. */
  get versionRows(): Uint8Array | null {
    return this.#versionRows;
  }

  protected followVersionRows(bitmap: Uint8Array | null): void {
    this.#versionRows = bitmap;
  }

  isHomeRow(row: number): boolean {
    const versions = this.#versionRows;
    return versions === null || row >>> 3 >= versions.length || !hasBit(versions, row);
  }

  /** The home row of the relationship that a row stands for, in one of its versions. */
  homeRowOf(row: number): number {
    return this.isHomeRow(row) ? row : this.findRow(this.ordinalOf(row), row);
  }

  /** Returns the row that holds the properties at `sequence`; -1 when the relationship is deleted then. */
  rowAt(homeRow: number, sequence: number): number {
    if (!this.chains.has(homeRow)) return homeRow;
    const entry = this.chains.find(homeRow, sequence);
    if (entry === -1) return this.#isHolding(homeRow) ? homeRow : DELETED;
    return entry < 0 ? DELETED : (this.chains.rows[entry] as number);
  }

  /** Tells whether a row is in force: false when a later file, read by page, replaces or deletes it. */
  #isHolding(row: number): boolean {
    const { stored, paged } = this;
    if (stored === null || stored.rowsLoaded || row >= stored.rowCount) return true;
    const { laterFiles, ordinals } = paged?.relationships ?? {};
    return laterFiles == null || laterFiles.isHolding(row, (each) => ordinals!.at(each));
  }

  moveTo(homeRow: number, row: number, sequence: number): void {
    this.chains.put(homeRow, sequence, 0, row);
  }

  delete(homeRow: number, sequence: number): void {
    this.chains.put(homeRow, sequence, 0, DELETED);
  }

  /** Returns the home row of a relationship among the rows below `rowCount`; -1 for none. Builds a hash table on first use. */
  findRow(ordinal: number, rowCount: number): number {
    let row = ordinal - this.ordinalBase;
    if (this.ordinalBase < 0) {
      this.#catchUpRows(rowCount);
      row = this.#rowsByOrdinal.get(ordinal);
    }
    return row >= 0 && row < rowCount && this.ordinalOf(row) === ordinal ? row : -1;
  }

  #catchUpRows(rowCount: number): void {
    for (let row = this.#ordinalsRead; row < rowCount; row++) {
      if (this.isHomeRow(row)) this.#rowsByOrdinal.set(this.ordinalOf(row), row);
    }
    this.#ordinalsRead = Math.max(this.#ordinalsRead, rowCount);
  }

  /** Decides which rows the CSR of each direction covers; O(1) unless a log has grown too long. */
  settleAdjacency(publishedSequence: number): void {
    if (this.stored?.rowsLoaded === false) return;
    this.outgoing = this.#settled(this.outgoing, publishedSequence);
    this.incoming = this.#settled(this.incoming, publishedSequence);
  }

  /** Takes the rows of later files into memory, from `firstRow` on; the rows below are read by page. */
  takeLaterRows(firstRow: number, { ordinals, sources, targets }: EndsOfRows): void {
    this.sources = grown(this.sources, firstRow + sources.length);
    this.targets = grown(this.targets, firstRow + targets.length);
    this.sources.set(sources, firstRow);
    this.targets.set(targets, firstRow);
    if (this.ordinalBase < 0) {
      this.ordinals = grown(this.ordinals, firstRow + ordinals.length);
      this.ordinals.set(ordinals, firstRow);
    }
    this.outgoing = new Adjacency('outgoing', this, firstRow);
    this.incoming = new Adjacency('incoming', this, firstRow);
  }

  /** Starts both adjacencies anew, once the rows of the files are in memory. */
  resetAdjacency(): void {
    this.outgoing = new Adjacency('outgoing', this);
    this.incoming = new Adjacency('incoming', this);
  }

  #settled(adjacency: Adjacency, publishedSequence: number): Adjacency {
    const isSorted = this.context.sortsRelationships();
    const settled = isSorted ? adjacency.settle(this.published.rowCount, publishedSequence) : adjacency;
    const hasLog = this.rowCount > settled.logBase;
    if (settled !== adjacency || hasLog !== settled.hasLog) {
      if (hasLog) settled.hasLog = true;
      if (settled !== adjacency || hasLog) this.context.shape.version++;
    }
    return settled;
  }
}
