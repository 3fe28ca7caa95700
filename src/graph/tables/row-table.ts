/**
 * Rows of one table in order of their writing: ordinals, columns, what ended. The common part of node and relationship tables.
 *
 * A row version is never changed once a snapshot may see it (M1). Rows written by the open transaction stand at the tail, from `startRows`
 * on, and may be changed in place; a rollback cuts the tail.
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

/** Counts the changes that generated code is specialised on. */
export interface Shape {
  version: number;
}

/** The dictionary of a property key. */
export type DictionaryOf = (key: number) => Dictionary;

/** So many columns that were written to are remembered; of more all are looked at. */
const MOST_WRITTEN = 64;

/** The context that tables share. */
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

/** The state of a table before a transaction. */
export interface RowTableMark extends RowCounts {
  readonly ordinalBase: number;
  readonly columnCount: number;
  readonly chainsLength: number;
}

/** The rows of one table. */
export abstract class RowTable implements Rewindable {
  /** No other table of its kind has it. */
  abstract readonly index: number;
  rowCount = 0;
  liveCount = 0;
  /** The rows that snapshots see. */
  published: RowCounts = { rowCount: 0, liveCount: 0 };
  /** ≥ 0: row r has the ordinal r + ordinalBase. */
  ordinalBase = -1;
  /** The ordinal of each row, where `ordinalBase` is -1. */
  ordinals: Uint32Array = EMPTY_U32;
  /** Columns by property key. */
  readonly columns: (Column | undefined)[] = [];
  /** Node tables: rows that ended, and when. Relationship tables: home rows that got a newer version or were deleted. */
  readonly chains = new VersionChains();
  /** The first rows lie in files; null: none does, or another thread keeps them. */
  files: TableFiles | null = null;
  /** Which part of the first rows is in memory; null: no row lies in a file. */
  stored: StoredRows | null = null;
  /** A number that is the same in all threads that show this table; no other table has it. */
  get identity(): number {
    return identityOf(this);
  }

  /** The part of the files that can be read by page; null: nothing. */
  paged: PagedTable | null = null;
  /** Rows below this are in files but for those in `unflushed`, and so is what the entries of `chains` below `flushedChanges` say. */
  flushedRows = 0;
  flushedChanges = 0;
  /** Rows below this were collected by a flush, which may be under way or have failed: files may hold them. */
  collectedRows = 0;
  /** Bitmap; null: none. */
  unflushed: Uint8Array | null = null;
  /** Deletions that no file says, of rows that are no longer in memory. */
  unflushedDeletions: readonly RowName[] = [];
  touchedBy = -1;
  /** Rows from here on were written by the open transaction (where `touchedBy` is its sequence). */
  startRows = 0;
  /** Grows with every change: views that saw the same number need no refresh. */
  version = 0;
  protected readonly context: TableContext;
  readonly #keys: number[] = [];
  /** The last answer of `columnKeys`: a copy, so that it costs something only once for any number of columns that are added together. */
  #keysSeen: readonly number[] = [];
  #columnSnapshots: readonly (ColumnSnapshot | undefined)[] = [];
  /** How many of them there are, of how many rows, and after how many loads of files. */
  #snapshotCount = 0;
  #snapshotRows = -1;
  #snapshotLoads = 0;
  /**
   * Keys of the columns that were added or written to since; null: any column may have changed. What changes a column
   * in another way than `write` and `clear` says null, or is told by the number of rows or of loads.
   */
  #writtenKeys: number[] | null = null;
  /** Columns that `columnSnapshots` has looked at so far. */
  columnsLookedAt = 0;
  #chainsSeen = false;
  #baseSeen = -1;

  constructor(context: TableContext) {
    this.context = context;
  }

  /** Keys of the columns, in the order in which these were added. The list is never changed in place. */
  get columnKeys(): readonly number[] {
    if (this.#keysSeen.length !== this.#keys.length) this.#keysSeen = this.#keys.slice();
    return this.#keysSeen;
  }

  /** Replaces all columns, which then come in this order. */
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

  /** Columns whose first rows were loaded from files in the meantime stay. */
  #dropColumns(keys: readonly number[]): void {
    const dropped = new Set(keys.filter((key) => this.columns[key]?.hasBase !== true));
    if (dropped.size === 0) return;
    for (const key of dropped) delete this.columns[key];
    this.#setKeys(this.#keys.filter((key) => !dropped.has(key)));
  }

  /** Do files hold all of it as of `sequence`, the published one? */
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

