/**
 * Loads clusters of vectors from artefacts into memory, for tables whose vectors are in memory (decision 0041), and finds
 * the row of the table for each entry of a cluster.
 *
 * The rows of a file that the table was opened with have known row numbers. Rows of other files, which this process has
 * flushed or which compaction has written, are found by ordinal: files hold the newest row of an ordinal, if it is
 * flushed. A row for which that is not certain is left out of the clusters, and compared one by one in a search (B9).
 *
 * Cost: reads all pages of the artefacts once, and looks at each row once, in steps.
 */
import { GraphDBError, nextTurn } from '../../base/index.ts';
import { findArtefacts, type Manifest, type ManifestArtefact, openClusters, type SstFile, tableId } from '../../storage/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { bitmapFor, hasBit, setBit } from '../arrays/bitmap.ts';
import { EMPTY_U32, sharedArray } from '../arrays/shared-array.ts';
import { U32Map } from '../arrays/u32-map.ts';
import { NO_ROW } from '../clusters/clustered-rows.ts';
import type { ClusterPages } from '../clusters/resident-clusters.ts';
import { RowMarks, type SharedPart } from '../clusters/shared-clusters.ts';
import type { GraphData } from '../data/graph-data.ts';
import { VectorIndex } from '../indexes/vector-index.ts';
import { NodeTable } from '../tables/node-table.ts';
import { ORDINAL_COLUMN } from '../tables/table-files.ts';
import type { IndexSubject } from '../view/index-view.ts';
import { nameOfTable } from './flush.ts';
import type { NamespaceFiles } from './table-loader.ts';

type Table = NodeTable | RelationshipTable;

const ROWS_PER_TURN = 1 << 16;
/** Clusters are loaded only when their artefacts take at most this share of the available memory. */
const SHARE_OF_MEMORY = 0.5;

/** The options of the loader of clusters. */
export interface ClusterLoaderOptions {
  readonly namespace: NamespaceFiles;
  readonly data: GraphData;
  /** Returns a manifest whose files hold nothing that is not published in this store. */
  readonly manifest: () => Manifest;
  readonly availableMemory: () => number;
}

