/** Rows as objects of JSON, with every column as a key: the lines of NDJSON, and the elements of a JSON result. */
import { type JsonForm, type ResultValue, writeJson } from '../../value/index.ts';

/** A list of more elements may be most of the result: it is written in pieces too. */
const LONG_LIST = 256;

/** The columns as JSON keys with their colon, to be given to `encodeRow` for every row. */
export function encodeKeys(columns: readonly string[]): string[] {
  return columns.map((column) => `${JSON.stringify(column)}:`);
}

/** The row as a JSON object: every column is a key. */
export function encodeRow(keys: readonly string[], row: readonly ResultValue[], form: JsonForm): string {
  let text = '{';
  for (let column = 0; column < keys.length; column++) {
    text += `${column === 0 ? '' : ','}${keys[column]}${writeJson(row[column] ?? null, form)}`;
  }
  return `${text}}`;
}

/** Has it a long list? It is to be encoded by `encodeLongRow`. */
export function isLong(row: readonly ResultValue[]): boolean {
  for (const value of row) if (Array.isArray(value) && value.length > LONG_LIST) return true;
  return false;
}

/** The text of `encodeRow` in parts, one for each element of a list. */
export function* encodeLongRow(keys: readonly string[], row: readonly ResultValue[], form: JsonForm): Generator<string, void, void> {
  for (let column = 0; column < keys.length; column++) {
    yield `${column === 0 ? '{' : ','}${keys[column]}`;
    const value = row[column] ?? null;
    if (!Array.isArray(value)) yield writeJson(value, form);
    else {
      for (let i = 0; i < value.length; i++) yield `${i === 0 ? '[' : ','}${writeJson(value[i] as ResultValue, form)}`;
      yield value.length === 0 ? '[]' : ']';
    }
  }
  yield '}';
}
