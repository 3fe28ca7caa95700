/** Loads the rows of one chunk of a CSV file, block by block, whether they are nodes or relationships. */
import type { CsvScanner } from '../formats/index.ts';
import { MOST_SAMPLES } from './bad-row-policy.ts';
import { OPEN_QUOTE } from './input-group.ts';
import { type BlockLoader, loadBlock } from './load-block.ts';
import type { RowChunk } from './row-chunks.ts';

/** The rows of a chunk that were loaded. */
export interface LoadedRows {
  readonly lines: number;
  readonly badRows: number;
  /** The first bad rows, at most `MOST_SAMPLES`. */
  readonly badRowSamples: readonly BadLine[];
}

/** A row that could not be loaded. */
export interface BadLine {
  /** The line at which the row begins, from 1 for the first line of the chunk. */
  readonly line: number;
  readonly reason: string;
}

/** The options of loading rows. */
export interface LoadRowsOptions {
  readonly scanner: CsvScanner;
  /** True: bad rows are left out. False: the chunk ends with the first one. */
  readonly skipBadRows: boolean;
}

/**
 * Loads the rows of a chunk.
 *
 * @param loaderOf returns the loader of a scanned block, and a function to call once the block is loaded
 */
export function loadRows(
  { bytes, from, to, hasHeader }: RowChunk,
  { scanner, skipBadRows }: LoadRowsOptions,
  loaderOf: (block: CsvScanner) => { readonly loader: BlockLoader; readonly onLoaded: () => void },
): LoadedRows {
  const bad = new BadLines(skipBadRows);
  scanner.startFile({ hasHeader });
  let consumed = from;
  while (consumed < to && !bad.isEnd) {
    const start = consumed;
    consumed = scanner.scan(bytes, start, to);
    if (consumed === start) {
      bad.add(scanner.line, OPEN_QUOTE);
      break;
    }
    const { loader, onLoaded } = loaderOf(scanner);
    if (loadBlock(scanner, loader, (row, reason) => bad.add(scanner.lines[row]!, reason)) === null) break;
    onLoaded();
  }
  return { lines: scanner.line - 1, badRows: bad.count, badRowSamples: bad.samples };
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

  /** Counts a bad row. False: loading is to end. */
  add(line: number, reason: string): boolean {
    this.count++;
    if (this.samples.length < MOST_SAMPLES) this.samples.push({ line, reason });
    return !this.isEnd;
  }
}
