/**
 * Reads nodes out of chunks of CSV files, each chunk by itself, on threads beside that of the import. Here ids are only
 * located in the bytes; the import's own thread sees all chunks in their order and decides which nodes the ids name.
 */
import { CsvScanner, type FieldBlock, type ImportDialect, type Selection } from '../formats/index.ts';
import { integerColumns, type PropertyColumn } from './csv/header.ts';
import { labelsOfField } from './label-field.ts';
import type { BlockLoader } from './load-block.ts';
import { type LoadedRows, loadRows } from './load-rows.ts';
import { PropertyLoader } from './property-loader.ts';
import type { RowChunk } from './row-chunks.ts';
import { groupRows, type RowGroup, TableByText } from './row-groups.ts';
import type { NodePiece } from './tables/node-piece.ts';
import { type NodeRows, NodeRowsByLabels } from './tables/node-rows.ts';

/** The setting that all chunks of an input share. */
export interface NodeSetting {
  /** Labels that every row gets. */
  readonly labels: readonly string[];
  readonly dialect: ImportDialect;
  /** The names of the columns, for messages. */
  readonly names: readonly string[];
  readonly properties: readonly PropertyColumn[];
  /** The column of labels, and as `id` that of ids; null: there is none. */
  readonly label: number | null;
  readonly id: number | null;
  /** True: bad rows are left out. False: a chunk ends with the first one. */
  readonly skipBadRows: boolean;
}

/** The nodes of a chunk that were loaded. */
export interface LoadedNodes extends LoadedRows {
  readonly pieces: readonly NodePiece[];
}

/** Loads nodes from chunks. */
export class NodeChunkLoader {
  readonly #setting: NodeSetting;
  readonly #scanner: CsvScanner;
  readonly #properties: PropertyLoader;
  readonly #tables = new NodeRowsByLabels();
  /** The rows that have no labels of their own. */
  readonly #table: NodeRows;
  readonly #tableByText: TableByText<NodeRows>;

  constructor(setting: NodeSetting) {
    const { labels, dialect, names, properties, id } = setting;
    const { arrayDelimiter } = dialect;
    this.#setting = setting;
    this.#scanner = new CsvScanner(dialect, names.length, { integerColumns: integerColumns(properties) });
    this.#properties = new PropertyLoader(properties, { names, arrayDelimiter, ...(id === null ? {} : { distinctColumn: id }) });
    this.#table = this.#tables.withLabels(labels);
    this.#tableByText = new TableByText((text) => this.#tables.withLabels([...labels, ...labelsOfField(text, arrayDelimiter)]));
  }

  /** Loads the nodes of a chunk. @param rooms memory that may be used for the pieces */
  load(chunk: RowChunk, rooms: readonly SharedArrayBuffer[]): LoadedNodes {
    const { skipBadRows, id } = this.#setting;
    const loaded = loadRows(chunk, { scanner: this.#scanner, skipBadRows }, (block) => {
      const marks: { table: NodeRows; before: number; rows: Selection }[] = [];
      const loader: BlockLoader = {
        load: (selected, bad) => {
          for (const { table, rows } of this.#groups(block, selected)) {
            marks.push({ table, before: table.rows, rows });
            this.#properties.append(block, rows, table.properties, table.rows, bad);
          }
        },
        undo: () => {
          for (const { table, before } of marks.splice(0)) table.truncate(before);
        },
        show: () => {},
      };
      const onLoaded = (): void => {
        for (const { table, rows } of marks) {
          this.#tables.name(table);
          table.appendPlaces(block, id, rows);
        }
      };
      return { loader, onLoaded };
    });
    return { pieces: this.#tables.take(rooms), ...loaded };
  }

  #groups(block: FieldBlock, rows: Selection): readonly RowGroup<NodeRows>[] {
    const { label } = this.#setting;
    if (label === null) return [{ table: this.#table, rows }];
    return groupRows(rows, (row) => this.#tableByText.table(block, row, label));
  }
}
