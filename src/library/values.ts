/**
 * Values as JavaScript sees them.
 *
 * Out: null, boolean, string as they are; Integer → number, bigint beyond ±2^53; Float → number; Bytes → Uint8Array; Vector → Float32Array;
 * List → array; Map → plain object; temporal values → the classes of this package; Node, Relationship, Path → the classes below.
 *
 * In: the same, and Map for a map, Date for a DateTime in UTC. A number without fraction is an Integer; `float(1)` is the Float. A member that
 * is undefined is left out. What has no Cypher value is an `ARGUMENT_ERROR` that names where it stands.
 */
import { GraphDBError } from '../base/index.ts';
import * as cypher from '../value/index.ts';

export type PlainObject = { [key: string]: GraphValue };

/** A value of a result. */
export type GraphValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Float32Array
  | cypher.Temporal
  | cypher.CypherDuration
  | Node
  | Relationship
  | Path
  | GraphValue[]
  | PlainObject;

/** A value of a parameter. */
export type Parameter =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | cypher.CypherFloat
  | Uint8Array
  | Float32Array
  | cypher.Temporal
  | cypher.CypherDuration
  | Date
  | readonly Parameter[]
  | ReadonlyMap<string, Parameter>
  | { readonly [key: string]: Parameter };

export type Parameters = ReadonlyMap<string, Parameter> | { readonly [key: string]: Parameter };

export class Node {
  readonly id: string;
  readonly labels: readonly string[];
  readonly properties: PlainObject;

  constructor(id: string, labels: readonly string[], properties: PlainObject) {
    this.id = id;
    this.labels = labels;
    this.properties = properties;
  }
}

/** `sourceId` and `targetId` follow the stored direction. */
export class Relationship {
  readonly id: string;
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly properties: PlainObject;

  constructor(parts: { id: string; type: string; sourceId: string; targetId: string; properties: PlainObject }) {
    this.id = parts.id;
    this.type = parts.type;
    this.sourceId = parts.sourceId;
    this.targetId = parts.targetId;
    this.properties = parts.properties;
  }
}

/** A walk: `relationships[i]` joins `nodes[i]` and `nodes[i + 1]`, in either direction. */
export class Path {
  readonly nodes: readonly Node[];
  readonly relationships: readonly Relationship[];

  constructor(nodes: readonly Node[], relationships: readonly Relationship[]) {
    this.nodes = nodes;
    this.relationships = relationships;
  }
}

/** A Float parameter, where a bare number without fraction would be an Integer. */
export function float(number: number): number | cypher.CypherFloat {
  return cypher.makeFloat(number);
}

const DEEPEST_PARAMETER = 1_000;

// ---------------------------------------------------------------- out

export function toGraphValue(value: cypher.ResultValue): GraphValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof cypher.CypherFloat) return value.value;
  if (Array.isArray(value)) return value.map(toGraphValue);
  if (value instanceof Map) return toPlainObject(value);
  if (value instanceof cypher.Node) return toNode(value);
  if (value instanceof cypher.Relationship) return toRelationship(value);
  if (value instanceof cypher.Path) return new Path(value.nodes.map(toNode), value.relationships.map(toRelationship));
  return value;
}

function toNode(node: cypher.Node): Node {
  return new Node(node.id, node.labels, toPlainObject(node.properties));
}

function toRelationship(relationship: cypher.Relationship): Relationship {
  const { id, type, sourceId, targetId } = relationship;
  return new Relationship({ id, type, sourceId, targetId, properties: toPlainObject(relationship.properties) });
}

// Properties of a materialised node or relationship hold no references into the graph: they are values that results may have.
function toPlainObject(map: ReadonlyMap<string, cypher.Value | cypher.ResultValue>): PlainObject {
  const object: PlainObject = {};
  for (const [key, value] of map) setMember(object, key, toGraphValue(value as cypher.ResultValue));
  return object;
}

