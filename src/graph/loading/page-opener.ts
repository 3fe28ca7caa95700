/**
 * Makes tables readable by page (decision 0025): opens the parts that a statement needs. That takes one round of requests
 * for layouts of files and lists of pages. Only the rows of node tables, which fill the directory, are read whole.
 */
import { type ArtefactReader, openClusters, type SstReader, type VectorClusters } from '../../storage/index.ts';
import { FirstRows, PagedClusters } from '../clusters/paged-clusters.ts';
import type { GraphData } from '../data/graph-data.ts';
import type { GraphIndex } from '../indexes/graph-index.ts';
import { VectorIndex } from '../indexes/vector-index.ts';
import { LaterRows } from '../paged/later-rows.ts';
import { PageCache } from '../paged/page-cache.ts';
import { PagedColumn } from '../paged/paged-column.ts';
import { PagedIndex } from '../paged/paged-index.ts';
import { PagedTable } from '../paged/paged-table.ts';
import { NodeTable } from '../tables/node-table.ts';
import { columnNameOf, ID_COLUMN, type TableFiles } from '../tables/table-files.ts';
import type { IndexSubject } from '../view/index-view.ts';
import { clustersSubject } from './cluster-loader.ts';
import { artefactsOver, openArtefact, type TableInFiles } from './covering-artefacts.ts';
import { nameOfTable } from './flush.ts';
import { openIndex } from './open-index.ts';
import { openRelationships } from './open-relationships.ts';
import { columnOf, type NamespaceFiles, noteLoaded, type TableLoader } from './table-loader.ts';
import { isMissing, type TableRequirement } from './table-requirement.ts';

/** Tables with at most this many rows in files are read whole, which costs about as much as a page. */
const WHOLE_TABLE_ROWS = 2 ** 16;
/**
 * How many statements read a table by page before its parts are also loaded whole in the background: code for data in
 * memory is several times as fast.
 */
const USES_BY_PAGE = 8;
/** The share of the available memory that such a background load may take. */
const SHARE_FOR_LOADS = 0.25;
const SHARE_FOR_PAGES = 0.5;

type ReadFile = { readonly firstRow: number; readonly reader: SstReader };

/** Clusters are used only when the files that they do not cover have at most this many rows, which are compared one by one. */
const MOST_LOOSE_ROWS = 2_048;

/** A table that is being opened. */
interface Opening {
  readonly table: TableRequirement['table'];
  readonly files: TableFiles;
  readonly paged: PagedTable;
  readonly parts: readonly ReadFile[];
}

/** Limits that decide when tables are read by page, and how much memory pages may take. */
export interface PageLimits {
  /** Tables with at most this many rows in files are read whole; default: 65,536. */
  readonly wholeTableRows?: number | undefined;
  /** Returns the bytes of memory that the process may still take. */
  readonly availableMemory: () => number;
  /**
   * The most bytes that pages take; the pages of one row may exceed it. Default: half of the memory that the process may
   * take when the graph is opened.
   */
  readonly pageBytes?: number | undefined;
}

