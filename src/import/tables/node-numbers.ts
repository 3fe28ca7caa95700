/**
 * Maps the numbers that nodes get as they come in to their ordinals. Ordinals are dense per file of a table, so they
 * are known only once the files are sealed; until then ids lead to numbers.
 */
import { grown } from '../columns/growing.ts';

interface SealedRows {
  readonly firstRow: number;
  readonly firstOrdinal: number;
}

/** The numbers of nodes while an import runs. */
export class NodeNumbers {
  /** How many nodes there are so far, which is the number of the next one. */
  count = 0;
  /** Runs of numbers in one table: `#tables` has the table of each run, `#ends` the first number after it. */
  #tables = new Uint32Array(0);
  #ends = new Uint32Array(0);
  #runs = 0;
  /** The sealed files of each table, and in `#sealedRows` how many rows they have together. */
  readonly #files: SealedRows[][] = [];
  readonly #sealedRows: number[] = [];

  /** Numbers the next `count` rows of the table as the next nodes. */
  add(table: number, count: number): void {
    if (count === 0) return;
    this.count += count;
    if (this.#runs > 0 && this.#tables[this.#runs - 1] === table) {
      this.#ends[this.#runs - 1] = this.count;
      return;
    }
    this.#tables = grown(this.#tables, this.#runs + 1);
    this.#ends = grown(this.#ends, this.#runs + 1);
    this.#tables[this.#runs] = table;
    this.#ends[this.#runs++] = this.count;
  }

  /** Gives the next `rows` rows of the table the ordinals from `firstOrdinal` on. */
  seal(table: number, rows: number, firstOrdinal: number): void {
    const firstRow = this.#sealedRows[table] ?? 0;
    (this.#files[table] ??= []).push({ firstRow, firstOrdinal });
    this.#sealedRows[table] = firstRow + rows;
  }

  /** Returns how many rows of the table have their ordinals. */
  sealedRows(table: number): number {
    return this.#sealedRows[table] ?? 0;
  }

  /** Returns the table of a node and its row among all that the table has had; null: the node is not from this import. */
  rowOf(ordinal: number): { readonly table: number; readonly row: number } | null {
    for (const [table, files] of this.#files.entries()) {
      for (const [index, { firstRow, firstOrdinal }] of (files ?? []).entries()) {
        const rows = (files[index + 1]?.firstRow ?? this.sealedRows(table)) - firstRow;
        if (ordinal >= firstOrdinal && ordinal < firstOrdinal + rows) return { table, row: firstRow + ordinal - firstOrdinal };
      }
    }
    return null;
  }

  /** Returns the ordinal of each number, once all rows are sealed; null: every number is its node's ordinal. */
  ordinals(): Uint32Array | null {
    const ordinals = new Uint32Array(this.count);
    const rows: number[] = this.#files.map(() => 0);
    let number = 0;
    let same = true;
    for (let run = 0; run < this.#runs; run++) {
      const table = this.#tables[run]!;
      for (const end = this.#ends[run]!; number < end; ) {
        const row = rows[table]!;
        const { from, to } = this.#piece(table, row, end - number);
        for (let ordinal = from; ordinal < to; ordinal++) ordinals[number++] = ordinal;
        same = same && from === number - (to - from);
        rows[table] = row + to - from;
      }
    }
    return same ? null : ordinals;
  }

  /** Returns the ordinals of at most `count` rows from `row` on, as far as they lie in one file. */
  #piece(table: number, row: number, count: number): { from: number; to: number } {
    const files = this.#files[table]!;
    const index = files.findLastIndex(({ firstRow }) => firstRow <= row);
    const { firstRow, firstOrdinal } = files[index]!;
    const rowsLeft = (files[index + 1]?.firstRow ?? this.#sealedRows[table]!) - row;
    const from = firstOrdinal + row - firstRow;
    return { from, to: from + Math.min(rowsLeft, count) };
  }
}
