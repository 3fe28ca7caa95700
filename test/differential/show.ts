/**
 * Values as text that tells everything apart that Cypher tells apart: 1 from 1.0, 0.0 from -0.0, a date from a string.
 * Nodes and relationships are told by their labels, type, properties and ends, never by their ids, so that answers of
 * two stores, or of a store and the oracle, can be compared.
 */
import {
  CypherDuration,
  CypherFloat,
  compareStrings,
  isInteger,
  isTemporal,
  Node,
  NodeValue,
  Path,
  PathValue,
  Relationship,
  RelationshipValue,
  type Value,
} from '../../src/value/index.ts';
import type { ModelGraph } from './oracle/model.ts';
import { pointParts } from './oracle/points.ts';

export interface ShowOptions {
  /** Where nodes and relationships of the oracle are looked up. */
  readonly graph?: ModelGraph;
  /** Numbers that are equal look equal: for statements that pick one of several equal values. */
  readonly loose?: boolean;
}

export function show(value: unknown, options: ShowOptions = {}): string {
  const inner = (part: unknown): string => show(part, options);
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (isInteger(value)) return String(value);
  if (typeof value === 'number') return floatOf(value, options);
  if (value instanceof CypherFloat) return floatOf(value.value, options);
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
  const point = pointText(value);
  if (point !== null) return point;
  if (value instanceof Map) return showMap(value as Map<string, unknown>, options);
  if (isTemporal(value) || value instanceof CypherDuration) return `${value.constructor.name}(${value.toString()})`;
  if (value instanceof Uint8Array) return `bytes(${Buffer.from(value).toString('hex')})`;
  if (value instanceof Float32Array) return `vector(${[...value].join(', ')})`;
  if (value instanceof NodeValue) return showNode(options.graph!.nodes.get(value.ordinal)!, options);
  if (value instanceof RelationshipValue) return showStored(value.row, options);
  if (value instanceof PathValue) return showStoredPath(value, options);
  if (value instanceof Node) return showNode(value, options);
  if (value instanceof Relationship) return showRelationship(value, options);
  if (value instanceof Path) return `<${[...alternate(value.nodes.map(inner), value.relationships.map(inner))].join(' ')}>`;
  return `??? ${typeof value} ${String(value)}`;
}

/** Returns the text of a point of the oracle, or of one that leaves the engine: whatever its class, it has these members. */
function pointText(value: unknown): string | null {
  const parts = pointParts(value);
  if (parts !== null) return `point(${[parts.srid, ...parts.coordinates].join(', ')})`;
  if (typeof value !== 'object' || value === null || !('srid' in value && 'x' in value && 'y' in value)) return null;
  const third = 'z' in value && typeof value.z === 'number' ? [value.z] : [];
  return `point(${[value.srid, value.x, value.y, ...third].join(', ')})`;
}

function floatOf(value: number, { loose }: ShowOptions): string {
  if (loose === true && Number.isInteger(value)) return String(BigInt(value));
  return Object.is(value, -0) ? '-0.0f' : `${value}f`;
}

function showMap(map: ReadonlyMap<string, unknown>, options: ShowOptions): string {
  const entries = [...map].sort(([a], [b]) => compareStrings(a, b));
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${show(value, options)}`).join(', ')}}`;
}

function showNode(node: { labels: Iterable<string>; properties: Map<string, Value> }, options: ShowOptions): string {
  return `(${[...node.labels]
    .sort()
    .map((label) => `:${label}`)
    .join('')} ${showMap(node.properties, options)})`;
}

function showRelationship({ type, properties }: { type: string; properties: Map<string, Value> }, options: ShowOptions): string {
  return `[:${type} ${showMap(properties, options)}]`;
}

function showStored(key: number, options: ShowOptions): string {
  return showRelationship(options.graph!.relationships.get(key)!, options);
}

function showStoredPath({ nodes, relationships }: PathValue, options: ShowOptions): string {
  const graph = options.graph!;
  const steps = alternate(
    nodes.map((key) => showNode(graph.nodes.get(key)!, options)),
    relationships.map(({ row }) => showStored(row, options)),
  );
  return `<${[...steps].join(' ')}>`;
}

function* alternate(nodes: readonly string[], relationships: readonly string[]): Generator<string> {
  for (const [i, node] of nodes.entries()) {
    yield node;
    if (i < relationships.length) yield relationships[i]!;
  }
}