/** Opens tables to be read by page. */
export class PageOpener {
  readonly #namespace: NamespaceFiles;
  readonly #data: GraphData;
  readonly #loader: TableLoader;
  readonly #wholeTableRows: number;
  readonly #availableMemory: () => number;
  readonly cache: PageCache;
  /** The last call of `open`: calls run one after the other, each opens its parts concurrently. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    namespace: NamespaceFiles,
    data: GraphData,
    loader: TableLoader,
    { wholeTableRows = WHOLE_TABLE_ROWS, availableMemory, pageBytes = availableMemory() * SHARE_FOR_PAGES }: PageLimits,
  ) {
    this.#availableMemory = availableMemory;
    this.#namespace = namespace;
    this.#data = data;
    this.#loader = loader;
    this.#wholeTableRows = wholeTableRows;
    this.cache = new PageCache({ mostBytes: pageBytes, availableMemory });
  }

  /**
   * Loads everything required, or makes it readable by page. Returns false when a part can only be read whole, or when all
   * parts are small; the caller then loads them whole, and what was opened stays open.
   */
  open(requirements: readonly TableRequirement[]): Promise<boolean> {
    const opening = this.#last.then(async () => {
      const missing = requirements.filter(isMissing);
      const large = missing.filter(({ table }) => !this.#isSmall(table));
      if (large.length === 0 || missing.some((requirement) => !this.#mayOpen(requirement))) return false;
      // Loads run one after another, the reads of one side by side.
      const whole = missing.flatMap((requirement) => {
        const { table } = requirement;
        return this.#isSmall(table) ? [requirement] : table instanceof NodeTable ? [{ table, keys: [], ids: false }] : [];
      });
      const [, ...opened] = await Promise.all([this.#loader.load(whole), ...large.map((requirement) => this.#open(requirement))]);
      return opened.every((isOpen) => isOpen);
    });
    this.#last = opening.catch(() => undefined);
    return opening;
  }

  /**
   * Tells, without reading anything, whether a table may be opened by page: its files must still be those of the current
   * manifest.
   */
  #mayOpen({ table }: TableRequirement): boolean {
    const { files } = table;
    if (files === null || !files.areAmong(this.#loader.currentFiles(table))) return false;
    return true;
  }

  #isSmall({ files }: TableRequirement['table']): boolean {
    return files !== null && files.rowCount <= this.#wholeTableRows;
  }

  async #open(requirement: TableRequirement): Promise<boolean> {
    const { table, keys, ids } = requirement;
    const files = table.files!; // What may be opened lies in some.
    const paged = (table.paged ??= new PagedTable());
    if (++paged.uses > USES_BY_PAGE && this.#loader.bytesToLoad([requirement]) <= this.#availableMemory() * SHARE_FOR_LOADS) {
      // When the load fails, the table stays readable by page.
      this.#loader.load([requirement]).catch(() => undefined);
    }
    const parts = await Promise.all(files.parts.map(async ({ file, firstRow }) => ({ firstRow, reader: await this.#loader.reader(file) })));
    const opening = { table, files, paged, parts };
    const isOver = ({ entity, labelsOrTypes, keys: indexed }: IndexSubject): boolean =>
      (entity === 'node') === table instanceof NodeTable && table.isOf(labelsOrTypes) && indexed.every((key) => keys.includes(key));
    await Promise.all([
      table instanceof NodeTable ? null : this.#openRelationships(opening),
      ...this.#data.indexes.filter(({ subject }) => isOver(subject)).map((index) => this.#openIndex(index, opening)),
      ...keys.map((key) => this.#openColumn(key, opening)),
      ids ? openIds(opening, this.cache) : null,
    ]);
    // A search finds rows anywhere in the files, whose layouts it has read: what else is read of these rows is then known at once.
    if (this.#data.indexes.some((index) => index instanceof VectorIndex && index.hasClusters(table.identity)))
      await Promise.all(keys.map((key) => paged.column(key)?.loadLayouts()));
    return table instanceof NodeTable || files.rowsLoaded || paged.hasRows;
  }

  #placeOf({ table, parts }: Opening): TableInFiles {
    return { table: nameOfTable(table, this.#data), files: parts };
  }

  async #openRelationships(opening: Opening): Promise<void> {
    const { table, files, paged } = opening;
    if (table instanceof NodeTable || files.rowsLoaded || paged.hasRows) return;
    const place = { ...this.#placeOf(opening), allLive: files.allLive };
    const opened = await openRelationships(this.#namespace, this.#loader.manifest, place, this.cache);
    // The rows may have been loaded since.
    if (opened === null || files.rowsLoaded) return;
    paged.relationships = opened.paged;
    table.takeLaterRows(opened.paged.rowCount, opened.later);
    if (opened.paged.laterFiles !== null) table.chains.doubtFirst(files.rowCount);
    noteLoaded(table, files, this.#data);
  }

  async #openIndex(index: GraphIndex, opening: Opening): Promise<void> {
    const { keys } = index.subject;
    if (index instanceof VectorIndex) return this.#openClusters(index, opening);
    const { paged, table, parts } = opening;
    if (paged.index(keys) !== undefined) return;
    const names = keys.map((key) => this.#data.keys.name(key));
    const opened = await openIndex(this.#namespace, this.#loader.manifest, this.#placeOf(opening), names);
    if (opened === null) return;
    const firstRow = parts[opened.files]?.firstRow ?? opening.files.rowCount;
    if (firstRow < opening.files.rowCount) {
      await Promise.all(
        keys.map(async (key) => {
          await this.#openColumn(key, opening);
          await paged.column(key)?.loadFrom(firstRow);
        }),
      );
    }
    paged.addIndex(keys, new PagedIndex(names.join(', '), opened.index, new LaterRows(table, keys, firstRow), this.cache));
  }

  /** Opens the clusters that cover the first files of a table of nodes, unless more than `MOST_LOOSE_ROWS` rows are in its other files. */
  async #openClusters(index: VectorIndex, opening: Opening): Promise<void> {
    const { table, files, paged } = opening;
    const key = index.subject.keys[0]!;
    if (!(table instanceof NodeTable) || index.hasClusters(table.identity)) return;
    const subject = clustersSubject(index.subject, this.#data);
    const [covering] = artefactsOver(this.#loader.manifest, this.#placeOf(opening), { kind: 'clusters', subject });
    const [opened] = await Promise.all([
      covering === undefined ? null : openArtefact(this.#namespace, covering.artefact, openWithLists),
      this.#openColumn(key, opening).then(() => paged.column(key)?.loadLayouts()),
    ]);
    if (covering === undefined || opened === null) return;
    const rows = opening.parts[covering.files]?.firstRow ?? files.rowCount;
    if (files.rowCount - rows > MOST_LOOSE_ROWS) return;
    const { isDense, dimensions, entries } = opened.directory;
    if (isDense) paged.column(key)?.takeWidth(4 * dimensions, rows);
    if (rows < files.rowCount) await paged.column(key)?.loadFrom(rows);
    index.takePaged(table.identity, new FirstRows(new PagedClusters(opened, this.cache), rows, entries));
  }

  async #openColumn(key: number, { files, paged, parts }: Opening): Promise<void> {
    if (!files.unloadedKeys.has(key) || paged.column(key) !== undefined) return;
    const column = await openColumn(columnNameOf(this.#data.keys.name(key)), parts, this.cache);
    // The column may have been opened or loaded since.
    if (files.unloadedKeys.has(key) && paged.column(key) === undefined) paged.addColumn(key, column);
  }
}

/** Opens clusters, and reads the lists of pages of all files of the artefact at the same time. */
async function openWithLists(reader: ArtefactReader): Promise<VectorClusters | null> {
  const [opened] = await Promise.all([openClusters(reader), ...reader.artefact.files.map((_, file) => reader.readPageList(file))]);
  return opened;
}

async function openIds({ files, paged, parts }: Opening, cache: PageCache): Promise<void> {
  if (files.idsLoaded || paged.ids !== null) return;
  paged.setIds(await openColumn(ID_COLUMN, parts, cache));
}

function openColumn(name: string, parts: readonly ReadFile[], cache: PageCache): Promise<PagedColumn> {
  return PagedColumn.open(
    name,
    parts.filter(({ reader }) => columnOf(reader.file, name) !== undefined),
    cache,
  );
}
