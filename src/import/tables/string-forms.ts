/** Decides how the strings of a table that comes in pieces are stored, so that its files agree where they can. */
import type { SstColumn } from '../../storage/index.ts';
import { ByteDictionary } from '../columns/byte-dictionary.ts';
import { storageOfKind } from '../columns/create-column.ts';
import type { StringForm } from '../columns/string-column.ts';

interface ColumnsOfPiece {
  readonly rows: number;
  readonly columns: readonly SstColumn[];
}

/** Decides how strings of a table are stored. */
export class StringForms {
  readonly #byColumn = new Map<string, StringForm>();

  /** Returns the form of each column of strings: that of earlier files, or the one that suits these rows. */
  decide(pieces: readonly ColumnsOfPiece[]): ReadonlyMap<string, StringForm> {
    for (const { columns } of pieces) {
      for (const { name, kind } of columns) {
        if (storageOfKind(kind) === 'string' && !this.#byColumn.has(name)) this.#byColumn.set(name, formOf(name, pieces));
      }
    }
    return new Map(this.#byColumn);
  }
}

/** Chooses the form of a column: a dictionary if at most half of the rows are distinct. */
function formOf(name: string, pieces: readonly ColumnsOfPiece[]): StringForm {
  const union = new ByteDictionary();
  const [rows, spelledOut] = [{ count: 0 }, { count: 0 }];
  for (const piece of pieces) {
    const column = piece.columns.find((each) => each.name === name);
    if (column === undefined) continue;
    rows.count += piece.rows;
    if (column.dictionary === undefined) spelledOut.count += piece.rows;
  }
  if (2 * spelledOut.count > rows.count) return 'string';
  for (const { columns } of pieces) {
    const dictionary = columns.find((each) => each.name === name)?.dictionary;
    if (dictionary === undefined) continue;
    for (let entry = 0; entry + 1 < dictionary.offsets.length; entry++)
      union.intern(dictionary.heap, dictionary.offsets[entry]!, dictionary.offsets[entry + 1]!);
    if (2 * union.size > rows.count) return 'string';
  }
  return 'dictionary';
}
