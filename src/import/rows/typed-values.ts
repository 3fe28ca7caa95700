/** Values of rows as the types that headers name: text is parsed, and Integers become Floats where these are wanted. */
import { GraphDBError } from '../../base/index.ts';
import { reasonOf } from '../../formats/index.ts';
import { aType, CypherFloat, isInteger, makeFloat, typeName, type Value } from '../../value/index.ts';
import { type HeaderField, type PropertyType, propertyType, type ScalarType } from '../csv/header.ts';
import { floatOf } from '../csv/parse-floats.ts';
import { valueOfText } from '../csv/parse-values.ts';
import type { RowColumn } from './row-batch.ts';

/** The name of the type of values that a column of a type holds; `json` columns hold any. */
const TYPE_NAMES: Readonly<Record<Exclude<ScalarType, 'json'>, string>> = {
  string: 'String',
  integer: 'Integer',
  float: 'Float',
  boolean: 'Boolean',
  date: 'Date',
  localtime: 'LocalTime',
  time: 'Time',
  localdatetime: 'LocalDateTime',
  datetime: 'DateTime',
  duration: 'Duration',
  point: 'Point',
  vector: 'Vector',
  bytes: 'Bytes',
};

/** Returns values of the type that the header names. `bad` gets the rows whose values have another type, with the reason. */
export function asTyped(field: HeaderField, values: RowColumn['values'], bad: Map<number, string>): (Value | undefined)[] {
  const type = propertyType(field);
  const typed: (Value | undefined)[] = [];
  values.forEach((value, row) => {
    if (value === undefined || value === null) return;
    try {
      typed[row] = typedValue(value, type);
    } catch (error) {
      bad.set(row, `column ${field.text}: ${reasonOf(error)}`);
    }
  });
  return typed;
}

function typedValue(value: Value, type: PropertyType): Value {
  if (type.scalar === 'json') return one(value, type);
  if (Array.isArray(value) && type.scalar === 'vector' && !type.list) return Float32Array.from(value, component);
  if (type.list !== Array.isArray(value))
    throw fault(type.list ? `${aType(value)} is no List` : `${aType(value)} where the type is no list`);
  return Array.isArray(value) ? value.map((element) => one(element, type)) : one(value, type);
}

function one(value: Value, type: PropertyType): Value {
  const { scalar } = type;
  if (typeof value === 'string' && scalar !== 'string') return valueOfText(type, value);
  if (scalar === 'float' && isInteger(value)) return makeFloat(Number(value));
  if (scalar !== 'json' && typeName(value) !== TYPE_NAMES[scalar]) throw fault(`${aType(value)} where the type is ${TYPE_NAMES[scalar]}`);
  return value;
}

function component(element: Value): number {
  if (element instanceof CypherFloat) return element.value;
  if (typeof element === 'number' || typeof element === 'bigint') return Number(element);
  const parsed = typeof element === 'string' ? floatOf(element) : null;
  if (parsed === null) throw fault(`a component of a vector is a number, not ${aType(element)}`);
  return parsed;
}

function fault(message: string): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', message);
}
