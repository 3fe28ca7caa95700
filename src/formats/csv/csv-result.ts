/**
 * The rows of a result as CSV: a header with the names of the columns, then a line per row. Null is an empty field, an
 * empty string a quoted one. Lists, maps, nodes, relationships and paths are JSON; any other value is its text.
 */
import { displayText, Node, Path, Relationship, type ResultValue, writeJson } from '../../value/index.ts';
import { csvField } from './csv-field.ts';

/** The delimiter and the line end of CSV that is written. */
export interface CsvForm {
  readonly delimiter: string;
  readonly lineEnd: '\n' | '\r\n';
}

/** Returns the header line, with its line end. */
export function csvHeader(columns: readonly string[], { delimiter, lineEnd }: CsvForm): string {
  return columns.map((column) => csvField(column, delimiter)).join(delimiter) + lineEnd;
}

/** Returns the line of a row, with its line end. */
export function csvRow(row: readonly ResultValue[], { delimiter, lineEnd }: CsvForm): string {
  return row.map((value) => (value === null ? '' : csvField(cellText(value), delimiter))).join(delimiter) + lineEnd;
}

function cellText(value: ResultValue): string {
  return isCompound(value) ? writeJson(value) : displayText(value);
}

function isCompound(value: ResultValue): boolean {
  if (Array.isArray(value) || value instanceof Map || value instanceof Float32Array || value instanceof Uint8Array) return true;
  return value instanceof Node || value instanceof Relationship || value instanceof Path;
}
