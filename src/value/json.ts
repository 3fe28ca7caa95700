/**
 * Values as JSON text, exactly as the interface says: Integers of 64 bits as numbers, integral Floats with their point, NaN and infinities
 * as null, Bytes as base64, temporal values as ISO 8601 (DateTime as RFC 3339), nodes, relationships and paths in their shapes.
 */
import { assert } from '../base/index.ts';
import { typeName } from './faults.ts';
import { rfc3339Text, temporalText } from './temporal/text.ts';
import {
  CypherDateTime,
  CypherDuration,
  CypherFloat,
  isTemporal,
  Node,
  Path,
  Relationship,
  type ResultValue,
  type Value,
} from './values.ts';

/** The JSON text of a value. Keys come in the order of their map; a key may be any text. */
export function writeJson(value: ResultValue): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : floatJson(value);
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      return value === null ? 'null' : objectJson(value);
  }
}

function objectJson(value: Exclude<ResultValue, null | string | number | boolean | bigint>): string {
  if (value instanceof CypherFloat) return floatJson(value.value);
  if (Array.isArray(value)) return listJson(value);
  if (value instanceof Map) return mapJson(value);
  if (value instanceof Node) return nodeJson(value);
  if (value instanceof Relationship) return relationshipJson(value);
  if (value instanceof Path) return pathJson(value);
  if (value instanceof CypherDateTime) return `"${rfc3339Text(value)}"`;
  if (isTemporal(value) || value instanceof CypherDuration) return `"${temporalText(value)}"`;
  if (value instanceof Uint8Array) return `"${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}"`;
  assert(value instanceof Float32Array, `no JSON form for a ${typeName(value)}`);
  return vectorJson(value);
}

/** A number with a point or an exponent, so that it reads back as a Float. */
function floatJson(x: number): string {
  if (!Number.isFinite(x)) return 'null';
  if (!Number.isInteger(x)) return String(x);
  if (Object.is(x, -0)) return '-0.0';
  const text = String(x);
  return text.includes('e') ? text : `${text}.0`;
}

function listJson(list: readonly ResultValue[]): string {
  let text = '[';
  for (let i = 0; i < list.length; i++) text += (i === 0 ? '' : ',') + writeJson(list[i] as ResultValue);
  return `${text}]`;
}

function vectorJson(vector: Float32Array): string {
  let text = '[';
  for (let i = 0; i < vector.length; i++) text += (i === 0 ? '' : ',') + floatJson(vector[i] as number);
  return `${text}]`;
}

function mapJson(map: ReadonlyMap<string, ResultValue | Value>): string {
  let text = '{';
  for (const [key, value] of map) text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${writeJson(value as ResultValue)}`;
  return `${text}}`;
}

function nodeJson(node: Node): string {
  const label = JSON.stringify(node.labels[0] ?? '');
  return `{"_kind":"node","id":${JSON.stringify(node.id)},"label":${label},"labels":${JSON.stringify(node.labels)},"properties":${mapJson(node.properties)}}`;
}

function relationshipJson(relationship: Relationship): string {
  const { id, type, sourceId, targetId, properties } = relationship;
  return `{"_kind":"rel","id":${JSON.stringify(id)},"edge_type":${JSON.stringify(type)},"src":${JSON.stringify(sourceId)},"dst":${JSON.stringify(targetId)},"properties":${mapJson(properties)}}`;
}

function pathJson(path: Path): string {
  const parts: string[] = [];
  path.nodes.forEach((node, index) => {
    parts.push(nodeJson(node));
    const relationship = path.relationships[index];
    if (relationship !== undefined) parts.push(relationshipJson(relationship));
  });
  return `[${parts.join(',')}]`;
}
