/** Strings of a UTF-8 column, without decoding them each time. */
import type { ColumnView } from '../../graph/index.ts';

export function utf8Of(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** Does the row hold just these bytes? */
export function sameText({ values, heap }: ColumnView, row: number, wanted: Uint8Array): boolean {
  const offsets = values as Uint32Array;
  const start = offsets[row]!;
  if (offsets[row + 1]! - start !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (heap![start + i] !== wanted[i]) return false;
  return true;
}

const SLOTS = 2048;

/** The strings of rows that come again and again, as grouping keys do: the last row of each slot stays decoded. */
export class TextCache {
  private readonly column: ColumnView;
  private readonly rows = new Int32Array(SLOTS).fill(-1);
  private readonly texts: string[] = [];

  constructor(column: ColumnView) {
    this.column = column;
  }

  get(row: number): string {
    const slot = row & (SLOTS - 1);
    if (this.rows[slot] !== row) {
      this.rows[slot] = row;
      this.texts[slot] = this.column.get(row) as string;
    }
    return this.texts[slot]!;
  }
}
