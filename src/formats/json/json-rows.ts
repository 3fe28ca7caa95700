/** Rows as objects of JSON, with every column as a key: the lines of NDJSON, and the elements of a JSON result. */
import { type JsonForm, type ResultValue, writeJson } from '../../value/index.ts';

/** A row with more values, in lists and maps of any depth, is written in parts. */
const LONG_ROW = 256;

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

/** Whether the row holds so many values that it is to be written in parts, by `encodeLongRow`. Looks at LONG_ROW values at most. */
export function isLong(row: readonly ResultValue[]): boolean {
  return itemsLeft(row, LONG_ROW + row.length) < 0;
}

/** `left` without the items of the value; negative as soon as there are more. */
function itemsLeft(value: readonly ResultValue[] | ReadonlyMap<string, ResultValue>, left: number): number {
  const isList = Array.isArray(value);
  let rest = left - (isList ? value.length : (value as ReadonlyMap<string, ResultValue>).size);
  if (rest < 0) return rest;
  for (const item of isList ? value : (value as ReadonlyMap<string, ResultValue>).values()) {
    if (Array.isArray(item) || item instanceof Map) rest = itemsLeft(item, rest);
    if (rest < 0) return rest;
  }
  return rest;
}

/** The text of `encodeRow` in parts, one for each item of its lists and maps. */
export function* encodeLongRow(keys: readonly string[], row: readonly ResultValue[], form: JsonForm): Generator<string, void, void> {
  for (let column = 0; column < keys.length; column++) {
    yield `${column === 0 ? '{' : ','}${keys[column]}`;
    yield* valueParts(row[column] ?? null, form);
  }
  yield '}';
}

function* valueParts(value: ResultValue, form: JsonForm): Generator<string, void, void> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as ResultValue;
      const before = i === 0 ? '[' : ',';
      if (!Array.isArray(item) && !(item instanceof Map)) yield before + writeJson(item, form);
      else {
        yield before;
        yield* valueParts(item, form);
      }
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (value instanceof Map && !(form === 'typed' && value.has('$'))) {
    let before = '{';
    for (const [key, item] of value) {
      yield `${before}${JSON.stringify(key)}:`;
      yield* valueParts(item, form);
      before = ',';
    }
    yield value.size === 0 ? '{}' : '}';
  } else yield writeJson(value, form);
}
