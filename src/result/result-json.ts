/**
 * A result as the JSON body of POST /v0/cypher: `{"columns":[…],"rows":[{…}],"write_outcome":{…}?}`, numbers exact, every row with every
 * column as a key. The text is made in pieces of bounded size: one string could not hold the largest results, and between two pieces others may have the thread.
 */
import type { StatementResult, WriteOutcome } from '../engine/index.ts';
import { type JsonForm, type ResultValue, writeJson } from '../value/index.ts';

const PIECE_CHARACTERS = 256 * 1024;
/** A list of more elements may be most of the result: it is written in pieces too. */
const LONG_LIST = 256;

/** UTF-8, at least one piece. */
export function* encodeResult(result: StatementResult, form: JsonForm): Generator<Buffer, void, void> {
  const keys = encodeKeys(result.columns);
  let text = `{"columns":${JSON.stringify(result.columns)},"rows":[`;
  for (const [index, row] of result.rows.entries()) {
    if (text.length > PIECE_CHARACTERS) {
      yield Buffer.from(text);
      text = '';
    }
    if (index > 0) text += ',';
    if (!isLong(row)) {
      text += encodeRow(keys, row, form);
      continue;
    }
    for (const part of encodeLongRow(keys, row, form)) {
      text += part;
      if (text.length <= PIECE_CHARACTERS) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  const outcome = result.writeOutcome;
  yield Buffer.from(`${text}]${outcome === undefined ? '' : `,"write_outcome":${encodeWriteOutcome(outcome)}`}}`);
}

/** The columns as JSON keys with their colon, to be given to `encodeRow` for every row. */
export function encodeKeys(columns: readonly string[]): string[] {
  return columns.map((column) => `${JSON.stringify(column)}:`);
}

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

export function encodeWriteOutcome(outcome: WriteOutcome): string {
  return JSON.stringify({
    nodes_created: outcome.nodesCreated,
    edges_created: outcome.edgesCreated,
    nodes_deleted: outcome.nodesDeleted,
    edges_deleted: outcome.edgesDeleted,
    properties_set: outcome.propertiesSet,
  });
}
