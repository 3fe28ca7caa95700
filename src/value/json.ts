/**
 * Values as JSON text, in the shapes of the HTTP API: Integers of 64 bits as numbers, integral Floats with their point,
 * NaN and infinities as null, Bytes as base64, temporal values as ISO 8601 (DateTime as RFC 3339), points, nodes,
 * relationships and paths as objects.
 *
 * The `typed` form loses nothing: a value that JSON has no type for is `{"$": <type>, "value": …}`. A map that has a
 * key `$` or `_kind` of its own is written that way too, as a list of pairs, so that it is not taken for a typed value,
 * a node or a relationship. The typed form is read by typed-json.ts, except for paths, which only clients read.
 */
import { assert } from '../base/index.ts';
import { CypherFloat } from './numbers.ts';
import { Point } from './spatial/point.ts';
import { kindOf } from './temporal/parts.ts';
import { rfc3339Text } from './temporal/text.ts';
import { aType } from './type-name.ts';
import {
  CypherDateTime,
  CypherDuration,
  isTemporal,
  Node,
  Path,
  Relationship,
  type ResultValue,
  type Temporal,
  type Value,
} from './values.ts';

/** A form of JSON: `plain` for users, `typed` without loss. */
export type JsonForm = 'plain' | 'typed';

/** Writes a value as JSON text. Keys come in the order of their map; a key may be any text. */
export function writeJson(value: ResultValue, form: JsonForm = 'plain'): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : floatJson(value, form);
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      return value === null ? 'null' : objectJson(value, form);
  }
}

function objectJson(value: Exclude<ResultValue, null | string | number | boolean | bigint>, form: JsonForm): string {
  if (value instanceof CypherFloat) return floatJson(value.value, form);
  if (Array.isArray(value)) return listJson(value, form);
  if (value instanceof Map) return mapJson(value, form);
  if (value instanceof Node) return nodeJson(value, form);
  if (value instanceof Relationship) return relationshipJson(value, form);
  if (value instanceof Path) return pathJson(value, form);
  if (isTemporal(value) || value instanceof CypherDuration) return temporalJson(value, form);
  if (value instanceof Uint8Array) {
    const text = `"${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}"`;
    return form === 'typed' ? tagged('bytes', text) : text;
  }
  if (value instanceof Point) return pointJson(value, form);
  assert(value instanceof Float32Array, `no JSON form for ${aType(value)}`);
  return form === 'typed' ? tagged('vector', vectorJson(value, form)) : vectorJson(value, form);
}

/** Tells whether a map, such as the properties of a node, is written as a list of pairs, since its keys have a meaning in the form. */
export function isTaggedMap(map: ReadonlyMap<string, unknown>, form: JsonForm): boolean {
  return form === 'typed' && (map.has('$') || map.has('_kind'));
}

function tagged(type: string, json: string): string {
  return `{"$":"${type}","value":${json}}`;
}

function temporalJson(value: Temporal | CypherDuration, form: JsonForm): string {
  if (form === 'typed') return tagged(value instanceof CypherDuration ? 'duration' : kindOf(value), `"${value.toString()}"`);
  return `"${value instanceof CypherDateTime ? rfc3339Text(value) : value.toString()}"`;
}

/** Writes a point. In the typed form its tag distinguishes it from a map of the same shape. */
function pointJson({ srid, x, y, z }: Point, form: JsonForm): string {
  const third = z === null ? '' : `,"z":${floatJson(z, form)}`;
  const json = `{"_kind":"point","srid":${srid},"x":${floatJson(x, form)},"y":${floatJson(y, form)}${third}}`;
  return form === 'typed' ? tagged('point', json) : json;
}

/** Writes a Float with a point or an exponent, so that it reads back as a Float. */
function floatJson(x: number, form: JsonForm): string {
  if (!Number.isFinite(x)) return form === 'typed' ? tagged('float', `"${x}"`) : 'null';
  if (!Number.isInteger(x)) return String(x);
  if (Object.is(x, -0)) return '-0.0';
  const text = String(x);
  return text.includes('e') ? text : `${text}.0`;
}

function listJson(list: readonly ResultValue[], form: JsonForm): string {
  let text = '[';
  for (let i = 0; i < list.length; i++) text += (i === 0 ? '' : ',') + writeJson(list[i] as ResultValue, form);
  return `${text}]`;
}

function vectorJson(vector: Float32Array, form: JsonForm): string {
  let text = '[';
  for (let i = 0; i < vector.length; i++) text += (i === 0 ? '' : ',') + floatJson(vector[i] as number, form);
  return `${text}]`;
}

function mapJson(map: ReadonlyMap<string, ResultValue | Value>, form: JsonForm): string {
  if (isTaggedMap(map, form)) return tagged('map', listJson(Array.from(map) as [string, ResultValue][], form)); // as: properties are none
  let text = '{';
  for (const [key, value] of map) text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${writeJson(value as ResultValue, form)}`;
  return `${text}}`;
}

function nodeJson(node: Node, form: JsonForm): string {
  return `${nodeHead(node)}${mapJson(node.properties, form)}}`;
}

/** Returns the JSON text of a node up to its properties, which follow it. */
export function nodeHead({ id, labels }: Node): string {
  const label = JSON.stringify(labels[0] ?? '');
  return `{"_kind":"node","id":${JSON.stringify(id)},"label":${label},"labels":${JSON.stringify(labels)},"properties":`;
}

function relationshipJson(relationship: Relationship, form: JsonForm): string {
  return `${relationshipHead(relationship)}${mapJson(relationship.properties, form)}}`;
}

/** Returns the JSON text of a relationship up to its properties, which follow it. */
export function relationshipHead({ id, type, sourceId, targetId }: Relationship): string {
  return (
    `{"_kind":"rel","id":${JSON.stringify(id)},"edge_type":${JSON.stringify(type)},` +
    `"src":${JSON.stringify(sourceId)},"dst":${JSON.stringify(targetId)},"properties":`
  );
}

function pathJson(path: Path, form: JsonForm): string {
  const parts: string[] = [];
  path.nodes.forEach((node, index) => {
    parts.push(nodeJson(node, form));
    const relationship = path.relationships[index];
    if (relationship !== undefined) parts.push(relationshipJson(relationship, form));
  });
  const json = `[${parts.join(',')}]`;
  return form === 'typed' ? tagged('path', json) : json;
}
