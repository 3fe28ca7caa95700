/**
 * The layouts of the files of a table, which tell where the rows of each file are. A layout is read when rows of its file
 * are first asked for, or expected to be.
 */
import type { SstLayout, SstReader } from '../../storage/index.ts';
import { isReadingByPage, type Missing, noteMissing } from './page-faults.ts';
import type { PagedFile } from './paged-numbers.ts';

/** Reads and keeps the layouts of the files of a table. */
export class FileLayouts {
  /** For each file, the row of the table that is its first. */
  readonly firstRows: readonly number[];
  readonly #readers: readonly SstReader[];
  readonly #layouts: (SstLayout | null)[];
  readonly #missing = new Map<number, Missing>();

  constructor(files: readonly PagedFile[]) {
    this.firstRows = files.map(({ firstRow }) => firstRow);
    this.#readers = files.map(({ reader }) => reader);
    this.#layouts = files.map(() => null);
  }

  /** Returns the layout of a file; null when it is not in memory, which is noted. @throws INTERNAL when no statement is watched */
  find(file: number): SstLayout | null {
    const layout = this.#layouts[file]!;
    if (layout === null) noteMissing(this.#missingOf(file), `layout of ${this.#readers[file]!.file.key}`);
    return layout;
  }

  /** Reads the layout of a file unless it is in memory. */
  async load(file: number): Promise<SstLayout> {
    return (this.#layouts[file] ??= await this.#readers[file]!.readLayout());
  }

  /** Notes a layout that will probably be asked for, so that it is read together with what the statement is missing anyway. */
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
