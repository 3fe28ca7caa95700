/**
 * The layouts of the files of a table, which tell where the rows of each lie: read when rows of a file are first asked
 * for, or expected to be.
 */
import type { SstLayout, SstReader } from '../../storage/index.ts';
import { isReadingByPage, type Missing, noteMissing } from './page-faults.ts';
import type { PagedFile } from './paged-numbers.ts';

/** Finds the layouts of the files that have certain rows. */
export class FileLayouts {
  /** The row of the table that is the first of each file. */
  readonly firstRows: readonly number[];
  readonly #readers: readonly SstReader[];
  readonly #layouts: (SstLayout | null)[];
  readonly #missing = new Map<number, Missing>();

  constructor(files: readonly PagedFile[]) {
    this.firstRows = files.map(({ firstRow }) => firstRow);
    this.#readers = files.map(({ reader }) => reader);
    this.#layouts = files.map(() => null);
  }

  /** The layout of a file; null: it is not in memory, and was noted. INTERNAL: nobody watches for what is missing. */
  find(file: number): SstLayout | null {
    const layout = this.#layouts[file]!;
    if (layout === null) noteMissing(this.#missingOf(file), `layout of ${this.#readers[file]!.file.key}`);
    return layout;
  }

  /** Has the layout of a file in memory. */
  async load(file: number): Promise<SstLayout> {
    return (this.#layouts[file] ??= await this.#readers[file]!.readLayout());
  }

  /** Notes that a layout will be asked for, where the statement misses something anyway. */
  expect(file: number): void {
    if (this.#layouts[file] === null && isReadingByPage()) noteMissing(this.#missingOf(file), 'a layout');
  }

  #bytesOf(file: number): number {
    const { layout } = this.#readers[file]!.file;
    return 'blocks' in layout ? 0 : layout[1];
  }

  #missingOf(file: number): Missing {
    let missing = this.#missing.get(file);
    if (missing === undefined) {
      let loading: Promise<void> | null = null;
      const load = async (): Promise<void> => {
        try {
          await this.load(file);
        } finally {
          this.#missing.delete(file);
        }
      };
      missing = { bytes: this.#bytesOf(file), load: () => (loading ??= load()) };
      this.#missing.set(file, missing);
    }
    return missing;
  }
}
