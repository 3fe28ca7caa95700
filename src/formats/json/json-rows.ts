/** Rows as JSON objects with every column as a key: the lines of NDJSON, and the elements of a JSON result. */
import { type JsonForm, type ResultValue, writeJson, writeJsonParts } from '../../value/index.ts';

/** Returns the columns as JSON keys with their colon, which `encodeRow` needs for every row. */
export function encodeKeys(columns: readonly string[]): string[] {
  return columns.map((column) => `${JSON.stringify(column)}:`);
}

/** Encodes a row as a JSON object with every column as a key. */
export function encodeRow(keys: readonly string[], row: readonly ResultValue[], form: JsonForm): string {
  let text = '{';
  for (let column = 0; column < keys.length; column++) {
    text += `${column === 0 ? '' : ','}${keys[column]}${writeJson(row[column] ?? null, form)}`;
  }
  return `${text}}`;
}

/** Encodes a row as `encodeRow` does, in parts, for rows of large values. */
export function* encodeLongRow(keys: readonly string[], row: readonly ResultValue[], form: JsonForm): Generator<string, void, void> {
  for (let column = 0; column < keys.length; column++) {
    yield `${column === 0 ? '{' : ','}${keys[column]}`;
    yield* writeJsonParts(row[column] ?? null, form);
  }
  yield '}';
}
