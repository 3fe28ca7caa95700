/**
 * The rows of one table in the order of writing: ordinals, columns, and which rows ended. The base of node and relationship tables.
 *
 * A row version is never changed once a snapshot may see it (M1). Rows written by the open transaction are at the tail, from `startRows`
 * on, and may be changed in place; a rollback cuts the tail. *First rows*: the rows that are in the files the table was opened with.
 */
import type { Value } from '../../value/index.ts';
import { identityOf } from '../arrays/identity.ts';
import type { RowName } from '../arrays/row-list.ts';
import { EMPTY_U32, grown } from '../arrays/shared-array.ts';
import { Column } from '../columns/column.ts';
import { bytesOfColumn, kindOf } from '../columns/column-kind.ts';
import type { ColumnSnapshot } from '../columns/column-snapshot.ts';
import type { Dictionary } from '../columns/dictionary.ts';
import type { PagedTable } from '../paged/paged-table.ts';
import { notLoaded, type Residency } from '../view/residency.ts';
import type { StoredRows, TableFiles } from './table-files.ts';
import type { Rewindable, UndoLog } from './undo-log.ts';
import { VersionChains } from './version-chains.ts';

/** A counter that grows when something changes that generated code is specialized on. */
export interface Shape {
  version: number;
}

/** Returns the dictionary of a property key. */
export type DictionaryOf = (key: number) => Dictionary;

/** How many written columns are remembered; after more, `columnSnapshots` looks at all columns. */
const MOST_WRITTEN = 64;

/** The parts of the graph that its tables share. */
export interface TableContext {
  readonly shape: Shape;
  readonly dictionaryOf: DictionaryOf;
  readonly sortsRelationships: () => boolean;
  readonly nodeLimit: () => number;
}

/** The number of rows of a table, and of those that are live. */
export interface RowCounts {
  readonly rowCount: number;
  readonly liveCount: number;
}

/** The state of a table before a transaction, to rewind to. */
export interface RowTableMark extends RowCounts {
  readonly ordinalBase: number;
  readonly columnCount: number;
  readonly chainsLength: number;
}

/** The rows of one table. */
export abstract class RowTable implements Rewindable {
  /** Identifies the table among those of its kind: nodes or relationships. */
  abstract readonly index: number;
  rowCount = 0;
  liveCount = 0;
  /** The counts as snapshots see them. */
  published: RowCounts = { rowCount: 0, liveCount: 0 };
  /** Row r has the ordinal r + ordinalBase; -1 when the ordinals are not dense and stand in `ordinals`. */
  ordinalBase = -1;
  /** The ordinal of each row; in use only while `ordinalBase` is -1. */
  ordinals: Uint32Array = EMPTY_U32;
  /** Columns by property key. */
  readonly columns: (Column | undefined)[] = [];
  /** Which rows changed, and when: rows of nodes that ended; home rows of relationships that got a new version or were deleted. */
  readonly chains = new VersionChains();
  /** The files of the first rows; null when no row is in a file, or another thread reads the files. */
  files: TableFiles | null = null;
  /** Which parts of the first rows are in memory; null when no row is in a file. */
  stored: StoredRows | null = null;
  /** Identifies this table in all threads that read it. */
  get identity(): number {
    return identityOf(this);
  }

  /** The part of the files that can be read by page; null when there is none. */
  paged: PagedTable | null = null;
  /** Rows below this are in files, except those in `unflushed`; so are the changes in the entries of `chains` below `flushedChanges`. */
  flushedRows = 0;
  flushedChanges = 0;
  /** Rows below this were collected by a flush, which may be under way or have failed: files may hold them. */
  collectedRows = 0;
  /** Bitmap of the rows below `flushedRows` that are in no file; null when there are none. */
  unflushed: Uint8Array | null = null;
  /** Deletions of entities whose rows are no longer in memory, while files still hold the entities without a tombstone. */
  unflushedDeletions: readonly RowName[] = [];
  touchedBy = -1;
  /** Rows from here on were written by the transaction with the sequence `touchedBy`. */
  startRows = 0;
  /** Grows with every change; a view that saw the current number needs no refresh. */
  version = 0;
  protected readonly context: TableContext;
  readonly #keys: number[] = [];
  /** The last answer of `columnKeys`: a copy, made once for any number of columns that are added together. */
  #keysSeen: readonly number[] = [];
  #columnSnapshots: readonly (ColumnSnapshot | undefined)[] = [];
  /** State at the last `columnSnapshots`: the number of columns, of rows, and of loads of files. */
  #snapshotCount = 0;
  #snapshotRows = -1;
  #snapshotLoads = 0;
  /**
   * Keys of the columns added or written to since the last `columnSnapshots`; null when any column may have changed. A
   * change by other means than `write` and `clear` must set null, unless it changes the number of rows or of loads.
   */
  #writtenKeys: number[] | null = null;
  /** How many columns `columnSnapshots` has looked at so far, over all calls. */
  columnsLookedAt = 0;
  #chainsSeen = false;
  #baseSeen = -1;

