/**
 * Packs values for another thread. Cloning keeps numbers, strings and bytes but forgets classes, so a value that has a
 * class becomes an array that begins with its tag; a list gets a tag too, to be told from those.
 */
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherFloat,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  type Integer,
  Node,
  NodeValue,
  Path,
  PathValue,
  Point,
  Relationship,
  RelationshipValue,
  type ResultValue,
  type Value,
} from '../../value/index.ts';

/** A value on its way to another thread. */
export type Packed = null | boolean | number | bigint | string | Uint8Array | Float32Array | readonly Packed[];

const LIST = 0;
const MAP = 1;
const FLOAT = 2;
const DATE = 3;
const LOCAL_TIME = 4;
const TIME = 5;
const LOCAL_DATE_TIME = 6;
const DATE_TIME = 7;
const DURATION = 8;
const NODE = 9;
const RELATIONSHIP = 10;
const PATH = 11;
/** Tags of references, which only a thread that reads the same snapshot understands. */
const NODE_VALUE = 12;
const RELATIONSHIP_VALUE = 13;
const PATH_VALUE = 14;
const POINT = 15;

/** Packs the literals of a statement, which are no longer than its text. */
export function packLiterals(literals: ReadonlyMap<string, Value>): ReadonlyMap<string, Packed> {
  return new Map([...literals].map(([name, value]) => [name, pack(value)]));
}

/** Unpacks the literals of a statement. */
export function unpackLiterals(literals: ReadonlyMap<string, Packed>): ReadonlyMap<string, Value> {
  return new Map([...literals].map(([name, value]) => [name, unpack(value) as Value])); // as: literals are no nodes
}

/** Packs a value into a form that cloning keeps. */
export function pack(value: ResultValue | Value): Packed {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return packList(value);
  if (value instanceof Map) return packMap(value);
  if (value instanceof CypherFloat) return [FLOAT, value.value];
  if (value instanceof Node) return [NODE, value.id, value.ordinal, [...value.labels], pack(value.properties)];
  if (value instanceof Relationship) {
    const { id, ordinal, type, sourceId, targetId, sourceOrdinal, targetOrdinal, properties } = value;
    return [RELATIONSHIP, id, ordinal, type, sourceId, targetId, sourceOrdinal, targetOrdinal, pack(properties)];
  }
  if (value instanceof Path) return [PATH, value.nodes.map(pack), value.relationships.map(pack)];
  if (value instanceof Uint8Array) return ofItsOwn(value);
  if (value instanceof Float32Array) return ofItsOwn(value);
  if (value instanceof CypherDate) return [DATE, value.epochDay];
  if (value instanceof CypherLocalTime) return [LOCAL_TIME, value.nanoOfDay];
  if (value instanceof CypherTime) return [TIME, value.nanoOfDay, value.offsetSeconds];
  if (value instanceof CypherLocalDateTime) return [LOCAL_DATE_TIME, value.epochDay, value.nanoOfDay];
  if (value instanceof CypherDateTime) return [DATE_TIME, value.epochDay, value.nanoOfDay, value.offsetSeconds, value.zone];
  if (value instanceof CypherDuration) return [DURATION, value.months, value.days, value.seconds, value.nanos];
  if (value instanceof Point) return [POINT, value.srid, value.x, value.y, value.z];
  if (value instanceof NodeValue) return [NODE_VALUE, value.ordinal];
  if (value instanceof RelationshipValue) return [RELATIONSHIP_VALUE, value.type, value.row, value.source, value.target];
  return [PATH_VALUE, [...value.nodes], value.relationships.map(pack)];
}

function packList(list: readonly (ResultValue | Value)[]): Packed {
  const packed: Packed[] = [LIST];
  for (const item of list) packed.push(pack(item));
  return packed;
}

function packMap(map: ReadonlyMap<string, ResultValue | Value>): Packed {
  const packed: Packed[] = [MAP];
  for (const [key, item] of map) packed.push(key, pack(item));
  return packed;
}

/** Copies an array that is a window into a larger buffer, all of which would be cloned, or into memory that others share. */
function ofItsOwn<T extends Uint8Array | Float32Array>(array: T): T {
  return array.buffer instanceof SharedArrayBuffer || array.byteLength < array.buffer.byteLength ? (array.slice() as T) : array;
}

/** Restores a packed value; the result holds references only if the packed value does. */
export function unpack(value: Packed): ResultValue {
  if (!isTagged(value)) return value as ResultValue;
  switch (value[0]) {
    case LIST:
      return unpackList(value);
    case MAP:
      return unpackMap(value);
    case FLOAT:
      return new CypherFloat(value[1] as number);
    case DATE:
      return new CypherDate(value[1] as number);
    case LOCAL_TIME:
      return new CypherLocalTime(value[1] as number);
    case TIME:
      return new CypherTime(value[1] as number, value[2] as number);
    case LOCAL_DATE_TIME:
      return new CypherLocalDateTime(value[1] as number, value[2] as number);
    case DATE_TIME:
      return new CypherDateTime(value[1] as number, value[2] as number, value[3] as number, value[4] as string | null);
    case DURATION:
      return new CypherDuration(value[1] as number, value[2] as number, value[3] as Integer, value[4] as number);
    case POINT:
      return new Point(value[1] as number, value[2] as number, value[3] as number, value[4] as number | null);
    case NODE:
      return unpackNode(value);
    case RELATIONSHIP:
      return unpackRelationship(value);
    case NODE_VALUE:
    case RELATIONSHIP_VALUE:
    case PATH_VALUE:
      return unpackReference(value) as unknown as ResultValue; // as: rows of parts, which no result is made of, have them
    default:
      return new Path((value[1] as Packed[][]).map(unpackNode), (value[2] as Packed[][]).map(unpackRelationship));
  }
}

function unpackReference(value: readonly Packed[]): NodeValue | RelationshipValue | PathValue {
  if (value[0] === NODE_VALUE) return new NodeValue(value[1] as number);
  if (value[0] === PATH_VALUE) {
    return new PathValue(
      value[1] as number[],
      (value[2] as Packed[][]).map((one) => unpackReference(one) as RelationshipValue),
    );
  }
  return new RelationshipValue(value[1] as number, value[2] as number, value[3] as number, value[4] as number);
}

function isTagged(value: Packed): value is readonly Packed[] {
  return Array.isArray(value);
}

function unpackList(value: readonly Packed[]): ResultValue[] {
  const list: ResultValue[] = [];
  for (let i = 1; i < value.length; i++) list.push(unpack(value[i]!));
  return list;
}

function unpackMap(value: readonly Packed[]): Map<string, ResultValue> {
  const map = new Map<string, ResultValue>();
  for (let i = 1; i < value.length; i += 2) map.set(value[i] as string, unpack(value[i + 1]!));
  return map;
}

function unpackProperties(value: Packed): Map<string, Value> {
  return unpackMap(value as Packed[]) as Map<string, Value>; // as: what is stored holds no references
}

function unpackNode(value: readonly Packed[]): Node {
  return new Node(value[1] as string, value[2] as number, value[3] as string[], unpackProperties(value[4]!));
}

function unpackRelationship(value: readonly Packed[]): Relationship {
  return new Relationship({
    id: value[1] as string,
    ordinal: value[2] as number,
    type: value[3] as string,
    sourceId: value[4] as string,
    targetId: value[5] as string,
    sourceOrdinal: value[6] as number,
    targetOrdinal: value[7] as number,
    properties: unpackProperties(value[8]!),
  });
}
