/** The rows of one chunk of a CSV file, block after block, whatever they are of. */
import type { CsvScanner } from '../formats/index.ts';
import { MOST_SAMPLES } from './bad-row-policy.ts';
import { OPEN_QUOTE } from './input-group.ts';
import { type BlockLoader, loadBlock } from './load-block.ts';
import type { RowChunk } from './row-chunks.ts';

/** The rows of a chunk that were loaded. */
export interface LoadedRows {
  readonly lines: number;
  readonly badRows: number;
  /** The first of them. */
  readonly badRowSamples: readonly BadLine[];
}

/** A line that could not be loaded. */
export interface BadLine {
  /** Where the row begins, from 1: the first line of the chunk. */
  readonly line: number;
  readonly reason: string;
}

/** The options of loading rows. */
export interface LoadRowsOptions {
  readonly scanner: CsvScanner;
  /** Bad rows are left out; otherwise the chunk ends with the first one. */
  readonly skipBadRows: boolean;
}

/** `loaderOf`: who loads the block that the scanner has, and what is to be done then. */
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

  /** False: it is the end. */
  add(line: number, reason: string): boolean {
    this.count++;
    if (this.samples.length < MOST_SAMPLES) this.samples.push({ line, reason });
    return !this.isEnd;
  }
}