/** Loads clusters of vectors. */
export class ClusterLoader {
  readonly #options: ClusterLoaderOptions;
  /** Identifies the artefacts that were last read for an index and a table, even if none was usable, so that they are not read again. */
  readonly #known = new WeakMap<VectorIndex, Map<number, string>>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: ClusterLoaderOptions) {
    this.#options = options;
  }

  /**
   * Resolves when all tables whose vectors are in memory have their clusters. An artefact that cannot be read is skipped:
   * answers do not depend on clusters.
   */
  load(): Promise<void> {
    this.#last = this.#last.catch(() => undefined).then(() => this.#loadAll());
    return this.#last;
  }

  async #loadAll(): Promise<void> {
    const { data } = this.#options;
    for (const index of data.indexes) {
      if (!(index instanceof VectorIndex)) continue;
      const tables = tablesOf(index.subject, data);
      const identities = new Set(tables.map(({ identity }) => identity));
      index.keepTables((table) => identities.has(table));
      for (const table of tables) {
        try {
          await this.#loadTable(index, table);
        } catch (error) {
          if (!(error instanceof GraphDBError)) throw error;
        }
      }
      index.takePercent(percentOf(index, tables));
    }
  }

  async #loadTable(index: VectorIndex, table: Table): Promise<void> {
    if (table.published.rowCount === 0 || !table.hasLoaded([index.subject.keys[0]!])) return;
    const { data, namespace, availableMemory } = this.#options;
    // What these say together must not be of different times.
    const manifest = this.#options.manifest();
    const flushed = { rows: table.unflushed === null ? table.flushedRows : 0 };
    const artefacts = findArtefacts(manifest, {
      table: nameOfTable(table, data),
      kind: 'clusters',
      subject: clustersSubject(index.subject, data),
    });
    const state = artefacts.map(({ id }) => id).join();
    const known = this.#known.get(index) ?? new Map<number, string>();
    this.#known.set(index, known);
    if (artefacts.length === 0 || known.get(table.identity) === state) return;
    const bytes = artefacts.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > availableMemory() * SHARE_OF_MEMORY) return;
    known.set(table.identity, state);
    const files = manifest.tables.find((each) => tableId(each) === tableId(nameOfTable(table, data)))?.files ?? [];
    const rowsOf = await this.#rowsByFile(files, new RowFinder(table, data, flushed.rows));
    const marks = new RowMarks(table.published.rowCount);
    const parts: SharedPart[] = [];
    let dimensions = 0;
    for (const artefact of artefacts) {
      const pages = await readAll(namespace, artefact);
      if (pages === null || (dimensions > 0 && pages.dimensions !== dimensions)) continue;
      dimensions = pages.dimensions;
      const rows = joined(artefact.covers.files.map((key) => rowsOf.get(key)!));
      for (const positions of positionsIn(pages)) {
        for (const position of positions) {
          if (rows[position]! < marks.rowCount) marks.add(rows[position]!);
          else rows[position] = NO_ROW;
        }
        await nextTurn();
      }
      parts.push({ pages, rows, firstRow: 0 });
    }
    if (parts.length === 0) return;
    const knownRows = marks.rowCount;
    const loose = await looseRows(table, index.subject.keys[0]!, marks);
    index.takeClusters({ table: table.identity, dimensions, count: marks.count, knownRows, loose, marks: marks.marks, parts });
  }

  /**
   * Returns, for each file by its key, the row of the table for each of its rows, or `NO_ROW`. Of several files with the
   * same ordinal the newest one gets the row.
   */
  async #rowsByFile(files: readonly SstFile[], finder: RowFinder): Promise<ReadonlyMap<string, Uint32Array>> {
    const found = new Map<string, Uint32Array>();
    for (const file of files.toReversed()) {
      const rows = new Uint32Array(file.rows);
      const firstRow = finder.firstRowOf(file);
      const ordinals = firstRow >= 0 || file.denseOrdinals ? null : await this.#ordinalsOf(file);
      for (let from = 0; from < file.rows; from += ROWS_PER_TURN) {
        const to = Math.min(from + ROWS_PER_TURN, file.rows);
        for (let i = from; i < to; i++)
          rows[i] = firstRow >= 0 ? firstRow + i : finder.claim(ordinals === null ? file.minOrdinal + i : ordinals[i]!);
        await nextTurn();
      }
      found.set(file.key, rows);
    }
    return found;
  }

  async #ordinalsOf(file: SstFile): Promise<Uint32Array> {
    const column = await (await this.#options.namespace.openSst(file)).readColumn(ORDINAL_COLUMN);
    return (column?.values ?? EMPTY_U32) as Uint32Array; // as: what ordinals are kept as
  }
}

/** Returns the subject by which the manifest names cluster artefacts of an index. */
export function clustersSubject({ keys, settings }: IndexSubject, data: Pick<GraphData, 'keys'>): Readonly<Record<string, unknown>> {
  const dimensions = settings['vector.dimensions'];
  return {
    key: data.keys.name(keys[0]!),
    similarity: settings['vector.similarity_function'] === 'EUCLIDEAN' ? 'EUCLIDEAN' : 'COSINE',
    dimensions: typeof dimensions === 'number' ? dimensions : 0,
  };
}

function tablesOf({ entity, labelsOrTypes }: IndexSubject, { nodeTables, relationshipTables }: GraphData): Table[] {
  const tables: readonly (Table | undefined)[] = entity === 'node' ? nodeTables : relationshipTables;
  return tables.filter((table) => table !== undefined).filter((table) => table.isOf(labelsOrTypes));
}

