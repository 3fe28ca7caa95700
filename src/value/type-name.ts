/** Names of the types of values, for messages. */

import { CypherFloat } from './numbers.ts';
import { Point } from './spatial/point.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  isVirtual,
  Node,
  NodeValue,
  Path,
  PathValue,
  Relationship,
  RelationshipValue,
} from './values.ts';

/** Returns the type of a value with its article: `an Integer`; `null` for null; `a virtual Node` for one that is not in the graph. */
export function aType(value: unknown): string {
  if (isVirtual(value)) return `a virtual ${typeName(value)}`;
  const name = typeName(value);
  return name === 'Null' ? 'null' : `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns the name of the type of a value: `Integer`, `List`, `Node`. */
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