  constructor(context: TableContext) {
    this.context = context;
  }

  /** The keys of the columns, in the order of adding. A returned list never changes. */
  get columnKeys(): readonly number[] {
    if (this.#keysSeen.length !== this.#keys.length) this.#keysSeen = this.#keys.slice();
    return this.#keysSeen;
  }

  /** Replaces all columns by these, in this order. */
  setColumns(columns: Iterable<readonly [key: number, Column]>): void {
    this.#writtenKeys = null;
    this.columns.length = 0;
    this.#setKeys([]);
    for (const [key, column] of columns) this.addColumn(key, column);
  }

  #setKeys(keys: readonly number[]): void {
    this.#keys.length = 0;
    for (const key of keys) this.#keys.push(key);
    this.#keysSeen = keys;
  }

  /** To be called before the first write of a transaction to this table. */
  touch(sequence: number, undo: UndoLog): void {
    this.version++;
    if (this.touchedBy === sequence) return;
    this.touchedBy = sequence;
    this.startRows = this.rowCount;
    undo.touch(this, this.mark());
  }

  protected mark(): RowTableMark {
    return {
      rowCount: this.rowCount,
      liveCount: this.liveCount,
      ordinalBase: this.ordinalBase,
      columnCount: this.#keys.length,
      chainsLength: this.chains.length,
    };
  }

  rewind(mark: RowTableMark): void {
    this.version++;
    this.#writtenKeys = null;
    this.rowCount = mark.rowCount;
    this.liveCount = mark.liveCount;
    this.ordinalBase = mark.ordinalBase;
    this.chains.truncate(mark.chainsLength);
    this.#dropColumns(this.columnKeys.slice(mark.columnCount));
    for (const key of this.columnKeys) this.columns[key]?.truncate(mark.rowCount);
  }

