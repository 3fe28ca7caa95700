/**
 * The JavaScript forms of values, in results and in parameters.
 *
 * Out: null, boolean, string as they are; Integer → number, bigint beyond ±2^53; Float → number; Bytes → Uint8Array;
 * Vector → Float32Array; List → array; Map → plain object; temporal values and points → the classes of this package;
 * Node, Relationship, Path → the classes below.
 *
 * In: the same, and Map for a map, Date for a DateTime in UTC. A number without fraction is an Integer; `float(1)` is
 * the Float. A member that is undefined is left out. A value without a Cypher form is an `ARGUMENT_ERROR`.
 */
import { GraphDBError } from '../base/index.ts';
import * as cypher from '../value/index.ts';

/** A Cypher map as a JavaScript object. */
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
  | cypher.Point
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
  | cypher.Point
  | Date
  | readonly Parameter[]
  | ReadonlyMap<string, Parameter>
  | { readonly [key: string]: Parameter };

/** The parameters of a statement, by name. */
export type Parameters = ReadonlyMap<string, Parameter> | { readonly [key: string]: Parameter };

/**
 * Parameters of a statement (`Parameters`): an object or a Map of values by their names. The type is `object`, because
 * values may have interface types, which lack index signatures; a value without a Cypher form is refused when the
 * statement runs.
 */
export type ParameterObject = object;

/**
 * A node. `P` is the type of properties that the program expects. `name` is written out here, in `Relationship` and in
 * `Path`, since a bundler renames these classes: the value layer has classes of the same names.
 */
export class Node<P extends object = PlainObject> {
  static readonly name = 'Node';
  readonly id: string;
  readonly labels: readonly string[];
  readonly properties: P;

  constructor(id: string, labels: readonly string[], properties: P) {
    this.id = id;
    this.labels = labels;
    this.properties = properties;
  }
}

/** A relationship. `sourceId` and `targetId` follow the stored direction. */
export class Relationship<P extends object = PlainObject> {
  static readonly name = 'Relationship';
  readonly id: string;
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly properties: P;

  constructor(parts: { id: string; type: string; sourceId: string; targetId: string; properties: P }) {
    this.id = parts.id;
    this.type = parts.type;
    this.sourceId = parts.sourceId;
    this.targetId = parts.targetId;
    this.properties = parts.properties;
  }
}

/** A walk: `relationships[i]` joins `nodes[i]` and `nodes[i + 1]`, in either direction. */
export class Path {
  static readonly name = 'Path';
  readonly nodes: readonly Node[];
  readonly relationships: readonly Relationship[];

  constructor(nodes: readonly Node[], relationships: readonly Relationship[]) {
    this.nodes = nodes;
    this.relationships = relationships;
  }
}

/** Makes a Float parameter; a bare number without a fraction is an Integer. */
export function float(number: number): number | cypher.CypherFloat {
  return cypher.makeFloat(number);
}

const DEEPEST_PARAMETER = 1_000;
const LONGEST_PLACE = 100;

// ---------------------------------------------------------------- out

/**
 * The JavaScript type of Integers in results. `auto`: number, and bigint beyond ±2^53; `bigint`: always bigint;
 * `number`: always number, rounded beyond ±2^53; `error`: number, and TYPE_ERROR beyond ±2^53.
 */
export type IntegerForm = 'auto' | 'number' | 'bigint' | 'error';

type ToGraphValue = (value: cypher.ResultValue) => GraphValue;

const identity = <T>(value: T): T => value;

/** The converters of result values, by the form of their Integers. */
export const GRAPH_VALUES: Readonly<Record<IntegerForm, ToGraphValue>> = {
  auto: converter(identity),
  number: converter((integer) => Number(integer)),
  bigint: converter((integer) => BigInt(integer)),
  error: converter((integer) => {
    if (typeof integer === 'number') return integer;
    const what =
      `the Integer ${integer} is no safe integer of JavaScript; open the database with another form of integers: ` + 'bigint, or auto';
    throw new GraphDBError('TYPE_ERROR', what);
  }),
};

/** Converts a result value to its JavaScript form, with Integers as `auto`. */
export const toGraphValue = GRAPH_VALUES.auto;

function converter(toInteger: (integer: number | bigint) => number | bigint): ToGraphValue {
  const isOwnForm = toInteger !== identity;
  const convert = (value: cypher.ResultValue): GraphValue => {
    if (typeof value !== 'object' || value === null) {
      const isInteger = isOwnForm && (typeof value === 'bigint' || Number.isSafeInteger(value));
      return isInteger ? toInteger(value as number | bigint) : value; // as: those are the two types of Integers
    }
    if (value instanceof cypher.CypherFloat) return value.value;
    if (Array.isArray(value)) return value.map((item) => convert(item));
    if (value instanceof Map) return toPlainObject(value);
    if (value instanceof cypher.Node) return toNode(value);
    if (value instanceof cypher.Relationship) return toRelationship(value);
    if (value instanceof cypher.Path) return new Path(value.nodes.map(toNode), value.relationships.map(toRelationship));
    return value;
  };
  const toNode = (node: cypher.Node): Node => new Node(node.id, node.labels, toPlainObject(node.properties));
  const toRelationship = (relationship: cypher.Relationship): Relationship => {
    const { id, type, sourceId, targetId } = relationship;
    return new Relationship({ id, type, sourceId, targetId, properties: toPlainObject(relationship.properties) });
  };
  // Properties of a materialised node or relationship hold no references into the graph: they are values that results may have.
  const toPlainObject = (map: ReadonlyMap<string, cypher.Value | cypher.ResultValue>): PlainObject => {
    const object: PlainObject = {};
    for (const [key, value] of map) setMember(object, key, convert(value as cypher.ResultValue));
    return object;
  };
  return convert;
}

