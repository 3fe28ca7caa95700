/**
 * Maps the type of a column to Parquet's schema and values. Values without an exact type in Parquet stand as text; the
 * name of the column then gives their type (`born:time`).
 */
import type { SchemaElement } from 'hyparquet';
import { GraphDBError, unreachable } from '../../../base/index.ts';
import type { SstColumnKind } from '../../../storage/index.ts';
import {
  type CypherDate,
  type CypherDateTime,
  type CypherLocalDateTime,
  Point,
  pointMapText,
  type ResultValue,
  toNumber,
  type Value,
  writeJson,
} from '../../../value/index.ts';
import type { ColumnType, ElementKind, PropertyShape } from '../property-shape.ts';
import { headerField } from './csv.ts';
import type { ParquetColumn } from './parquet-file.ts';

const MICROS_PER_DAY = 86_400_000_000n;

/** A property as a column of Parquet. */
export interface ParquetProperty extends ParquetColumn {
  readonly key: string;
  /** Whether the column holds the texts of values in typed JSON. */
  readonly isJson: boolean;
  /** Returns the form of a value in a page. */
  readonly convert: (value: Value | ResultValue) => unknown;
  /** Tells whether the arrays of a stored column of this kind hold the values as a page does. */
  readonly isPlain: (kind: SstColumnKind) => boolean;
}

/** For each type the kinds of stored columns that hold no other values. */
const PLAIN: Readonly<Record<string, readonly SstColumnKind[]>> = {
  integer: ['int32', 'integer', 'int64'],
  float: ['float'],
  boolean: ['boolean'],
  date: ['date'],
  string: ['string', 'dictionary'],
};

/**
 * Returns the Parquet column of a property.
 *
 * @param plainName the column's name is the key alone, as in a query's result
 * @throws UNSUPPORTED for a key that a column of an import cannot be named by
 */
export function parquetProperty(key: string, shape: PropertyShape, plainName = false): ParquetProperty {
  if (!plainName) refuseMark(key);
  const { parquetType: type, hasParquetType } = shape;
  const isPlain = (kind: SstColumnKind): boolean => typeof type === 'string' && hasParquetType && (PLAIN[type] ?? []).includes(kind);
  const isJson = type === 'json';
  const needsWord = !hasParquetType || type === 'vector' || key.includes(':');
  const name = needsWord && !plainName ? headerField(key, type) : key;
  if (!hasParquetType) return { key, name, schema: [text(name)], isJson, convert: textOf(type), isPlain };
  if (typeof type === 'object')
    return { key, name, schema: listSchema(name, element('element', type.listOf)), isJson, convert: listOf(type.listOf), isPlain };
  if (type === 'vector') {
    return {
      key,
      name,
      schema: listSchema(name, { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' }),
      isJson,
      convert: (value) => Array.from(value as Float32Array),
      isPlain,
    };
  }
  return { key, name, schema: [element(name, type)], isJson, convert: scalarOf(type), isPlain };
}

/** Refuses a key that begins with a byte order mark, which `graphdb import` and other readers drop from names of columns. */
function refuseMark(key: string): void {
  if (!key.startsWith('\ufeff')) return;
  const problem = `the property key ${JSON.stringify(key)} begins with U+FEFF, which readers of Parquet drop`;
  throw new GraphDBError('UNSUPPORTED', `${problem}; export to csv, ndjson or cypher instead`);
}

/** Returns the schema of a column of text. */
export function text(name: string): SchemaElement {
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' };
}

/** Returns the schema of a column of lists. */
export function listSchema(name: string, child: SchemaElement): SchemaElement[] {
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    child,
  ];
}

function element(name: string, type: Exclude<ColumnType, object>): SchemaElement {
  const repetition_type = 'OPTIONAL';
  switch (type) {
    case 'integer':
      return { name, type: 'INT64', repetition_type };
    case 'float':
      return { name, type: 'DOUBLE', repetition_type };
    case 'boolean':
      return { name, type: 'BOOLEAN', repetition_type };
    case 'date':
      return { name, type: 'INT32', converted_type: 'DATE', repetition_type };
    case 'bytes':
      return { name, type: 'BYTE_ARRAY', repetition_type };
    case 'localdatetime':
    case 'datetime':
      return {
        name,
        type: 'INT64',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: type === 'datetime', unit: 'MICROS' },
        repetition_type,
      };
    case 'string':
    case 'vector':
    case 'localtime':
    case 'time':
    case 'duration':
    case 'point':
    case 'json':
      return text(name);
    default:
      return unreachable(type, 'type of a column');
  }
}

function scalarOf(type: Exclude<ColumnType, object> | ElementKind): (value: Value | ResultValue) => unknown {
  switch (type) {
    case 'integer':
      return (value) => BigInt(value as number | bigint);
    case 'float':
      return (value) => toNumber(value as number);
    case 'date':
      return (value) => (value as CypherDate).epochDay;
    case 'localdatetime':
    case 'datetime':
      return (value) => micros(value as CypherLocalDateTime | CypherDateTime);
    default:
      return (value) => value;
  }
}

function listOf(kind: ElementKind): (value: Value | ResultValue) => unknown {
  const convert = scalarOf(kind);
  return (value) => (value as Value[]).map(convert);
}

function micros({ epochDay, nanoOfDay }: CypherLocalDateTime | CypherDateTime): bigint {
  return BigInt(epochDay) * MICROS_PER_DAY + BigInt(nanoOfDay / 1000);
}

/** Returns a function that writes values as text: temporal ones as ISO 8601, points as their map, others as typed JSON. */
function textOf(type: ColumnType): (value: Value | ResultValue) => unknown {
  if (type === 'json' || typeof type === 'object') return (value) => writeJson(value as ResultValue, 'typed');
  if (type === 'point') return (value) => (value instanceof Point ? pointMapText(value) : String(value));
  return (value) => String(value);
}
