/**
 * The differences between Spark SQL and DuckDB. Both have three-valued logic, treat NaN as the largest number and as
 * equal to itself, and order text by its bytes.
 */
import { GraphDBError } from '../base/index.ts';
import type { ScalarKind, SqlType } from './types.ts';

/** The name of a dialect of SQL. */
export type DialectName = 'spark' | 'duckdb';

/** A dialect of SQL. */
export interface Dialect {
  readonly name: DialectName;
  /** The largest number of LIMIT and OFFSET. */
  readonly mostRows: number;
  /** Returns a name as SQL. @throws UNSUPPORTED for one that SQL cannot hold */
  quote(name: string): string;
  text(value: string): string;
  typeName(type: SqlType): string;
  list(items: readonly string[]): string;
  /** Returns an expression for a struct. @param members name and value of each member */
  struct(members: readonly (readonly [string, string])[]): string;
  contains(list: string, item: string): string;
  collect(value: string, distinct: boolean): string;
  /** Returns an item of SELECT that makes one row for each item of a list. */
  explode(list: string): string;
  divide(a: string, b: string): string;
  fail(message: string): string;
  size(list: string): string;
  /** Returns an expression for a text without some characters at both ends. */
  trim(text: string, characters: string): string;
}

const QUOTED_TEXT = /'/g;

const DUCKDB_TYPES: Readonly<Record<ScalarKind | 'null' | 'opaque', string>> = {
  integer: 'BIGINT',
  float: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
  date: 'DATE',
  null: 'VARCHAR',
  opaque: 'VARCHAR',
};

const DUCKDB: Dialect = {
  name: 'duckdb',
  mostRows: Number.POSITIVE_INFINITY,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  text: (value) => `'${value.replace(QUOTED_TEXT, "''")}'`,
  typeName: (type) => (type.kind === 'list' ? `${DUCKDB.typeName(type.item)}[]` : DUCKDB_TYPES[type.kind]),
  list: (items) => `[${items.join(', ')}]`,
  struct: (members) => `{${members.map(([name, value]) => `${DUCKDB.text(name)}: ${value}`).join(', ')}}`,
  contains: (list, item) => `list_contains(${list}, ${item})`,
  collect: (value, distinct) => `coalesce(list(${distinct ? 'DISTINCT ' : ''}${value}) FILTER (WHERE ${value} IS NOT NULL), [])`,
  explode: (list) => `unnest(${list})`,
  divide: (a, b) => `(${a} // ${b})`,
  fail: (message) => `error(${DUCKDB.text(message)})`,
  size: (list) => `len(${list})`,
  trim: (text, characters) => `trim(${text}, ${characters})`,
};

/** How a variable begins, which Spark replaces anywhere in a text of SQL, also within quotes. */
const VARIABLE = '${';

const SPARK_TYPES: Readonly<Record<ScalarKind | 'null' | 'opaque', string>> = {
  ...DUCKDB_TYPES,
  string: 'STRING',
  null: 'STRING',
  opaque: 'STRING',
};

const SPARK: Dialect = {
  name: 'spark',
  mostRows: 2 ** 31 - 1,
  quote(name) {
    if (name.includes(VARIABLE))
      throw new GraphDBError('UNSUPPORTED', `the name ${name} has no form in SQL of Spark, which puts variables there`);
    return `\`${name.replaceAll('`', '``')}\``;
  },
  text: (value) => `'${value.replaceAll('\\', '\\\\').replace(QUOTED_TEXT, "\\'").replaceAll(VARIABLE, '\\u0024{')}'`,
  typeName: (type) => (type.kind === 'list' ? `ARRAY<${SPARK.typeName(type.item)}>` : SPARK_TYPES[type.kind]),
  list: (items) => `array(${items.join(', ')})`,
  struct: (members) => `named_struct(${members.map(([name, value]) => `${SPARK.text(name)}, ${value}`).join(', ')})`,
  contains: (list, item) => `array_contains(${list}, ${item})`,
  collect: (value, distinct) => `collect_${distinct ? 'set' : 'list'}(${value})`,
  explode: (list) => `explode(${list})`,
  divide: (a, b) => `(${a} div ${b})`,
  fail: (message) => `raise_error(${SPARK.text(message)})`,
  size: (list) => `size(${list})`,
  trim: (text, characters) => `trim(BOTH ${characters} FROM ${text})`,
};

/** The dialects of SQL. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { duckdb: DUCKDB, spark: SPARK };