/** Sets a member of an object; `__proto__` is a key like any other. */
export function setMember(object: PlainObject, key: string, value: GraphValue): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

// ---------------------------------------------------------------- in

/** A value without a Cypher form. Each enclosing value prepends its step to `place`, so values that convert pay nothing for it. */
class Refusal {
  readonly reason: string;
  place = '';

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Converts parameters for the engine. @throws ARGUMENT_ERROR for a value without a Cypher form, with its place. */
export function fromParameters(parameters: ParameterObject): Map<string, cypher.Value> {
  if (typeof parameters !== 'object' || Array.isArray(parameters))
    throw new GraphDBError('ARGUMENT_ERROR', 'params must be an object or a Map of values by their names');
  try {
    return fromMembers(parameters as Parameters, 0); // as: what is none is refused by its values
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const place = `params${error.place}`;
    const shown = place.length > LONGEST_PLACE ? `${place.slice(0, LONGEST_PLACE)}…` : place;
    throw new GraphDBError('ARGUMENT_ERROR', `${shown} ${error.reason}`);
  }
}

function fromParameter(parameter: unknown, depth: number): cypher.Value {
  switch (typeof parameter) {
    case 'boolean':
      return parameter;
    case 'string':
      return parameter.isWellFormed() ? parameter : refuse('is a string with half a surrogate pair');
    case 'number':
      return Object.is(parameter, -0) ? cypher.makeFloat(parameter) : parameter;
    case 'bigint':
      return fromBigint(parameter);
    case 'undefined':
      return null;
    case 'object':
      return parameter === null ? null : fromObject(parameter, depth);
    default:
      return refuse(`is a ${typeof parameter}`);
  }
}

function fromBigint(parameter: bigint): cypher.Value {
  if (parameter < cypher.INT64_MIN || parameter > cypher.INT64_MAX) return refuse('does not fit in 64 bits');
  return cypher.makeInteger(parameter);
}

function fromObject(parameter: object, depth: number): cypher.Value {
  if (depth > DEEPEST_PARAMETER) return refuse('is nested too deeply, or holds itself');
  if (Array.isArray(parameter)) return fromItems(parameter, depth);
  if (parameter instanceof Map) return fromMembers(parameter as ReadonlyMap<string, Parameter>, depth);
  const prototype: unknown = Object.getPrototypeOf(parameter);
  if (prototype === Object.prototype || prototype === null) return fromMembers(parameter as { [key: string]: Parameter }, depth);
  if (parameter instanceof Uint8Array) return new Uint8Array(parameter);
  if (parameter instanceof Float32Array) return cypher.finiteVector(new Float32Array(parameter));
  if (parameter instanceof Date) return fromDate(parameter);
  if (parameter instanceof cypher.CypherFloat || parameter instanceof cypher.CypherDuration || cypher.isTemporal(parameter))
    return parameter;
  if (parameter instanceof cypher.Point) return parameter;
  return refuse(`is a ${parameter.constructor?.name ?? 'object without a class'}, which has no Cypher value`);
}

function fromItems(items: readonly unknown[], depth: number): cypher.Value[] {
  const list = new Array<cypher.Value>(items.length);
  let at = 0;
  try {
    for (; at < items.length; at++) list[at] = fromParameter(items[at], depth + 1);
  } catch (error) {
    throw placed(error, `[${at}]`);
  }
  return list;
}

function fromMembers(members: Parameters, depth: number): Map<string, cypher.Value> {
  const map = new Map<string, cypher.Value>();
  if (members instanceof Map) {
    for (const [key, member] of members as ReadonlyMap<unknown, Parameter>) {
      if (typeof key !== 'string') refuse('is a Map with a key that is no string');
      setParameter(map, key, member, depth);
    }
    return map;
  }
  const object = members as { readonly [key: string]: Parameter };
  for (const key of Object.keys(object)) setParameter(map, key, object[key], depth);
  return map;
}

function setParameter(map: Map<string, cypher.Value>, key: string, member: Parameter, depth: number): void {
  if (!key.isWellFormed()) refuse('has a key with half a surrogate pair');
  // The most common parameters, numbers, need no conversion.
  if (typeof member === 'number' && member !== 0) map.set(key, member);
  else if (member !== undefined) {
    try {
      map.set(key, fromParameter(member, depth + 1));
    } catch (error) {
      throw placed(error, `.${key}`);
    }
  }
}

function fromDate(date: Date): cypher.Value {
  const epochMs = date.getTime();
  if (Number.isNaN(epochMs)) return refuse('is an invalid Date');
  const epochDay = Math.floor(epochMs / 86_400_000);
  return new cypher.CypherDateTime(epochDay, (epochMs - epochDay * 86_400_000) * 1_000_000, 0, null);
}

function refuse(reason: string): never {
  throw new Refusal(reason);
}

/** Prepends a step to the place of a refusal. A place is cut to LONGEST_PLACE characters when shown, so no more is kept. */
function placed(error: unknown, step: string): unknown {
  if (error instanceof Refusal) error.place = `${step}${error.place}`.slice(0, LONGEST_PLACE);
  return error;
}