/** Returns the percentage of vectors in clusters, among the tables that have clusters. */
function percentOf(index: VectorIndex, tables: readonly Table[]): number {
  let [vectors, clustered] = [0, 0];
  for (const { identity, published } of tables) {
    const rows = index.clusteredRows(identity);
    if (rows === null) continue;
    clustered += rows.count;
    vectors += rows.count + rows.loose.length + Math.max(published.rowCount - rows.knownRows, 0);
  }
  return vectors === 0 ? 100 : Math.floor((1000 * clustered) / vectors) / 10;
}

async function readAll(namespace: NamespaceFiles, artefact: ManifestArtefact): Promise<ClusterPages | null> {
  try {
    const opened = await openClusters(namespace.openArtefact(artefact));
    if (opened === null) return null;
    const { tail, dimensions } = opened.directory;
    return { dimensions, tail, ...(await opened.readAll()) };
  } catch (error) {
    if (error instanceof GraphDBError && error.code === 'CORRUPTION') namespace.foundDamaged(artefact);
    throw error;
  }
}

/** Returns the rows below `marks.rowCount` that have a vector and are in no cluster, ascending, in shared memory. */
async function looseRows(table: Table, key: number, marks: RowMarks): Promise<Uint32Array> {
  const column = table.columns[key];
  const loose: number[] = [];
  for (let from = 0; from < marks.rowCount; from += ROWS_PER_TURN) {
    for (let row = from; row < Math.min(from + ROWS_PER_TURN, marks.rowCount); row++)
      if (!marks.has(row) && column?.has(row) === true) loose.push(row);
    await nextTurn();
  }
  const rows = sharedArray(EMPTY_U32, loose.length);
  rows.set(loose);
  return rows.subarray(0, loose.length);
}

/** Yields the positions of the entries of each page. */
function* positionsIn({ entries }: ClusterPages): Generator<Uint32Array> {
  for (const { buffer, byteOffset } of entries) yield new Uint32Array(buffer, byteOffset + 4, new Uint32Array(buffer, byteOffset, 1)[0]);
}

/** Joins arrays to one, in shared memory. */
function joined(parts: readonly Uint32Array[]): Uint32Array {
  const whole = sharedArray(
    EMPTY_U32,
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Finds the rows of the table that hold the same state as rows of files. */
class RowFinder {
  readonly #table: Table;
  readonly #data: GraphData;
  readonly #flushedRows: number;
  readonly #claimed: Uint8Array;
  /** The home row of each relationship, by its ordinal. */
  #homeRows: U32Map | null = null;

  constructor(table: Table, data: GraphData, flushedRows: number) {
    this.#table = table;
    this.#data = data;
    this.#flushedRows = flushedRows;
    this.#claimed = bitmapFor(null, Math.max(flushedRows, 1));
  }

  /** Returns the row of the table that is the first of a file; -1 when the table was not opened with the file. */
  firstRowOf({ key }: SstFile): number {
    return this.#table.files?.parts.find(({ file }) => file.key === key)?.firstRow ?? -1;
  }

  /** Returns the flushed row of an ordinal, each row only once; else `NO_ROW`. */
  claim(ordinal: number): number {
    const row = this.#table instanceof NodeTable ? this.#findNode(ordinal) : this.#findRelationship(this.#table, ordinal);
    if (row < 0 || row >= this.#flushedRows || hasBit(this.#claimed, row)) return NO_ROW;
    setBit(this.#claimed, row);
    return row;
  }

  #findNode(ordinal: number): number {
    const { directory } = this.#data;
    return directory.tableAt(ordinal, Number.POSITIVE_INFINITY) === this.#table.index ? directory.row : -1;
  }

  #findRelationship(table: RelationshipTable, ordinal: number): number {
    if (this.#homeRows === null) {
      this.#homeRows = new U32Map();
      for (let row = 0; row < this.#flushedRows; row++)
        if (table.isHomeRow(row) && !table.mayHaveVersions(row)) this.#homeRows.set(table.ordinalOf(row), row);
    }
    return this.#homeRows.get(ordinal);
  }
}
