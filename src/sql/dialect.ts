/**
 * The differences between Spark SQL and DuckDB. Both have three-valued logic, treat NaN as the largest number and as
 * equal to itself, and order text by its bytes.
 */
import { GraphDBError } from '../base/index.ts';
import { entityMembers } from './entity-members.ts';
import type { EntityType, MapType, SqlType } from './types.ts';

/** The name of a dialect of SQL. */
export type DialectName = 'spark' | 'duckdb';

/** A column by which rows are ordered: nulls are last, or first where the order descends. */
export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

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
  /** Returns an aggregate: all values, nulls too; null where there is none. */
  collectAll(value: string, fresh: () => string): string;
  /** Returns an item of SELECT that makes one row for each item of a list. */
  explode(list: string): string;
  /** Returns an expression for the member of a struct; its name is one that this layer makes, or quoted. */
  member(struct: string, name: string): string;
  /** Whether a value that a name stands for, and a list whose items are computed on, may hold a subquery. */
  readonly bindsSubqueries: boolean;
  /** Returns an expression in which a name stands for a value, which is computed once. */
  bind(name: string, value: string, body: string): string;
  /** Returns an expression for the list of `body`, in which `name` stands for each item. */
  map(list: string, name: string, body: string): string;
  /** Returns an expression for the items of a list for which a condition is true; `index`, if given, is their place, from `firstPlace`. */
  filter(list: string, condition: string, names: { readonly item: string; readonly index?: string }): string;
  readonly firstPlace: 0 | 1;
  reduce(list: string, initial: string, body: string, names: { readonly accumulator: string; readonly item: string }): string;
  /** Returns an expression for the item at a place from 0; null behind the end. */
  item(list: string, index: string): string;
  /** Returns an expression for a list of the items of lists, none of which is null. */
  concatenate(lists: readonly string[]): string;
  /** Returns a condition that lists, none of which is null, share an item. */
  overlap(a: string, b: string): string;
  /** Returns an aggregate: the values that are not null, by the order of keys. */
  collectInOrder(value: string, keys: readonly SortKey[], fresh: () => string): string;
  /** Returns an aggregate: the sum of Integers as an exact number of any size. */
  exactSum(value: string, distinct: boolean): string;
  /** Returns a number of any size as the nearest Float. */
  nearestFloat(number: string): string;
  /** The keyword before a common table expression that reads itself, or empty. */
  readonly recursion: string;
  divide(a: string, b: string): string;
  fail(message: string): string;
  size(list: string): string;
  /** Returns an expression for a text without some characters at both ends. */
  trim(text: string, characters: string): string;
}

const QUOTED_TEXT = /'/g;

/** Returns an item of ORDER BY. */
export function sortKeyText({ column, descending }: SortKey): string {
  return `${column} ${descending ? 'DESC NULLS FIRST' : 'ASC NULLS LAST'}`;
}

function member(struct: string, name: string): string {
  return /^[\w.]+$/.test(struct) ? `${struct}.${name}` : `(${struct}).${name}`;
}

/** Returns the names of a struct's members, as SQL, with their types. */
function membersOf(dialect: Dialect, type: EntityType | MapType): (readonly [string, SqlType])[] {
  if (type.kind === 'map') return [...type.entries].map(([key, own]) => [dialect.quote(key), own]);
  return entityMembers(type).map(({ name, type: own }) => [name, own]);
}

/** Returns the branches of a CASE that compares two rows by one key. */
function precedence(a: string, b: string, descending: boolean): string {
  const [before, after] = descending ? [1, -1] : [-1, 1];
  return (
    `WHEN ${a} IS NULL AND ${b} IS NOT NULL THEN ${after} WHEN ${a} IS NOT NULL AND ${b} IS NULL THEN ${before} ` +
    `WHEN ${a} < ${b} THEN ${before} WHEN ${a} > ${b} THEN ${after}`
  );
}

