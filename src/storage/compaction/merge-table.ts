/**
 * Merges files of one table into one sorted run: of several versions of a row the one in the latest file stays.
 *
 * A k-way merge over cursors, in runs of rows: many consecutive rows of one file are copied at once. Memory: two blocks
 * per run, one batch, the writer's buffers, and garbage of these that is not collected yet; it does not grow with the
 * table, except for dictionaries. Yields to other work between batches.
 */
import { assert, GraphDBError, nextTurn } from '../../base/index.ts';
import type { SstColumn, SstFile, SstReader, SstTable, SstWriter, TableName, UploadedSst } from '../api.ts';
import { pauseIfDue } from '../files/background-thread.ts';
import type { FileAccess } from '../files/file-access.ts';
import { openSstReader } from '../sst/sst-reader.ts';
import { BatchingSstWriter } from '../sst/sst-writer.ts';
import { uploadTable } from '../sst/upload-table.ts';
import { copyItems, gatherColumn, type MergedColumn, planColumns } from './merged-columns.ts';
import { RunCursor, type RunFile } from './run-cursor.ts';
import { RunList } from './run-list.ts';
import { sortedRuns } from './sorted-runs.ts';

/** A merge of files of one table into files of one level. */
export interface MergeJob {
  readonly table: TableName;
  /** The files to merge, oldest first, consecutive in the manifest. */
  readonly files: readonly SstFile[];
  /** Whether to drop tombstones: only when the table has no files older than these. */
  readonly dropTombstones: boolean;
  readonly level: number;
}

/** A merge whose rows are handed out instead of written. */
export interface RowsJob extends MergeJob {
  /** The columns to read besides the system columns; all when left out. */
  readonly columns?: ReadonlySet<string>;
}

/**
 * Takes a batch of merged rows. `positions()` returns for each row its position among all rows of the files, one file
 * after the other, tombstones and replaced rows counted; it must be called before the returned promise is settled.
 */
export type TakeRows = (batch: SstTable, positions: () => Uint32Array) => Promise<void>;

/** The outcome of merging files. */
export interface MergeOutcome {
  readonly uploaded: readonly UploadedSst[];
  readonly rows: number;
}

const BATCH_ROWS = 65_536;
const BATCH_TEXT_BYTES = 16 * 2 ** 20;
/** How many runs are taken between two checks of the clock. */
const RUNS_PER_LOOK = 256;

