/**
 * Reading nodes out of chunks of CSV files, each by itself, on other threads than that of the import. Ids are only
 * found here: which nodes they name, and whether they are taken, is for whoever sees all chunks in their order.
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

/** The setting of all chunks of an input. */
export interface NodeSetting {
  /** The labels of every row. */
  readonly labels: readonly string[];
  readonly dialect: ImportDialect;
  /** Names of the columns. */
  readonly names: readonly string[];
  readonly properties: readonly PropertyColumn[];
  /** Columns; null: there is none. */
  readonly label: number | null;
  readonly id: number | null;
  /** Bad rows are left out; otherwise a chunk ends with the first one. */
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
  /** The table of the rows without labels of their own. */
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

  /** @param rooms memory to use for the pieces */
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