  /** Is everything of a row in memory? */
  hasWholeRow(row: number): boolean {
    return this.files === null || this.files.isLoaded || row >= this.files.rowCount;
  }

  /** Are its rows and these columns in memory? */
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

  /** The table lies in files and nothing of it is in memory: what is known of it without reading. */
  startWith(files: TableFiles, liveRows: number): void {
    this.files = files;
    this.stored = files;
    this.rowCount = files.rowCount;
    this.liveCount = liveRows;
    this.published = this.counts();
    this.ordinalBase = files.denseBase;
    this.flushedRows = files.rowCount;
  }

  /** Are its rows nodes with one of the labels, or relationships of one of the types? Symbol ids. */
  abstract isOf(labelsOrTypes: readonly number[]): boolean;

  /** Returns the number by which indexes know the node or relationship of a row, in all its versions. */
  abstract entityOf(row: number): number;

  /** False: the row stands for its node or relationship as long as there is one, and for every reader that sees it. */
  mayHaveVersions(row: number): boolean {
    return this.chains.has(row);
  }

  ordinalOf(row: number): number {
    return this.ordinalBase >= 0 ? row + this.ordinalBase : (this.ordinals[row] as number);
  }

  /** Adds an empty row at the end. */
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

  /** Row numbers no longer follow from ordinals, though the ordinals of the rows there are still in step. */
  forgetOrdinalBase(): void {
    if (this.ordinalBase >= 0) this.#writeOrdinals(this.rowCount);
  }

  /**
   * The value of a row; null: it has none, or lies in a page that was noted. INTERNAL: it lies in a file, was not
   * loaded, and cannot be read by page.
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
   * The keys of which `get` answers for a row. INTERNAL: a property of the row lies in a file, was not loaded, and
   * cannot be read by page.
   */
  keysOf(row: number): readonly number[] {
    const { stored } = this;
    if (stored === null || stored.unloadedKeys.size === 0 || row >= stored.rowCount) return this.columnKeys;
    for (const key of stored.unloadedKeys) if (this.paged?.column(key) === undefined) throw notLoaded('a property');
    return [...this.columnKeys.filter((key) => !stored.unloadedKeys.has(key)), ...stored.unloadedKeys];
  }

  /** INTERNAL: the row lies in a file and was not loaded. */
  assertRow(row: number): void {
    const { stored } = this;
    if (stored !== null && !stored.rowsLoaded && row < stored.rowCount && !this.isReadByPage) throw notLoaded('a row');
  }

  /** INTERNAL: some row lies in a file and was not loaded. */
  assertRows(): void {
    if (this.stored?.rowsLoaded === false) throw notLoaded('a table');
  }

  /** The rows of its files can be read by page; those behind them are in memory. */
  get isReadByPage(): boolean {
    return this.paged?.hasRows === true;
  }

  residency(key: number): Residency {
    if (this.isUnloaded(key)) return 'notLoaded';
    return this.columns[key] === undefined ? 'absent' : 'flat';
  }

  /** Do files hold values of this key that are not in memory? */
  private isUnloaded(key: number): boolean {
    return this.stored?.unloadedKeys.has(key) === true;
  }

  /** Can the value replace what stands in a row that no snapshot sees? */
  canWrite(row: number, key: number): boolean {
    return row >= this.startRows && this.columns[key]?.canReplace(row) !== false;
  }

  /** The column of a key is about to change. */
  #noteWritten(key: number): void {
    const written = this.#writtenKeys;
    if (written === null || written.at(-1) === key) return;
    if (written.length < MOST_WRITTEN) written.push(key);
    else this.#writtenKeys = null;
  }

  /** Writes a value that is not null to a row at the end, or one for which `canWrite` holds. */
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

  /** Writes at row `to`, the end, what stands at `from`. */
  protected copyColumns(from: number, to: number): void {
    this.#writtenKeys = null;
    for (const key of this.columnKeys) {
      const column = this.columns[key] as Column;
      if (column.has(from)) column.copyRow(column, from, to);
    }
  }

  /**
   * The columns for readers of `rowCount` rows, by key; the same array while nothing was replaced. For as many rows as
   * the last time only the columns are looked at that were written to since.
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

  /** Counts the changes of form that views tell generated code about. */
  noteShape(): void {
    const chainsSeen = this.chains.bitmap !== null;
    if (chainsSeen === this.#chainsSeen && this.ordinalBase === this.#baseSeen) return;
    this.#chainsSeen = chainsSeen;
    this.#baseSeen = this.ordinalBase;
    this.context.shape.version++;
  }
}
