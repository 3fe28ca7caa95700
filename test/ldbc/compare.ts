/**
 * Brings an answer of the engine and one of SQLite into one form and tells what differs.
 *
 * SQLite has no booleans and no lists: a boolean is 0 or 1, a list its JSON text. Integers and floats stay apart; a float is compared to
 * ten digits, since the order in which a sum is taken is nobody's promise.
 */
import { isFloat, isInteger, makeFloat, toNumber } from '../../src/value/index.ts';

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface CompareOptions {
  readonly inOrder: boolean;
}

/** Returns the differences, for a person to read; undefined when the answers are equal. */
export function difference(cypher: Answer, sql: Answer, { inOrder }: CompareOptions): string | undefined {
  if (cypher.columns.join() !== sql.columns.join()) return `columns: Cypher ${cypher.columns.join()}, SQL ${sql.columns.join()}`;
  const left = texts(cypher, inOrder);
  const right = texts(sql, inOrder);
  if (left.length !== right.length) return `Cypher ${left.length} rows, SQL ${right.length}; ${firstDifference(left, right)}`;
  return left.every((text, index) => text === right[index]) ? undefined : firstDifference(left, right);
}

function texts(answer: Answer, inOrder: boolean): string[] {
  const rows = answer.rows.map((row) => row.map(comparable).join(' | '));
  return inOrder ? rows : rows.sort();
}

function firstDifference(left: readonly string[], right: readonly string[]): string {
  const index = left.findIndex((text, place) => text !== right[place]);
  const row = index < 0 ? left.length : index;
  return `row ${row + 1}: Cypher ${left[row] ?? 'none'}; SQL ${right[row] ?? 'none'}`;
}

/** The text that stands for a value; a leading letter keeps types apart. */
function comparable(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return `i${Number(value)}`;
  if (typeof value === 'string') return `s${value}`;
  if (isInteger(value) || typeof value === 'bigint') return `i${value}`;
  if (isFloat(value)) return `f${Number(toNumber(value).toPrecision(10))}`;
  if (Array.isArray(value)) return `s${JSON.stringify(value)}`;
  throw new Error(`a query of this suite returns what SQLite has no form for: ${String(value)}`);
}

/** SQLite's numbers: integers come as bigint, so that a number is always a float. */
export function fromSqlite(columns: readonly string[], rows: readonly Record<string, unknown>[]): Answer {
  return { columns, rows: rows.map((row) => columns.map((column) => sqliteValue(row[column]))) };
}

function sqliteValue(value: unknown): unknown {
  return typeof value === 'number' ? makeFloat(value) : value;
}
