/**
 * The faults that evaluating a value can raise, each with the openCypher TCK's classification, and the names of types that messages use.
 */
import { GraphDBError } from '../base/index.ts';
import { Point } from './spatial/point.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherFloat,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  Node,
  NodeValue,
  Path,
  PathValue,
  Relationship,
  RelationshipValue,
} from './values.ts';

const LONGEST_QUOTE = 100;

/** A text of the user as messages quote it: its beginning, where it is long. */
export function quoted(text: string): string {
  return text.length <= LONGEST_QUOTE ? `"${text}"` : `"${text.slice(0, LONGEST_QUOTE).toWellFormed()}…"`;
}

/** A value of the wrong type; `detail` is the TCK's (`InvalidArgumentType`, `InvalidArgumentValue`, `InvalidPropertyType`, …). */
export function typeFault(message: string, detail = 'InvalidArgumentType'): GraphDBError {
  return new GraphDBError('TYPE_ERROR', message, { tck: { type: 'TypeError', phase: 'runtime', detail } });
}

/** A value of the right type outside what is allowed. */
export function argumentFault(message: string, detail = 'InvalidArgumentValue', cause?: unknown): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', message, { tck: { type: 'ArgumentError', phase: 'runtime', detail }, cause });
}

export function arithmeticFault(message: string, detail: string): GraphDBError {
  return new GraphDBError('ARITHMETIC_ERROR', message, { tck: { type: 'ArithmeticError', phase: 'runtime', detail } });
}

export function overflowFault(operation: string): GraphDBError {
  return arithmeticFault(`${operation} leaves the range of a 64-bit integer`, 'IntegerOverflow');
}

/** The type of a value as messages name it: `Integer`, `List`, `Node`. */
/** With its article, as messages say what they found: `an Integer`, `null`. */
export function aType(value: unknown): string {
  const name = typeName(value);
  return name === 'Null' ? 'null' : `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'Null';
  switch (typeof value) {
    case 'boolean':
      return 'Boolean';
    case 'string':
      return 'String';
    case 'bigint':
      return 'Integer';
    case 'number':
      return Number.isSafeInteger(value) ? 'Integer' : 'Float';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: unknown): string {
  if (value instanceof CypherFloat) return 'Float';
  if (Array.isArray(value)) return 'List';
  if (value instanceof Map) return 'Map';
  if (value instanceof NodeValue || value instanceof Node) return 'Node';
  if (value instanceof RelationshipValue || value instanceof Relationship) return 'Relationship';
  if (value instanceof PathValue || value instanceof Path) return 'Path';
  if (value instanceof CypherDate) return 'Date';
  if (value instanceof CypherLocalTime) return 'LocalTime';
  if (value instanceof CypherTime) return 'Time';
  if (value instanceof CypherLocalDateTime) return 'LocalDateTime';
  if (value instanceof CypherDateTime) return 'DateTime';
  if (value instanceof CypherDuration) return 'Duration';
  if (value instanceof Point) return 'Point';
  if (value instanceof Uint8Array) return 'Bytes';
  if (value instanceof Float32Array) return 'Vector';
  return 'unknown value';
}
