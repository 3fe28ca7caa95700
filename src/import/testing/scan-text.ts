import { CsvScanner, type FieldBlock, parseDialect, type Selection } from '../../formats/index.ts';
/** Scans text as a block, for tests of code that works on blocks. */

/** Scans rows of text, which must fit into one block. */
export function scanText(text: string, columns: number): FieldBlock {
  const bytes = Buffer.from(`${text}\n`);
  const scanner = new CsvScanner(parseDialect({}), columns);
  scanner.scan(bytes, 0, bytes.length - 1);
  return scanner;
}

/** Scans fields as the rows of one column. */
export function scanColumn(fields: readonly string[]): FieldBlock {
  return scanText(fields.map((field) => `${field},\n`).join(''), 2);
}

export function allRows(block: FieldBlock): Selection {
  return Int32Array.from({ length: block.rows }, (_, row) => row);
}
