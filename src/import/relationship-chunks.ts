/** Reading relationships out of chunks of CSV files, each by itself: on the thread of the import, or on others. */
import type { RelationshipInput } from './api.ts';
import { MOST_SAMPLES } from './bad-row-policy.ts';
import { CsvScanner } from './csv/csv-scanner.ts';
import type { CsvDialect } from './csv/dialect.ts';
import type { FieldBlock } from './csv/field-block.ts';
import type { RelationshipHeader } from './csv/header.ts';
import type { IdResolver } from './ids/id-index.ts';
import { OPEN_QUOTE } from './input-group.ts';
import { type BlockLoader, loadBlock } from './load-block.ts';
import { RelationshipLoader } from './relationship-loader.ts';
import type { RowChunk } from './row-chunks.ts';
import type { RelationshipPiece } from './tables/relationship-piece.ts';
import { RelationshipRowsByType } from './tables/relationship-rows.ts';

/** What is the same for all chunks of an input. */
export interface ChunkSetting {
  readonly input: Pick<RelationshipInput, 'type'>;
  readonly header: RelationshipHeader;
  readonly dialect: CsvDialect;
  /** Bad rows are left out; otherwise a chunk ends with the first one. */
  readonly skipBadRows: boolean;
}

export interface LoadedChunk {
  readonly pieces: readonly RelationshipPiece[];
  readonly lines: number;
  readonly badRows: number;
  /** The first of them. */
  readonly badRowSamples: readonly BadLine[];
}

interface BadLine {
  /** Where the row begins, from 1: the first line of the chunk. */
  readonly line: number;
  readonly reason: string;
}

export class RelationshipChunkLoader {
  readonly #setting: ChunkSetting;
  readonly #scanner: CsvScanner;
  readonly #loader: RelationshipLoader;
  readonly #tables = new RelationshipRowsByType();

  constructor(setting: ChunkSetting, spaces: { index(space: string): IdResolver }) {
    this.#setting = setting;
    this.#scanner = new CsvScanner(setting.dialect, setting.header.columns);
    this.#loader = new RelationshipLoader({ ...setting, tables: this.#tables, spaces });
  }

  /**
   * @param rooms memory to use for the pieces
   * @param onBlock told of each block that was loaded
   */
  load(
    { bytes, from, to, hasHeader }: RowChunk,
    rooms: readonly SharedArrayBuffer[],
    onBlock?: (block: FieldBlock, loader: BlockLoader) => void,
  ): LoadedChunk {
    const scanner = this.#scanner;
    const bad = new BadLines(this.#setting.skipBadRows);
    scanner.startFile({ hasHeader });
    let consumed = from;
    while (consumed < to && !bad.isEnd) {
      const start = consumed;
      consumed = scanner.scan(bytes, start, to);
      if (consumed === start) {
        bad.add(scanner.line, OPEN_QUOTE);
        break;
      }
      const loader = this.#loader.block(scanner);
      if (loadBlock(scanner, loader, (row, reason) => bad.add(scanner.lines[row]!, reason)) === null) break;
      onBlock?.(scanner, loader);
    }
    return { pieces: this.#tables.take(rooms), lines: scanner.line - 1, badRows: bad.count, badRowSamples: bad.samples };
  }
}

class BadLines {
  count = 0;
  readonly samples: BadLine[] = [];
  readonly #skip: boolean;

  constructor(skip: boolean) {
    this.#skip = skip;
  }

  get isEnd(): boolean {
    return !this.#skip && this.count > 0;
  }

  /** False: it is the end. */
  add(line: number, reason: string): boolean {
    this.count++;
    if (this.samples.length < MOST_SAMPLES) this.samples.push({ line, reason });
    return !this.isEnd;
  }
}
