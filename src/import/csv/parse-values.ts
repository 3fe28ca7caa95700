/**
 * Parses lists, points and temporal values from the text of a field: the types without a column form of their own. It
 * makes one string and one object per value.
 */

import { GraphDBError, unreachable } from '../../base/index.ts';
import { type FieldBlock, fieldText } from '../../formats/index.ts';
import {
  assertStorable,
  bytesOfBase64,
  durationFrom,
  fromTypedResult,
  makeFloat,
  parseJson,
  parseTemporal,
  type Value,
} from '../../value/index.ts';
import type { PropertyType, ScalarType } from './header.ts';
import { booleanOf } from './parse-booleans.ts';
import { floatOf } from './parse-floats.ts';
import { integerOf } from './parse-integers.ts';
import { type PointDefaults, pointOf } from './parse-points.ts';
import { usualDateTime, usualLocalDateTime } from './parse-timestamps.ts';

/** Returns the value of a field, null where it has none. @throws a GraphDBError whose message is the reason */
export type ParseValue = (block: FieldBlock, row: number, column: number) => Value;

/** Matches a time of day or a datetime that ends with a zone: `Z`, an offset, or a name in brackets. */
const HAS_ZONE = /(?:Z|[+-]\d{2}(?::?\d{2}){0,2}|\])$/;

/** Returns a parser of values of a type. */
export function valueParser(type: PropertyType, arrayDelimiter: number): ParseValue {
  const separator = String.fromCharCode(arrayDelimiter);
  if (type.scalar === 'json') {
    return (block, row, column) => {
      const values = block.values?.[column];
      if (values !== undefined) return values[row] ?? null;
      const at = row * block.columns + column;
      return block.starts[at]! >= block.ends[at]! ? null : scalar(type, fieldText(block, row, column));
    };
  }
  if (!type.list && (type.scalar === 'vector' || type.scalar === 'bytes')) {
    const parse = type.scalar === 'vector' ? (text: string) => vectorOf(text, separator) : bytesOf;
    return (block, row, column) => {
      const at = row * block.columns + column;
      return block.starts[at] === block.ends[at] ? null : parse(fieldText(block, row, column));
    };
  }
  if (!type.list) {
    const usual = type.scalar === 'datetime' ? usualDateTime : type.scalar === 'localdatetime' ? usualLocalDateTime : () => null;
    return (block, row, column) => {
      const at = row * block.columns + column;
      const from = block.starts[at]!;
      const to = block.ends[at]!;
      return from >= to ? null : (usual(block.bytes, from, to) ?? scalar(type, fieldText(block, row, column)));
    };
  }
  return (block, row, column) => {
    const at = row * block.columns + column;
    const length = block.ends[at]! - block.starts[at]!;
    if (length === 0) return null;
    return length < 0
      ? []
      : fieldText(block, row, column)
          .split(separator)
          .map((text) => scalar(type, text));
  };
}

const NO_DEFAULTS: PointDefaults = new Map();

function scalar({ scalar: type, timezone, pointDefaults }: PropertyType, text: string): Value {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
      return integerOf(text) ?? refuse(text, 'an Integer of 64 bits');
    case 'float':
      return makeFloat(floatOf(text) ?? refuse(text, 'a Float'));
    case 'boolean':
      return booleanOf(text) ?? refuse(text, 'a Boolean');
    case 'duration':
      return durationFrom(text.trim());
    case 'time':
    case 'datetime':
      return parseTemporal(type, withZone(type, text.trim(), timezone));
    case 'date':
    case 'localtime':
    case 'localdatetime':
      return parseTemporal(type, text.trim());
    case 'point':
      return pointOf(text, pointDefaults ?? NO_DEFAULTS);
    case 'vector':
      return vectorOf(text, ';');
    case 'bytes':
      return bytesOf(text);
    case 'json':
      return storable(fromTypedResult(parseJson(text)));
    default:
      return unreachable(type, 'type of a column');
  }
}

/** Parses the text of a value of this type. */
export function valueOfText(type: PropertyType, text: string): Value {
  return scalar(type, text);
}

function storable(value: Value): Value {
  if (value !== null) assertStorable(value);
  return value;
}

function bytesOf(text: string): Uint8Array {
  return bytesOfBase64(text) ?? refuse(text, 'base64');
}

function vectorOf(text: string, separator: string): Float32Array {
  if (text === '') return new Float32Array(0);
  return Float32Array.from(text.split(separator), (part) => floatOf(part) ?? refuse(part, 'a Float'));
}

function refuse(text: string, what: string): never {
  throw new GraphDBError('ARGUMENT_ERROR', `${JSON.stringify(text)} is not ${what}`);
}

function withZone(type: ScalarType, text: string, timezone: string | undefined): string {
  const time = type === 'time' ? text : text.slice(text.indexOf('T') + 1 || text.length);
  if (timezone === undefined || HAS_ZONE.test(time)) return text;
  const named = timezone !== 'Z' && /^[A-Za-z]/.test(timezone);
  return `${time === '' ? `${text}T00:00` : text}${named ? `[${timezone}]` : timezone}`;
}