  /** Removes columns, except those whose first rows have been loaded from files. */
  #dropColumns(keys: readonly number[]): void {
    const dropped = new Set(keys.filter((key) => this.columns[key]?.hasBase !== true));
    if (dropped.size === 0) return;
    for (const key of dropped) delete this.columns[key];
    this.#setKeys(this.#keys.filter((key) => !dropped.has(key)));
  }

  /** Tells whether files hold the whole table as of `sequence`, which must be the published one. */
  isFlushed(sequence: number): boolean {
    const { flushedRows, flushedChanges, unflushed, unflushedDeletions } = this;
    if (unflushed !== null || unflushedDeletions.length > 0) return false;
    return flushedRows === this.published.rowCount && flushedChanges === this.chains.countUpTo(sequence);
  }

  setFlushed(rows: number, changes: number): void {
    this.flushedRows = rows;
    this.flushedChanges = changes;
    this.unflushed = null;
    this.unflushedDeletions = [];
  }

  /** Tells whether all properties of a row are in memory. */
  hasWholeRow(row: number): boolean {
    return this.files === null || this.files.isLoaded || row >= this.files.rowCount;
  }

  /** Tells whether the rows and the columns of these keys are in memory. */
  hasLoaded(keys: readonly number[]): boolean {
    const { stored } = this;
    return stored === null || (stored.rowsLoaded && !keys.some((key) => stored.unloadedKeys.has(key)));
  }

  counts(): RowCounts {
    return { rowCount: this.rowCount, liveCount: this.liveCount };
  }

  publish(counts: RowCounts): void {
    this.published = counts;
    this.version++;
  }

  /** Sets up an empty table whose rows are all in files, with nothing read from them. */
  startWith(files: TableFiles, liveRows: number): void {
    this.files = files;
    this.stored = files;
    this.rowCount = files.rowCount;
    this.liveCount = liveRows;
    this.published = this.counts();
    this.ordinalBase = files.denseBase;
    this.flushedRows = files.rowCount;
  }

  /** Tells whether the rows are nodes with one of the labels, or relationships of one of the types; given as symbol ids. */
  abstract isOf(labelsOrTypes: readonly number[]): boolean;

  /** Returns the number by which indexes identify the node or relationship of a row; all its versions have the same. */
  abstract entityOf(row: number): number;

  /** Tells whether other rows may stand for the same node or relationship, or the row may have ended; false is certain. */
  mayHaveVersions(row: number): boolean {
    return this.chains.has(row);
  }

  ordinalOf(row: number): number {
    return this.ordinalBase >= 0 ? row + this.ordinalBase : (this.ordinals[row] as number);
  }

  /** Appends a row without properties. @returns the row */
  appendRow(ordinal: number): number {
    const row = this.rowCount++;
    if (row === 0) this.ordinalBase = ordinal;
    else if (this.ordinalBase >= 0 && this.ordinalBase + row !== ordinal) this.#writeOrdinals(row);
    if (this.ordinalBase < 0) {
      if (row >= this.ordinals.length) this.ordinals = grown(this.ordinals, row + 1);
      this.ordinals[row] = ordinal;
    }
    return row;
  }

  #writeOrdinals(rows: number): void {
    const base = this.ordinalBase;
    const ordinals = grown(EMPTY_U32, rows + 1);
    for (let row = 0; row < rows; row++) ordinals[row] = base + row;
    this.ordinals = ordinals;
    this.ordinalBase = -1;
  }

  /** Stores the ordinal of each row in `ordinals`, also while the ordinals are still dense. */
  forgetOrdinalBase(): void {
    if (this.ordinalBase >= 0) this.#writeOrdinals(this.rowCount);
  }

  /**
   * Returns the value of a row; null when it has none, or when its page is missing, which is then noted.
   * @throws INTERNAL when the value is in a file, is not loaded, and cannot be read by page
   */
  get(row: number, key: number): Value {
    const { stored } = this;
    if (stored !== null && stored.unloadedKeys.size > 0 && row < stored.rowCount && stored.unloadedKeys.has(key))
      return this.#getPaged(row, key);
    return this.columns[key]?.get(row) ?? null;
  }

  #getPaged(row: number, key: number): Value {
    const column = this.paged?.column(key);
    if (column === undefined) throw notLoaded(`property key ${key}`);
    return column.get(row);
  }

  /**
   * Returns the keys that a row may have a value of, for which `get` can be asked.
   * @throws INTERNAL when a column of the row is in files, is not loaded, and cannot be read by page
   */
  keysOf(row: number): readonly number[] {
    const { stored } = this;
    if (stored === null || stored.unloadedKeys.size === 0 || row >= stored.rowCount) return this.columnKeys;
    for (const key of stored.unloadedKeys) if (this.paged?.column(key) === undefined) throw notLoaded('a property');
    return [...this.columnKeys.filter((key) => !stored.unloadedKeys.has(key)), ...stored.unloadedKeys];
  }

  /** @throws INTERNAL when the row is in a file, is not loaded, and cannot be read by page */
  assertRow(row: number): void {
    const { stored } = this;
    if (stored !== null && !stored.rowsLoaded && row < stored.rowCount && !this.isReadByPage) throw notLoaded('a row');
  }

  /** @throws INTERNAL when some rows are in files and not loaded */
  assertRows(): void {
    if (this.stored?.rowsLoaded === false) throw notLoaded('a table');
  }

  /** Whether the rows of the files can be read by page; the rows after them are in memory. */
  get isReadByPage(): boolean {
    return this.paged?.hasRows === true;
  }

  residency(key: number): Residency {
    if (this.isUnloaded(key)) return 'notLoaded';
    return this.columns[key] === undefined ? 'absent' : 'flat';
  }

  /** Tells whether files hold values of this key that are not in memory. */
  private isUnloaded(key: number): boolean {
    return this.stored?.unloadedKeys.has(key) === true;
  }

  /** Tells whether the value of a row may be written in place: no snapshot sees the row, and its column can replace the value. */
  canWrite(row: number, key: number): boolean {
    return row >= this.startRows && this.columns[key]?.canReplace(row) !== false;
  }

  /** Notes that the column of a key is about to change. */
  #noteWritten(key: number): void {
    const written = this.#writtenKeys;
    if (written === null || written.at(-1) === key) return;
    if (written.length < MOST_WRITTEN) written.push(key);
    else this.#writtenKeys = null;
  }

  /** Writes a value, which must not be null, to the last row or to one for which `canWrite` holds. */
  write(row: number, key: number, value: Value, undo: UndoLog): void {
    this.#noteWritten(key);
    let column = this.columns[key];
    if (column === undefined) {
      const kind = kindOf(value);
      undo.chargeColumn(bytesOfColumn(kind, row + 1));
      column = this.addColumn(key, new Column(kind, this.context.dictionaryOf(key)));
    }
    if (!column.fits(value)) {
      undo.saveForm(column);
      column.widenFor(value);
    }
    const { dictionary } = column;
    const size = dictionary?.size ?? 0;
    column.set(row, value);
    if (dictionary !== null && dictionary.size > size) undo.grew(dictionary, size);
    if (column.dictionaryIsTooLarge()) {
      undo.saveForm(column);
      column.convert('string');
    }
  }

  addColumn(key: number, column: Column): Column {
    this.#noteWritten(key);
    this.columns[key] = column;
    this.#keys.push(key);
    return column;
  }

  clear(row: number, key: number): void {
    this.#noteWritten(key);
    this.columns[key]?.clear(row);
  }

  /** Copies all values of row `from` to row `to`, the last one. */
  protected copyColumns(from: number, to: number): void {
    this.#writtenKeys = null;
    for (const key of this.columnKeys) {
      const column = this.columns[key] as Column;
      if (column.has(from)) column.copyRow(column, from, to);
    }
  }

  /**
   * Returns the columns by key for readers of `rowCount` rows: the same array while no column was replaced. When
   * `rowCount` is that of the last call, it looks only at the columns written since then.
   */
  columnSnapshots(rowCount: number): readonly (ColumnSnapshot | undefined)[] {
    const known = this.#columnSnapshots;
    const loads = this.files?.loads ?? 0;
    const written = rowCount === this.#snapshotRows && loads === this.#snapshotLoads ? this.#writtenKeys : null;
    const keys = written ?? this.columnKeys;
    this.columnsLookedAt += keys.length;
    let fresh: (ColumnSnapshot | undefined)[] | null = null;
    let seen = 0;
    for (const key of keys) {
      const snapshot = (this.columns[key] as Column).snapshot(rowCount);
      const before = known[key];
      if (before !== undefined) seen++;
      if (snapshot === before) continue;
      fresh ??= known.slice();
      fresh[key] = snapshot;
      if (before === undefined || before.kind !== snapshot.kind || (before.valid === null) !== (snapshot.valid === null)) {
        this.context.shape.version++;
      }
    }
    // Only now: where a column cannot be made longer, all of this is looked at again.
    this.#writtenKeys = [];
    this.#snapshotRows = rowCount;
    this.#snapshotLoads = loads;
    if (written !== null) return fresh === null ? known : this.#keepSnapshots(fresh);
    if (fresh === null && seen === this.#snapshotCount) return known;
    return this.#keepSnapshots(this.#withoutDropped(fresh ?? known.slice()));
  }

  #withoutDropped(snapshots: (ColumnSnapshot | undefined)[]): (ColumnSnapshot | undefined)[] {
    for (const key of Object.keys(snapshots)) {
      if (this.columns[Number(key)] === undefined) delete snapshots[Number(key)];
    }
    return snapshots;
  }

  #keepSnapshots(snapshots: (ColumnSnapshot | undefined)[]): readonly (ColumnSnapshot | undefined)[] {
    if (this.#keys.length !== this.#snapshotCount) this.context.shape.version++;
    this.#snapshotCount = this.#keys.length;
    this.#columnSnapshots = snapshots;
    return snapshots;
  }

  /** Raises the shape version when the table has got or lost its first change, or its ordinals became dense or stopped being dense. */
  noteShape(): void {
    const chainsSeen = this.chains.bitmap !== null;
    if (chainsSeen === this.#chainsSeen && this.ordinalBase === this.#baseSeen) return;
    this.#chainsSeen = chainsSeen;
    this.#baseSeen = this.ordinalBase;
    this.context.shape.version++;
  }
}
