/**
 * Reads the rows that an artefact is built from: those of consecutive files of one table, of several versions of a row
 * the latest, with only the columns that are requested.
 *
 * Where the manifest, or the order of the rows, tells that no file replaces a row of another one (a flush, a merge, an
 * import), files are read one after the other, a few blocks ahead; otherwise they are merged. Memory: some blocks of
 * the requested columns.
 */
import { nextTurn } from '../../base/index.ts';
import type { SstColumn, SstFile, SstReader, TableName } from '../api.ts';
import { mergeRows, runFilesOf, throwIfStopped } from '../compaction/merge-table.ts';
import { sortedRuns } from '../compaction/sorted-runs.ts';
import { pauseIfDue } from '../files/background-thread.ts';

/** Consecutive files of one table, oldest first. */
export interface CoveredFiles {
  readonly table: TableName;
  readonly files: readonly SstFile[];
}

/**
 * Some rows of the files. A row's position is its place among all rows of the files, one file after the other,
 * tombstones and replaced rows counted. So when the files begin at row f of a table in memory, the row there is f plus
 * the position.
 */
export interface CoveredBatch {
  readonly rows: number;
  /** Columns by name; a missing column is null in all rows. */
  readonly columns: ReadonlyMap<string, SstColumn>;
  /** The position of each row; `NOT_LIVE` for one that is a tombstone, or that a later file replaces. */
  readonly positions: Uint32Array;
}

/** The position of rows that are not live. */
export const NOT_LIVE = 0xffff_ffff;

/** The rows that an artefact covers. */
export interface CoveredRows extends CoveredFiles {
  /** The number of rows of the files, live or not. */
  readonly count: number;
  /**
   * Hands out every live row once, with these columns, in the order of positions unless files replace rows of each
   * other. May be called repeatedly. @throws CANCELLED, CORRUPTION when a file is damaged
   */
  each(columns: readonly string[], take: (batch: CoveredBatch) => Promise<void> | void): Promise<void>;
}

const BLOCKS_AHEAD = 4;

/** The rows of files. */
export class FileRows implements CoveredRows {
  readonly table: TableName;
  readonly files: readonly SstFile[];
  readonly count: number;
  readonly #readers: readonly SstReader[];
  readonly #signal: AbortSignal;
  #isPlain: Promise<boolean> | null = null;

  constructor({ table, files }: CoveredFiles, openSst: (file: SstFile) => SstReader, signal: AbortSignal) {
    this.table = table;
    this.files = files;
    this.count = rowsIn(files);
    this.#readers = files.map(openSst);
    this.#signal = signal;
  }

  async each(columns: readonly string[], take: (batch: CoveredBatch) => Promise<void> | void): Promise<void> {
    this.#isPlain ??= this.#findPlain();
    return (await this.#isPlain) ? this.#eachInOrder(columns, take) : this.#eachMerged(columns, take);
  }

  /** Whether no file replaces a row of another one, so that every row that is no tombstone is live. */
  async #findPlain(): Promise<boolean> {
    if (haveOwnOrdinals(this.files)) return true;
    return (await sortedRuns(runFilesOf(this.#readers))).length === 1;
  }

  async #eachInOrder(columns: readonly string[], take: (batch: CoveredBatch) => Promise<void> | void): Promise<void> {
    const names = new Set([...columns, DELETED]);
    let position = 0;
    for await (const read of readAhead(this.#readers, names)) {
      throwIfStopped(this.#signal);
      const byName = new Map(read.columns.map((column) => [column.name, column]));
      const positions = positionsFrom(position, read.rows, byName.get(DELETED));
      position += read.rows;
      await take({ rows: read.rows, columns: byName, positions });
      pauseIfDue();
    }
  }

  async #eachMerged(columns: readonly string[], take: (batch: CoveredBatch) => Promise<void> | void): Promise<void> {
    const { table, files } = this;
    const job = { table, files, dropTombstones: true, level: 0, columns: new Set(columns) };
    await mergeRows(
      this.#readers,
      job,
      async (batch, positions) =>
        take({ rows: batch.rows, columns: new Map(batch.columns.map((column) => [column.name, column])), positions: positions() }),
      this.#signal,
    );
  }
}

const DELETED = '_deleted';

/** Returns the number of rows of the files. */
export function rowsIn(files: readonly SstFile[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

/** Whether no ordinal can be in two of the files; within a file none is twice. */
function haveOwnOrdinals(files: readonly SstFile[]): boolean {
  const sorted = files.toSorted((a, b) => a.minOrdinal - b.minOrdinal);
  return sorted.every((file, at) => at === 0 || file.minOrdinal > sorted[at - 1]!.maxOrdinal);
}

function positionsFrom(first: number, rows: number, deleted: SstColumn | undefined): Uint32Array {
  const positions = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) positions[row] = first + row;
  if (deleted !== undefined) for (let row = 0; row < rows; row++) if (deleted.values[row] === 1) positions[row] = NOT_LIVE;
  return positions;
}

interface ReadBlock {
  readonly rows: number;
  readonly columns: readonly SstColumn[];
}

/** Reads the blocks of the files in order, a few ahead. */
async function* readAhead(readers: readonly SstReader[], names: ReadonlySet<string>): AsyncGenerator<ReadBlock> {
  const coming: Promise<ReadBlock>[] = [];
  for (const reader of readers) {
    for (let block = 0; block < reader.file.blockCount; block++) {
      const reading = readBlock(reader, block, names);
      reading.catch(() => {}); // Thrown where it is awaited.
      coming.push(reading);
      if (coming.length <= BLOCKS_AHEAD) continue;
      yield await coming.shift()!;
      await nextTurn();
    }
  }
  for (const reading of coming) yield await reading;
}

async function readBlock(reader: SstReader, block: number, names: ReadonlySet<string>): Promise<ReadBlock> {
  const { blocks } = await reader.readLayout();
  return { rows: blocks[block]!.rows, columns: await reader.readBlock(block, names) };
}
