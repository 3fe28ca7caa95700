/**
 * Maps the numbers that nodes get as they come in to their ordinals. Ordinals are dense per file of a table, so they
 * are known only once the files are sealed; until then ids lead to numbers.
 */
import { grown } from '../columns/growing.ts';

/** The most bytes that a number of 32 bits takes. */
const MOST_VARINT_BYTES = 5;

interface SealedRows {
  readonly firstRow: number;
  readonly firstOrdinal: number;
}

/** The numbers of nodes while an import runs. */
export class NodeNumbers {
  /** How many nodes there are so far, which is the number of the next one. */
  count = 0;
  /** Complete runs of numbers in one table, each as two varints: the table, and how many numbers there are. */
  #runs = new Uint8Array(0);
  #runBytes = 0;
  /** The run that goes on. */
  #table = 0;
  #rows = 0;
  /** The sealed files of each table, and in `#sealedRows` how many rows they have together. */
  readonly #files: SealedRows[][] = [];
  readonly #sealedRows: number[] = [];

  /** Numbers the next `count` rows of the table as the next nodes. */
  add(table: number, count: number): void {
    if (count === 0) return;
    this.count += count;
    if (this.#table !== table) this.#endRun(table);
    this.#rows += count;
  }

  #endRun(next: number): void {
    this.#runs = grown(this.#runs, this.#runBytes + 2 * MOST_VARINT_BYTES);
    if (this.#rows > 0) {
      this.#write(this.#table);
      this.#write(this.#rows);
    }
    this.#table = next;
    this.#rows = 0;
  }

  #write(number: number): void {
    let rest = number;
    for (; rest >= 0x80; rest >>>= 7) this.#runs[this.#runBytes++] = (rest & 0x7f) | 0x80;
    this.#runs[this.#runBytes++] = rest;
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
    for (const { table, count } of this.#allRuns()) {
      for (const end = number + count; number < end; ) {
        const row = rows[table]!;
        const { from, to } = this.#piece(table, row, end - number);
        for (let ordinal = from; ordinal < to; ordinal++) ordinals[number++] = ordinal;
        same = same && from === number - (to - from);
        rows[table] = row + to - from;
      }
    }
    return same ? null : ordinals;
  }

  *#allRuns(): Generator<{ readonly table: number; readonly count: number }, void, void> {
    this.#endRun(this.#table);
    for (let at = 0; at < this.#runBytes; ) {
      const [table, afterTable] = this.#read(at);
      const [count, end] = this.#read(afterTable);
      yield { table, count };
      at = end;
    }
  }

  /** Returns the number that is written at a place, and the place behind it. */
  #read(from: number): [number: number, end: number] {
    let number = 0;
    for (let at = from, shift = 0; ; at++, shift += 7) {
      const byte = this.#runs[at]!;
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return [number >>> 0, at + 1];
    }
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
