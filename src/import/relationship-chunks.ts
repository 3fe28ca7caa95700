/** Reads relationships out of chunks of CSV files, each chunk by itself, on the thread of the import or on others. */
import { CsvScanner, type FieldBlock, type ImportDialect } from '../formats/index.ts';
import type { RelationshipInput } from './api.ts';
import { integerColumns, type RelationshipHeader } from './csv/header.ts';
import type { IdResolver } from './ids/id-index.ts';
import type { BlockLoader } from './load-block.ts';
import { type LoadedRows, loadRows } from './load-rows.ts';
import { RelationshipLoader } from './relationship-loader.ts';
import type { RowChunk } from './row-chunks.ts';
import type { RelationshipPiece } from './tables/relationship-piece.ts';
import { RelationshipRowsByType } from './tables/relationship-rows.ts';

/** The setting that all chunks of an input share. */
export interface ChunkSetting {
  readonly input: Pick<RelationshipInput, 'type'>;
  readonly header: RelationshipHeader;
  readonly dialect: ImportDialect;
  /** True: bad rows are left out. False: a chunk ends with the first one. */
  readonly skipBadRows: boolean;
}

/** The relationships of a chunk that were loaded. */
export interface LoadedRelationships extends LoadedRows {
  readonly pieces: readonly RelationshipPiece[];
}

/** Loads relationships from chunks. */
export class RelationshipChunkLoader {
  readonly #setting: ChunkSetting;
  readonly #scanner: CsvScanner;
  readonly #loader: RelationshipLoader;
  readonly #tables = new RelationshipRowsByType();

  constructor(setting: ChunkSetting, spaces: { index(space: string): IdResolver }) {
    this.#setting = setting;
    const { start, end, columns, properties } = setting.header;
    const ids = [start, end].filter(({ space }) => spaces.index(space).areIntegers).map(({ column }) => column);
    this.#scanner = new CsvScanner(setting.dialect, columns, { integerColumns: [...ids, ...integerColumns(properties)] });
    this.#loader = new RelationshipLoader({ ...setting, tables: this.#tables, spaces });
  }

  /**
   * Loads the relationships of a chunk.
   *
   * @param rooms memory that may be used for the pieces
   * @param onBlock called for each block that was loaded
   */
  load(
    chunk: RowChunk,
    rooms: readonly SharedArrayBuffer[],
    onBlock?: (block: FieldBlock, loader: BlockLoader) => void,
  ): LoadedRelationships {
    const loaded = loadRows(chunk, { scanner: this.#scanner, skipBadRows: this.#setting.skipBadRows }, (block) => {
      const loader = this.#loader.block(block);
      return { loader, onLoaded: () => onBlock?.(block, loader) };
    });
    return { pieces: this.#tables.take(rooms), ...loaded };
  }
}
