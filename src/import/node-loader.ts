/** Loads nodes: rows into the tables of their label sets, ids into their space. */

import { GraphDBError } from '../base/index.ts';
import type { FieldBlock, ImportDialect, Selection } from '../formats/index.ts';
import { compareStrings } from '../value/index.ts';
import type { NodeInput } from './api.ts';
import type { BadRows } from './csv/bad-rows.ts';
import { INTERNAL_ID, type NodeHeader, type PropertyColumn } from './csv/header.ts';
import type { IdSpaces } from './ids/id-spaces.ts';
import type { InternalIds } from './ids/internal-ids.ts';
import { checkMergedHeader } from './ids/merge-keys.ts';
import { labelsOfField } from './label-field.ts';
import type { BlockLoader } from './load-block.ts';
import { NodeMerger, type NodeMergerOptions } from './merge/node-merger.ts';
import { PropertyLoader } from './property-loader.ts';
import { groupRows, type RowGroup, TableByText } from './row-groups.ts';
import type { RowPlace, RowWatch } from './row-watch.ts';
import type { NodeNumbers } from './tables/node-numbers.ts';
import type { TakenPiece } from './tables/node-piece.ts';
import { NodeTable, type NodeTableOptions } from './tables/node-table.ts';
import { groupsByRow, runsOf } from './tables/order-of-rows.ts';
import type { TableBuffer } from './tables/table-buffer.ts';

/** The most label sets of an import, since the graph in memory numbers its tables with 16 bits. */
const MOST_LABEL_SETS = 65_000;
const MOST_NODES = 2 ** 32 - 2;

/** The tables of all label sets of an import. */
export class NodeTables {
  readonly #buffer: TableBuffer<NodeTable>;
  readonly #options: NodeTableOptions;
  readonly #byLabels = new Map<string, NodeTable>();
  /** All labels, in the order in which they were first named. */
  readonly labels = new Set<string>();

  constructor(buffer: TableBuffer<NodeTable>, options: NodeTableOptions) {
    this.#buffer = buffer;
    this.#options = options;
  }

  withLabels(labels: readonly string[]): NodeTable {
    for (const label of labels) this.labels.add(label);
    const ordered = [...new Set(labels)].sort(compareStrings);
    const id = JSON.stringify(ordered);
    const known = this.#byLabels.get(id);
    if (known !== undefined) return known;
    const table = new NodeTable(this.#buffer.tables.length, ordered, this.#options);
    if (table.index >= MOST_LABEL_SETS) throw new GraphDBError('UNSUPPORTED', `more than ${MOST_LABEL_SETS} different sets of labels`);
    this.#byLabels.set(id, table);
    this.#buffer.tables.push(table);
    return table;
  }

  /** Adds rows of a piece. They are not numbered by this. */
  add(table: NodeTable, taken: TakenPiece): void {
    if (!table.accepts(taken.piece)) this.seal(table);
    table.add(taken);
  }

  /** Numbers the next rows of the table as the next nodes. */
  number(table: NodeTable, rows: number, numbers: NodeNumbers): void {
    numbers.add(table.index, rows);
    if (numbers.count > MOST_NODES) throw new GraphDBError('UNSUPPORTED', 'a namespace holds at most 2^32 - 2 nodes');
  }

  seal(table: NodeTable): void {
    this.#buffer.seal(table);
  }
}

/** The options of a loader of nodes. */
export interface NodeLoaderOptions {
  readonly input: NodeInput;
  readonly header: NodeHeader;
  readonly dialect: ImportDialect;
  readonly tables: NodeTables;
  readonly spaces: IdSpaces;
  readonly internalIds: InternalIds;
  readonly numbers: NodeNumbers;
  /** The graph whose nodes rows may update; null: every row is a new node. */
  readonly merging: Pick<NodeMergerOptions, 'graph' | 'matched'> | null;
}

/** Loads nodes. */
export class NodeLoader {
  readonly #options: NodeLoaderOptions;
  readonly #properties: PropertyLoader;
  /** The table of the rows that have no labels of their own. */
  readonly #table: NodeTable;
  readonly #tableByText: TableByText<NodeTable>;
  readonly #merger: NodeMerger | null;