const DUCKDB_TYPES: Readonly<Record<Exclude<SqlType['kind'], 'list' | 'entity' | 'map'>, string>> = {
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
  typeName(type) {
    if (type.kind === 'list') return `${DUCKDB.typeName(type.item)}[]`;
    if (type.kind !== 'entity' && type.kind !== 'map') return DUCKDB_TYPES[type.kind];
    return `STRUCT(${membersOf(DUCKDB, type)
      .map(([name, own]) => `${name} ${DUCKDB.typeName(own)}`)
      .join(', ')})`;
  },
  list: (items) => `[${items.join(', ')}]`,
  struct: (members) => `{${members.map(([name, value]) => `${DUCKDB.text(name)}: ${value}`).join(', ')}}`,
  contains: (list, item) => `list_contains(${list}, ${item})`,
  collect: (value, distinct) => `coalesce(list(${distinct ? 'DISTINCT ' : ''}${value}) FILTER (WHERE ${value} IS NOT NULL), [])`,
  collectAll: (value) => `list(${value})`,
  explode: (list) => `unnest(${list})`,
  member,
  bindsSubqueries: true,
  bind: (name, value, body) => `list_transform([${value}], lambda ${name}: ${body})[1]`,
  map: (list, name, body) => `list_transform(${list}, lambda ${name}: ${body})`,
  // Else its estimate leads the order of joins to cross products.
  recursion: 'MATERIALIZED ',
  firstPlace: 1,
  filter: (list, condition, { item, index }) =>
    `list_filter(${list}, lambda ${item}${index === undefined ? '' : `, ${index}`}: ${condition})`,
  reduce: (list, initial, body, { accumulator, item }) => `list_reduce(${list}, lambda ${accumulator}, ${item}: ${body}, ${initial})`,
  item: (list, index) => `list_extract(${list}, ${index} + 1)`,
  concatenate: (lists) => lists.join(' || '),
  overlap: (a, b) => `list_has_any(${a}, ${b})`,
  collectInOrder: (value, keys) =>
    `coalesce(list(${value} ORDER BY ${keys.map(sortKeyText).join(', ')}) FILTER (WHERE ${value} IS NOT NULL), [])`,
  exactSum: (value, distinct) => `sum(${distinct ? 'DISTINCT ' : ''}${value})`,
  // A cast of the 128 bits themselves rounds twice.
  nearestFloat: (number) => `CAST(CAST(${number} AS VARCHAR) AS DOUBLE)`,
  divide: (a, b) => `(${a} // ${b})`,
  fail: (message) => `error(${DUCKDB.text(message)})`,
  size: (list) => `len(${list})`,
  trim: (text, characters) => `trim(${text}, ${characters})`,
};

/** How a variable begins, which Spark replaces anywhere in a text of SQL, also within quotes. */
const VARIABLE = '${';

const SPARK_TYPES: Readonly<Record<Exclude<SqlType['kind'], 'list' | 'entity' | 'map'>, string>> = {
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
  typeName(type) {
    if (type.kind === 'list') return `ARRAY<${SPARK.typeName(type.item)}>`;
    if (type.kind !== 'entity' && type.kind !== 'map') return SPARK_TYPES[type.kind];
    return `STRUCT<${membersOf(SPARK, type)
      .map(([name, own]) => `${name}: ${SPARK.typeName(own)}`)
      .join(', ')}>`;
  },
  list: (items) => `array(${items.join(', ')})`,
  struct: (members) => `named_struct(${members.map(([name, value]) => `${SPARK.text(name)}, ${value}`).join(', ')})`,
  contains: (list, item) => `array_contains(${list}, ${item})`,
  collect: (value, distinct) => `collect_${distinct ? 'set' : 'list'}(${value})`,
  collectAll(value, fresh) {
    const item = fresh();
    return `transform(collect_list(${SPARK.struct([['v', value]])}), ${item} -> ${item}.v)`;
  },
  explode: (list) => `explode(${list})`,
  member,
  bindsSubqueries: false,
  bind: (name, value, body) => `transform(array(${value}), ${name} -> ${body})[0]`,
  map: (list, name, body) => `transform(${list}, ${name} -> ${body})`,
  recursion: '',
  firstPlace: 0,
  filter: (list, condition, { item, index }) => `filter(${list}, ${index === undefined ? item : `(${item}, ${index})`} -> ${condition})`,
  reduce: (list, initial, body, { accumulator, item }) => `aggregate(${list}, ${initial}, (${accumulator}, ${item}) -> ${body})`,
  item: (list, index) => `get(${list}, CAST(${index} AS INT))`,
  concatenate: (lists) => `concat(${lists.join(', ')})`,
  overlap: (a, b) => `arrays_overlap(${a}, ${b})`,
  collectInOrder(value, keys, fresh) {
    const [left, right, item] = [fresh(), fresh(), fresh()];
    const members = [...keys.map(({ column }, index): [string, string] => [`k${index}`, column]), ['v', value] as [string, string]];
    const rows = `collect_list(${SPARK.struct(members)}) FILTER (WHERE ${value} IS NOT NULL)`;
    const cases = keys.map(({ descending }, index) => precedence(`${left}.k${index}`, `${right}.k${index}`, descending));
    const sorted = `array_sort(${rows}, (${left}, ${right}) -> CASE ${cases.join(' ')} ELSE 0 END)`;
    return `transform(${sorted}, ${item} -> ${item}.v)`;
  },
  exactSum: (value, distinct) => `sum(${distinct ? 'DISTINCT ' : ''}CAST(${value} AS DECIMAL(28, 0)))`,
  nearestFloat: (number) => `CAST(${number} AS DOUBLE)`,
  divide: (a, b) => `(${a} div ${b})`,
  fail: (message) => `raise_error(${SPARK.text(message)})`,
  size: (list) => `size(${list})`,
  trim: (text, characters) => `trim(BOTH ${characters} FROM ${text})`,
};

/** The dialects of SQL. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { duckdb: DUCKDB, spark: SPARK };
