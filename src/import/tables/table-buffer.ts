/**
 * The tables of one kind whose rows come in, in bounded memory: when they hold more bytes than the budget, the largest
 * is sealed and written. Ordinals are given when a table is sealed, dense per file, so a table that fits into memory
 * gets them without a gap.
 */
import { GraphDBError } from '../../base/index.ts';
import type { EncodedFile, SstTable, TableName } from '../../storage/index.ts';

const ORDINALS = 2 ** 32 - 2;

/** An SST as tables make it; the destination sets its level and sequences. */
export type SealedTable = Omit<SstTable, 'level' | 'minSequence' | 'maxSequence'>;

/** A table: its columns, or the bytes of its files where a thread has already encoded them. */
export type MadeTable =
  | { readonly kind: 'sealed'; readonly table: SealedTable }
  | { readonly kind: 'encoded'; readonly name: TableName; readonly files: readonly EncodedFile[] };

/** The rows of one file, or of a few, which may still have to be put in order. */
export interface UnwrittenTable {
  /** About how many bytes the rows take in memory. */
  readonly bytes: number;
  /** Makes the table. To be called at most once. */
  made(): Promise<MadeTable>;
  /** Releases the rows that the table was made from. To be called once, whether the table was made or not. */
  release(): void;
}

/** A table whose rows come in. */
export interface BufferedTable {
  readonly rows: number;
  readonly bytes: number;
  /** Returns the rows that have come in, with ordinals from `firstOrdinal` on, and begins anew. */
  take(firstOrdinal: number): readonly UnwrittenTable[];
}

/** The options of a buffer of tables. */
export interface TableBufferOptions<T> {
  readonly budgetBytes: number;
  readonly firstOrdinal: number;
  readonly write: (table: UnwrittenTable) => Promise<void>;
  /** Called for each sealed file, before its table begins anew. */
  readonly onSeal?: (table: T, firstOrdinal: number) => void;
}

/** Tables of one kind, in bounded memory. */
export class TableBuffer<T extends BufferedTable> {
  readonly tables: T[] = [];
  nextOrdinal: number;
  readonly #options: TableBufferOptions<T>;
  #sealed: UnwrittenTable[] = [];

  constructor(options: TableBufferOptions<T>) {
    this.#options = options;
    this.nextOrdinal = options.firstOrdinal;
  }

  /** Ends the present file of a table; its rows get their ordinals. */
  seal(table: T): void {
    const { rows } = table;
    if (rows === 0) return;
    this.#options.onSeal?.(table, this.nextOrdinal);
    this.#sealed.push(...table.take(this.nextOrdinal));
    this.nextOrdinal += rows;
    if (this.nextOrdinal > ORDINALS) throw new GraphDBError('UNSUPPORTED', 'the namespace has given all of its 4,294,967,294 ordinals');
  }

  /** Seals the largest tables until all are within the budget, and writes them. */
  async spill(): Promise<void> {
    while (this.#bytes() > this.#options.budgetBytes) this.seal(this.tables.reduce((a, b) => (b.bytes > a.bytes ? b : a)));
    await this.#write();
  }

  /** Seals and writes all tables. */
  async flush(): Promise<void> {
    for (const table of this.tables) {
      this.seal(table);
      await this.#write();
    }
  }

  async #write(): Promise<void> {
    const sealed = this.#sealed;
    this.#sealed = [];
    for (const table of sealed) await this.#options.write(table);
  }

  #bytes(): number {
    return this.tables.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
