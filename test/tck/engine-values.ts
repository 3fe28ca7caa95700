/** Between the engine's values and the runner's own: `fromEngine` for answers, `toEngine` for parameters and procedure tables. */

import { tckTemporalText } from '../../src/exec/functions/testing/tck-temporal-text.ts';
import {
  CypherDuration,
  isFloat,
  isInteger,
  isTemporal,
  makeFloat,
  makeInteger,
  Node,
  Path,
  Relationship,
  toNumber,
  type Value,
} from '../../src/value/index.ts';
import type { TckMap, TckNode, TckPathStep, TckRelationship, TckValue } from './values.ts';

/** An answer's value. Takes anything: an answer that is no Cypher value must fail a comparison, not the runner. */
export function fromEngine(value: unknown): TckValue {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'string') return { kind: 'string', value };
  if (isInteger(value)) return { kind: 'integer', value: BigInt(value) };
  if (isFloat(value)) return { kind: 'float', value: toNumber(value) };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(fromEngine) };
  if (value instanceof Map) return { kind: 'map', entries: fromMap(value) };
  if (value instanceof Node) return fromNode(value);
  if (value instanceof Relationship) return fromRelationship(value);
  if (value instanceof Path) return fromPath(value);
  if (isTemporal(value) || value instanceof CypherDuration) return { kind: 'string', value: tckTemporalText(value.toString()) };
  return { kind: 'other', text: value === undefined ? 'undefined' : Object.prototype.toString.call(value) };
}

function fromMap(map: ReadonlyMap<string, unknown>): TckMap {
  return new Map([...map].map(([key, value]) => [key, fromEngine(value)]));
}

function fromNode(node: Node): TckNode {
  return { kind: 'node', labels: node.labels, properties: fromMap(node.properties) };
}

function fromRelationship(relationship: Relationship): TckRelationship {
  return { kind: 'relationship', type: relationship.type, properties: fromMap(relationship.properties) };
}

function fromPath(path: Path): TckValue {
  const steps = path.relationships.map((relationship, index) => stepOf(relationship, path.nodes[index], path.nodes[index + 1]));
  if (path.nodes.length !== steps.length + 1 || steps.includes(undefined))
    return { kind: 'other', text: 'a path that does not hold together' };
  return { kind: 'path', start: fromNode(path.nodes[0]!), steps: steps as TckPathStep[] };
}

/** Undefined when the relationship does not join the two nodes. A loop is walked along its direction. */
function stepOf(relationship: Relationship, from: Node | undefined, to: Node | undefined): TckPathStep | undefined {
  if (from === undefined || to === undefined) return undefined;
  const shared = { relationship: fromRelationship(relationship), node: fromNode(to) };
  if (relationship.sourceId === from.id && relationship.targetId === to.id) return { direction: 'outgoing', ...shared };
  if (relationship.sourceId === to.id && relationship.targetId === from.id) return { direction: 'incoming', ...shared };
  return undefined;
}

export function toEngine(value: TckValue): Value {
  switch (value.kind) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
      return value.value;
    case 'integer':
      return makeInteger(value.value);
    case 'float':
      return makeFloat(value.value);
    case 'list':
      return value.items.map(toEngine);
    case 'map':
      return new Map([...value.entries].map(([key, entry]) => [key, toEngine(entry)]));
    default:
      throw new Error(`a ${value.kind} cannot be handed to a statement`);
  }
}