  constructor(options: NodeLoaderOptions) {
    const { input, header, dialect, tables, spaces } = options;
    const merge = header.id === null ? null : spaces.mergeKeys.of(header.id.space);
    if (merge !== null) checkMergedHeader(header, merge);
    const labels = merge === null || merge.label === null ? input.labels : [merge.label, ...input.labels];
    this.#options = options;
    this.#properties = new PropertyLoader(propertiesOf(header, spaces), {
      names: header.names,
      arrayDelimiter: dialect.arrayDelimiter,
      ...(header.id === null ? {} : { distinctColumn: header.id.column }),
    });
    this.#merger = mergerOf(options, labels);
    this.#table = tables.withLabels(labels);
    this.#tableByText = new TableByText((text) => tables.withLabels([...labels, ...labelsOfField(text, dialect.arrayDelimiter)]));
  }

  /** Returns the loader of a block, which must be used at once. */
  block(block: FieldBlock): BlockLoader {
    const loader = new NodeBlockLoader(block, this.#options, this.#properties, (rows) => this.#groups(block, rows));
    return this.#merger?.block(block, loader) ?? loader;
  }

  #groups(block: FieldBlock, rows: Selection): readonly RowGroup<NodeTable>[] {
    const { label } = this.#options.header;
    if (label === null) return [{ table: this.#table, rows }];
    return groupRows(rows, (row) => this.#tableByText.table(block, row, label));
  }
}

class NodeBlockLoader implements BlockLoader {
  readonly #block: FieldBlock;
  readonly #options: NodeLoaderOptions;
  readonly #properties: PropertyLoader;
  readonly #group: (rows: Selection) => readonly RowGroup<NodeTable>[];
  #marks: { table: NodeTable; rows: number; selected: Selection }[] = [];
  #numbered = false;

  constructor(
    block: FieldBlock,
    options: NodeLoaderOptions,
    properties: PropertyLoader,
    group: (rows: Selection) => readonly RowGroup<NodeTable>[],
  ) {
    this.#block = block;
    this.#options = options;
    this.#properties = properties;
    this.#group = group;
  }

  load(rows: Selection, bad: BadRows): void {
    const groups = this.#group(rows);
    for (const group of groups) this.#append(group, bad);
    // This enters ids, so it runs once only: a row whose id is taken is left out when the rest is loaded again.
    if (bad.size === 0 && !this.#numbered) this.#number(rows, groups, bad);
  }

  #append({ table, rows }: RowGroup<NodeTable>, bad: BadRows): void {
    if (table.hasPieces || !this.#properties.fits(table.properties)) this.#options.tables.seal(table);
    this.#marks.push({ table, rows: table.rows, selected: rows });
    this.#properties.append(this.#block, rows, table.properties, table.rows, bad);
    table.rows += rows.length;
  }

  /** Enters the ids of rows, and numbers the rows as nodes, both in the order of the file. Rows with a bad id get no number. */
  #number(rows: Selection, groups: readonly RowGroup<NodeTable>[], bad: BadRows): void {
    this.#numbered = true;
    const { header, tables, numbers } = this.#options;
    const column = internalIdColumn(header);
    if (header.id === null || column === undefined || header.id.column === column) this.#enterIds(rows, bad);
    else for (let i = 0; i < rows.length; i++) this.#enterIds(rows.subarray(i, i + 1), bad, i - bad.size);
    const groupOf = groupsByRow(groups, this.#block.rows);
    for (const run of runsOf(rows, groupOf, (row) => bad.has(row))) tables.number(groups[run.group]!.table, run.rows, numbers);
  }

  /**
   * Enters the ids and internal identifiers of rows. Where they stand in two columns, one row at a time: what one of them
   * leaves out must not take the other. @param before how many rows of the block are nodes already
   */
  #enterIds(rows: Selection, bad: BadRows, before = 0): void {
    const { header, internalIds, spaces, numbers } = this.#options;
    const column = internalIdColumn(header);
    if (column !== undefined) internalIds.enter(this.#block, column, rows, bad);
    const free = bad.size === 0 ? rows : rows.filter((row) => !bad.has(row));
    if (header.id !== null) spaces.index(header.id.space).insert(this.#block, header.id.column, free, numbers.count + before, bad);
    if (column !== undefined) internalIds.settle(this.#block, column, free, bad);
  }

  undo(): void {
    for (const { table, rows } of this.#marks) table.truncate(rows);
    this.#marks = [];
  }

  show(watch: RowWatch, placeOf: (row: number) => RowPlace): void {
    const { numbers } = this.#options;
    for (const { table, rows, selected } of this.#marks)
      watch.nodes(table.index, numbers.sealedRows(table.index) + rows, selected, placeOf);
  }
}

/** Returns the column that sets internal identifiers. */
function internalIdColumn({ id, properties }: NodeHeader): number | undefined {
  return id?.key === INTERNAL_ID ? id.column : properties.find(({ key }) => key === INTERNAL_ID)?.column;
}

/** Returns the merger of an input; null: no existing node belongs to the header's id space. */
function mergerOf({ header, dialect, spaces, merging }: NodeLoaderOptions, labels: readonly string[]): NodeMerger | null {
  const known = header.id === null ? null : spaces.known(header.id.space);
  if (known === null || merging === null) return null;
  return new NodeMerger({ ...merging, known, header, labels, arrayDelimiter: dialect.arrayDelimiter });
}

/** Returns the property columns of a header. A named column of ids is also a property. */
export function propertiesOf({ id, properties }: NodeHeader, spaces: IdSpaces): readonly PropertyColumn[] {
  if (id === null || id.key === '') return properties;
  const scalar = id.key === INTERNAL_ID ? 'string' : spaces.typeOf(id.space);
  return [{ column: id.column, key: id.key, type: { scalar, list: false } }, ...properties];
}