/** Merges files, and uploads the result as files that no manifest names yet. @throws CANCELLED by `signal` */
export async function mergeTable(job: MergeJob, access: FileAccess, signal: AbortSignal): Promise<MergeOutcome> {
  const writer = new BatchingSstWriter(access, job.table, (table) => uploadTable(table, access));
  try {
    const rows = await mergeInto(writer, job, access, signal);
    return { uploaded: await writer.finish(), rows };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

function mergeInto(writer: SstWriter, job: MergeJob, access: FileAccess, signal: AbortSignal): Promise<number> {
  const readers = job.files.map((file) => openSstReader(access, file));
  return mergeRows(readers, job, (batch) => writer.add(batch), signal);
}

/** Merges files, hands out the merged rows batch by batch, and returns how many there were. @throws CANCELLED by `signal` */
export async function mergeRows(readers: readonly SstReader[], job: RowsJob, take: TakeRows, signal: AbortSignal): Promise<number> {
  const { files, columns: names } = job;
  const columns = await planColumns(files, async (index, name) => readDictionary(readers[index]!, name), names);
  const runs = await sortedRuns(runFilesOf(readers));
  const cursors = await Promise.all(runs.map((run) => RunCursor.open(run, names)));
  const batch = new MergeBatch(job, files, columns);
  let rows = 0;
  let runsTaken = 0;
  for (let left = cursors; left.length > 0; ) {
    takeRun(left, batch, job.dropTombstones);
    if (++runsTaken % RUNS_PER_LOOK === 0) pauseIfDue();
    if (needsBlock(left)) left = await advance(left);
    if (!batch.isFull) continue;
    rows += await batch.flush(take);
    throwIfStopped(signal);
    await nextTurn();
  }
  return rows + (await batch.flush(take));
}

/** Returns the files of the readers, each with its index and the number of rows before it. */
export function runFilesOf(readers: readonly SstReader[]): RunFile[] {
  let firstRow = 0;
  return readers.map((reader, input) => {
    const file = { reader, input, firstRow };
    firstRow += reader.file.rows;
    return file;
  });
}

/** Throws when a merge was stopped. @throws CANCELLED */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new GraphDBError('CANCELLED', 'it was stopped; nothing of it was kept', { cause: signal.reason });
}

async function readDictionary(reader: SstReader, name: string): Promise<NonNullable<SstColumn['dictionary']>> {
  const dictionary = await reader.readDictionary(name);
  assert(dictionary !== null, `file ${reader.file.key} has a dictionary for ${name}`);
  return dictionary;
}

/** Moves the next rows from the cursors to the batch; cursors may stand at the end of their blocks afterwards. */
function takeRun(cursors: readonly RunCursor[], batch: MergeBatch, dropTombstones: boolean): void {
  const first = firstCursor(cursors);
  const count = runLength(first, cursors);
  addRows(first, { count, dropTombstones }, batch);
  // Skips older versions of the row; runs of more than one row end before any other cursor's row.
  if (count === 1) for (const other of cursors) if (other !== first && other.compare(first) === 0) other.row++;
  first.row += count;
}

function needsBlock(cursors: readonly RunCursor[]): boolean {
  for (const cursor of cursors) if (cursor.atBlockEnd) return true;
  return false;
}

/** Loads the next blocks of cursors at the end of theirs; returns the cursors that have rows left. */
async function advance(cursors: RunCursor[]): Promise<RunCursor[]> {
  let left = cursors;
  for (const cursor of cursors) {
    if (cursor.atBlockEnd && !(await cursor.loadBlock())) left = left.filter((it) => it !== cursor);
  }
  return left;
}

/** Returns the cursor whose row comes first; of several versions of that row, the cursor of the latest file. */
function firstCursor(cursors: readonly RunCursor[]): RunCursor {
  return cursors.reduce((first, cursor) => (cursor.compare(first) <= 0 ? cursor : first));
}

/** Counts the rows of `first` before every other cursor's row; 1 when another cursor is at a version of the same row. */
function runLength(first: RunCursor, cursors: readonly RunCursor[]): number {
  let count = first.rowsLeft;
  for (const cursor of cursors) if (cursor !== first) count = Math.min(count, first.rowsBefore(cursor));
  return Math.max(count, 1);
}

/** Adds `count` rows from the cursor on to the batch, without tombstones if those are dropped. */
function addRows(cursor: RunCursor, { count, dropTombstones }: { count: number; dropTombstones: boolean }, batch: MergeBatch): void {
  const { row } = cursor;
  const { deleted } = cursor.block;
  const end = row + count;
  if (!dropTombstones || deleted === null) return batch.add(cursor, row, end);
  let from = row;
  for (let at = row; at < end; at++) {
    if (deleted[at] === 0) continue;
    if (at > from) batch.add(cursor, from, at);
    from = at + 1;
  }
  if (end > from) batch.add(cursor, from, end);
}

/** The merged rows that wait for the writer. */
class MergeBatch {
  readonly #job: MergeJob;
  readonly #columns: readonly MergedColumn[];
  readonly #sequences: { readonly minSequence: number; readonly maxSequence: number };
  readonly #runs = new RunList();
  #textBytes = 0;

  constructor(job: MergeJob, files: readonly SstFile[], columns: readonly MergedColumn[]) {
    this.#job = job;
    this.#columns = columns;
    this.#sequences = {
      minSequence: Math.min(...files.map((file) => file.minSequence)),
      maxSequence: Math.max(...files.map((file) => file.maxSequence)),
    };
  }

  get isFull(): boolean {
    return this.#runs.rows >= BATCH_ROWS || this.#textBytes >= BATCH_TEXT_BYTES;
  }

  add(cursor: RunCursor, from: number, to: number): void {
    this.#runs.add(cursor.block, from, to - from);
    this.#textBytes += cursor.textBytes(from, to);
  }

  async flush(take: TakeRows): Promise<number> {
    const { rows } = this.#runs;
    if (rows > 0) await take(this.#table(), () => this.#positions());
    this.#runs.clear();
    this.#textBytes = 0;
    return rows;
  }

  #table(): SstTable {
    const ordinals = this.#ordinals();
    const made: SstColumn[] = [{ name: '_ordinal', kind: 'uint32', values: ordinals, valid: null }];
    const deleted = this.#deleted();
    if (deleted !== null) made.push({ name: '_deleted', kind: 'boolean', values: deleted, valid: null });
    return {
      ...this.#job.table,
      ...this.#sequences,
      rows: this.#runs.rows,
      columns: [...made, ...this.#columns.map((column) => gatherColumn(column, this.#runs))],
      minOrdinal: ordinals.reduce((min, ordinal) => Math.min(min, ordinal)),
      denseOrdinals: false,
      base: this.#job.dropTombstones,
      level: this.#job.level,
    };
  }

  #ordinals(): Uint32Array {
    const { blocks, blockOf, first, count, length, rows } = this.#runs;
    const merged = new Uint32Array(rows);
    for (let run = 0, at = 0; run < length; at += count[run++]!)
      copyItems(blocks[blockOf[run]!]!.ordinals, first[run]!, merged, at, count[run]!);
    return merged;
  }

  #positions(): Uint32Array {
    const { blocks, blockOf, first, count, length, rows } = this.#runs;
    const positions = new Uint32Array(rows);
    for (let run = 0, at = 0; run < length; run++) {
      const position = blocks[blockOf[run]!]!.firstPosition + first[run]!;
      for (let i = 0; i < count[run]!; i++) positions[at++] = position + i;
    }
    return positions;
  }

  /** Returns the column `_deleted` of the batch; null when no row is a tombstone. */
  #deleted(): Uint8Array | null {
    const { blocks, blockOf, first, count, length, rows } = this.#runs;
    if (blocks.every(({ deleted }) => deleted === null)) return null;
    const merged = new Uint8Array(rows);
    for (let run = 0, at = 0; run < length; at += count[run++]!) {
      const { deleted } = blocks[blockOf[run]!]!;
      if (deleted !== null) copyItems(deleted, first[run]!, merged, at, count[run]!);
    }
    return merged.includes(1) ? merged : null;
  }
}