/** `__proto__` is a key like any other. */
export function setMember(object: PlainObject, key: string, value: GraphValue): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

// ---------------------------------------------------------------- in

export function fromParameters(parameters: Parameters): Map<string, cypher.Value> {
  return fromMembers(parameters, 'params', 0);
}

function fromParameter(parameter: unknown, place: string, depth: number): cypher.Value {
  switch (typeof parameter) {
    case 'boolean':
      return parameter;
    case 'string':
      return parameter.isWellFormed() ? parameter : refuse(place, 'is a string with half a surrogate pair');
    case 'number':
      return Object.is(parameter, -0) ? cypher.makeFloat(parameter) : parameter;
    case 'bigint':
      return fromBigint(parameter, place);
    case 'undefined':
      return null;
    case 'object':
      return parameter === null ? null : fromObject(parameter, place, depth);
    default:
      return refuse(place, `is a ${typeof parameter}`);
  }
}

function fromBigint(parameter: bigint, place: string): cypher.Value {
  if (parameter < cypher.INT64_MIN || parameter > cypher.INT64_MAX) return refuse(place, 'does not fit in 64 bits');
  return cypher.makeInteger(parameter);
}

function fromObject(parameter: object, place: string, depth: number): cypher.Value {
  if (depth > DEEPEST_PARAMETER) return refuse(place, 'is nested too deeply, or holds itself');
  if (Array.isArray(parameter)) return parameter.map((item, index) => fromParameter(item, `${place}[${index}]`, depth + 1));
  if (parameter instanceof Uint8Array) return new Uint8Array(parameter);
  if (parameter instanceof Float32Array) return new Float32Array(parameter);
  if (parameter instanceof Date) return fromDate(parameter, place);
  if (parameter instanceof cypher.CypherFloat || parameter instanceof cypher.CypherDuration || cypher.isTemporal(parameter))
    return parameter;
  if (parameter instanceof Map) return fromMembers(parameter as ReadonlyMap<string, Parameter>, place, depth);
  const prototype: unknown = Object.getPrototypeOf(parameter);
  if (prototype !== Object.prototype && prototype !== null) {
    return refuse(place, `is a ${parameter.constructor.name}, which has no Cypher value`);
  }
  return fromMembers(parameter as { [key: string]: Parameter }, place, depth);
}

function fromMembers(members: Parameters, place: string, depth: number): Map<string, cypher.Value> {
  const map = new Map<string, cypher.Value>();
  if (members instanceof Map) {
    for (const [key, member] of members as ReadonlyMap<unknown, Parameter>) {
      if (typeof key !== 'string') refuse(place, 'is a Map with a key that is no string');
      setParameter(map, key, member, { place, depth });
    }
    return map;
  }
  const object = members as { readonly [key: string]: Parameter };
  const around = { place, depth };
  for (const key of Object.keys(object)) setParameter(map, key, object[key], around);
  return map;
}

function setParameter(map: Map<string, cypher.Value>, key: string, member: Parameter, around: { place: string; depth: number }): void {
  if (!key.isWellFormed()) refuse(around.place, 'has a key with half a surrogate pair');
  // What most parameters are needs no place to tell of.
  if (typeof member === 'number' && member !== 0) map.set(key, member);
  else if (member !== undefined) map.set(key, fromParameter(member, `${around.place}.${key}`, around.depth + 1));
}

function fromDate(date: Date, place: string): cypher.Value {
  const epochMs = date.getTime();
  if (Number.isNaN(epochMs)) return refuse(place, 'is an invalid Date');
  const epochDay = Math.floor(epochMs / 86_400_000);
  return new cypher.CypherDateTime(epochDay, (epochMs - epochDay * 86_400_000) * 1_000_000, 0, null);
}

function refuse(place: string, reason: string): never {
  const shown = place.length > 100 ? `${place.slice(0, 100)}…` : place;
  throw new GraphDBError('ARGUMENT_ERROR', `${shown} ${reason}`);
}
