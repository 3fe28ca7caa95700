/** Values as text: for `toString()`, string concatenation, tables, and as Cypher literals. */
import { floatText } from './float-text.ts';
import { CypherFloat } from './numbers.ts';
import { Point, pointText } from './spatial/point.ts';
import {
  CypherDuration,
  isTemporal,
  Node,
  NodeValue,
  Path,
  PathValue,
  Relationship,
  RelationshipValue,
  type ResultValue,
  type Value,
} from './values.ts';

/**
 * Writes a value as a Cypher literal: `'it\'s'`, `[1, 2.0]`, `{a: 1}`, `(:L {p: 1})`, `[:T {p: 1}]`,
 * `<(:A)-[:T]->(:B)>`; temporal values as quoted text, points as calls.
 */
export function literalText(value: Value | ResultValue): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : floatText(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return objectText(value);
  }
}

/** Writes a value for a cell of a table or of CSV: as a literal, but a string without quotes unless it is inside another value. */
export function displayText(value: Value | ResultValue): string {
  if (typeof value === 'string') return value;
  if (isTemporal(value) || value instanceof CypherDuration) return value.toString();
  return literalText(value);
}

function objectText(value: object): string {
  if (value instanceof CypherFloat) return floatText(value.value);
  if (Array.isArray(value)) return `[${value.map(literalText).join(', ')}]`;
  if (value instanceof Map) return mapText(value);
  if (isTemporal(value) || value instanceof CypherDuration) return quoted(value.toString());
  if (value instanceof Point) return pointText(value);
  if (value instanceof Node) return nodeText(value);
  if (value instanceof Relationship) return relationshipText(value);
  if (value instanceof Path) return pathText(value);
  if (value instanceof Uint8Array) return `bytes('${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}')`;
  if (value instanceof Float32Array) return `vector([${Array.from(value, floatText).join(', ')}])`;
  return referenceText(value);
}

/** Writes a reference into the graph by its numbers, since its content is not known. */
function referenceText(value: object): string {
  if (value instanceof NodeValue) return `(#${value.ordinal})`;
  if (value instanceof RelationshipValue) return `[#${value.type}:${value.row}]`;
  return value instanceof PathValue ? `<path of ${value.relationships.length}>` : Object.prototype.toString.call(value);
}

function quoted(text: string): string {
  return `'${replaceCharacters(text, /['\\\b\f\n\r\t]/g, (character) => ESCAPES[character] as string)}'`;
}

/** Characters that are replaced at once: V8 keeps every match until the last one is replaced, at a hundred times its length. */
const REPLACED_CHARACTERS = 16 * 1_024;

/** Replaces the matches of a global pattern, each one UTF-16 unit long, in a text of any length. */
export function replaceCharacters(text: string, pattern: RegExp, replacement: (character: string) => string): string {
  if (text.length <= REPLACED_CHARACTERS) return text.replace(pattern, replacement);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += REPLACED_CHARACTERS)
    pieces.push(text.slice(at, at + REPLACED_CHARACTERS).replace(pattern, replacement));
  return pieces.join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Writes a label, type or property key, in backticks unless it is a plain identifier. */
export function symbolText(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}

function mapText(map: ReadonlyMap<string, Value | ResultValue>): string {
  const entries: string[] = [];
  for (const [key, value] of map) entries.push(`${symbolText(key)}: ${literalText(value)}`);
  return `{${entries.join(', ')}}`;
}

function nodeText(node: Node): string {
  const labels = node.labels.map((label) => `:${symbolText(label)}`).join('');
  const properties = node.properties.size === 0 ? '' : mapText(node.properties);
  return `(${labels}${labels !== '' && properties !== '' ? ' ' : ''}${properties})`;
}

function relationshipText(relationship: Relationship): string {
  const properties = relationship.properties.size === 0 ? '' : ` ${mapText(relationship.properties)}`;
  return `[:${symbolText(relationship.type)}${properties}]`;
}

function pathText(path: Path): string {
  let text = path.nodes.length === 0 ? '' : nodeText(path.nodes[0] as Node);
  path.relationships.forEach((relationship, index) => {
    const next = path.nodes[index + 1] as Node;
    const forwards = relationship.targetId === next.id && relationship.sourceId === (path.nodes[index] as Node).id;
    text += `${forwards ? '-' : '<-'}${relationshipText(relationship)}${forwards ? '->' : '-'}${nodeText(next)}`;
  });
  return `<${text}>`;
}
