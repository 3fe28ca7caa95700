/**
 * Writes values of results as PackStream. Vectors travel as lists of floats, which every driver reads; an integer id is
 * the ordinal, which is stable and never used again.
 */
import { unreachable } from '../../base/index.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherFloat,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  isLarge,
  Node,
  Path,
  Point,
  Relationship,
  type ResultValue,
} from '../../value/index.ts';
import type { PackStreamWriter } from '../packstream/packstream-writer.ts';
import type { ValueFormat } from '../versions.ts';
import { secondsOf, TAGS } from './structures.ts';

const NANOS_PER_SECOND = 1_000_000_000;

/** Writes a value of a result. */
export function writeValue(pack: PackStreamWriter, value: ResultValue, format: ValueFormat): void {
  switch (typeof value) {
    case 'string':
      return pack.string(value);
    case 'number':
      return Number.isSafeInteger(value) ? pack.integer(value) : pack.float(value);
    case 'bigint':
      return pack.integer(value);
    case 'boolean':
      return pack.boolean(value);
    default:
      return value === null ? pack.null() : writeObject(pack, value, format);
  }
}

/** Items of a list or map that are written between two yields. */
const PART_ITEMS = 64;

/**
 * Writes as `writeValue` does, and yields after every few small values and after each piece of a long text, so that
 * what was written can be sent meanwhile.
 */
export function* writeInParts(pack: PackStreamWriter, value: ResultValue, format: ValueFormat): Generator<void, void, void> {
  if (Array.isArray(value)) yield* listInParts(pack, value, format);
  else if (value instanceof Map) yield* mapInParts(pack, value, format);
  else if (!isLarge(value)) writeValue(pack, value, format);
  else if (typeof value === 'string') yield* pack.stringInParts(value);
  else if (value instanceof Uint8Array) yield* pack.bytesInParts(value);
  else if (value instanceof Node) {
    beginNode(pack, value, format);
    yield* mapInParts(pack, value.properties as ReadonlyMap<string, ResultValue>, format);
    endNode(pack, value, format);
  } else if (value instanceof Relationship) {
    beginRelationship(pack, value, format);
    yield* mapInParts(pack, value.properties as ReadonlyMap<string, ResultValue>, format);
    endRelationship(pack, value, format);
  } else writeValue(pack, value, format);
}

function* listInParts(pack: PackStreamWriter, list: readonly ResultValue[], format: ValueFormat): Generator<void, void, void> {
  pack.listHeader(list.length);
  let count = 0;
  for (const item of list) {
    if (isLarge(item)) yield* writeInParts(pack, item, format);
    else writeValue(pack, item, format);
    if (++count % PART_ITEMS === 0) yield;
  }
}

function* mapInParts(pack: PackStreamWriter, map: ReadonlyMap<string, ResultValue>, format: ValueFormat): Generator<void, void, void> {
  pack.mapHeader(map.size);
  let count = 0;
  for (const [key, item] of map) {
    pack.string(key);
    if (isLarge(item)) yield* writeInParts(pack, item, format);
    else writeValue(pack, item, format);
    if (++count % PART_ITEMS === 0) yield;
  }
}

function writeObject(pack: PackStreamWriter, value: Extract<ResultValue, object>, format: ValueFormat): void {
  if (value instanceof CypherFloat) return pack.float(value.value);
  if (Array.isArray(value)) return writeList(pack, value, format);
  if (value instanceof Map) return writeMap(pack, value, format);
  if (value instanceof Node) return writeNode(pack, value, format);
  if (value instanceof Relationship) return writeRelationship(pack, value, format);
  if (value instanceof Path) return writePath(pack, value, format);
  if (value instanceof Uint8Array) return pack.bytes(value);
  if (value instanceof Float32Array) return writeVector(pack, value);
  if (value instanceof CypherDuration) return writeDuration(pack, value);
  if (value instanceof Point) return writePoint(pack, value);
  return writeTemporal(pack, value, format);
}

function writeTemporal(
  pack: PackStreamWriter,
  value: CypherDate | CypherLocalTime | CypherTime | CypherLocalDateTime | CypherDateTime,
  { utc }: ValueFormat,
): void {
  if (value instanceof CypherDate) {
    pack.structureHeader(1, TAGS.date);
    return pack.integer(value.epochDay);
  }
  if (value instanceof CypherLocalTime) {
    pack.structureHeader(1, TAGS.localTime);
    return pack.integer(value.nanoOfDay);
  }
  if (value instanceof CypherTime) {
    pack.structureHeader(2, TAGS.time);
    pack.integer(value.nanoOfDay);
    return pack.integer(value.offsetSeconds);
  }
  if (value instanceof CypherLocalDateTime) {
    pack.structureHeader(2, TAGS.localDateTime);
    pack.integer(secondsOf(value, 0));
    return pack.integer(value.nanoOfDay % NANOS_PER_SECOND);
  }
  if (value instanceof CypherDateTime) return writeDateTime(pack, value, utc);
  return unreachable(value, 'temporal value');
}

function writeDateTime(pack: PackStreamWriter, value: CypherDateTime, utc: boolean): void {
  const { zone, offsetSeconds, nanoOfDay } = value;
  if (utc) pack.structureHeader(3, zone === null ? TAGS.dateTime : TAGS.zonedDateTime);
  else pack.structureHeader(3, zone === null ? TAGS.localisedDateTime : TAGS.localisedZonedDateTime);
  pack.integer(secondsOf(value, utc ? offsetSeconds : 0));
  pack.integer(nanoOfDay % NANOS_PER_SECOND);
  if (zone === null) pack.integer(offsetSeconds);
  else pack.string(zone);
}

function writeDuration(pack: PackStreamWriter, { months, days, seconds, nanos }: CypherDuration): void {
  pack.structureHeader(4, TAGS.duration);
  pack.integer(months);
  pack.integer(days);
  pack.integer(seconds);
  pack.integer(nanos);
}

function writePoint(pack: PackStreamWriter, { srid, x, y, z }: Point): void {
  pack.structureHeader(z === null ? 3 : 4, z === null ? TAGS.point2D : TAGS.point3D);
  pack.integer(srid);
  pack.float(x);
  pack.float(y);
  if (z !== null) pack.float(z);
}

function writeList(pack: PackStreamWriter, list: readonly ResultValue[], format: ValueFormat): void {
  pack.listHeader(list.length);
  for (const item of list) writeValue(pack, item, format);
}

function writeMap(pack: PackStreamWriter, map: ReadonlyMap<string, ResultValue>, format: ValueFormat): void {
  pack.mapHeader(map.size);
  for (const [key, item] of map) {
    pack.string(key);
    writeValue(pack, item, format);
  }
}

function writeVector(pack: PackStreamWriter, vector: Float32Array): void {
  pack.listHeader(vector.length);
  for (const item of vector) pack.float(item);
}

function writeNode(pack: PackStreamWriter, node: Node, format: ValueFormat): void {
  beginNode(pack, node, format);
  writeMap(pack, node.properties as ReadonlyMap<string, ResultValue>, format);
  endNode(pack, node, format);
}

/** Writes a node up to its properties, which `writeMap` writes; `endNode` ends it. */
function beginNode(pack: PackStreamWriter, { ordinal, labels }: Node, { elementIds }: ValueFormat): void {
  pack.structureHeader(elementIds ? 4 : 3, TAGS.node);
  pack.integer(ordinal);
  pack.listHeader(labels.length);
  for (const label of labels) pack.string(label);
}

function endNode(pack: PackStreamWriter, { id }: Node, { elementIds }: ValueFormat): void {
  if (elementIds) pack.string(id);
}

function writeRelationship(pack: PackStreamWriter, relationship: Relationship, format: ValueFormat): void {
  beginRelationship(pack, relationship, format);
  writeMap(pack, relationship.properties as ReadonlyMap<string, ResultValue>, format);
  endRelationship(pack, relationship, format);
}

/** Writes a relationship up to its properties, which `writeMap` writes; `endRelationship` ends it. */
function beginRelationship(pack: PackStreamWriter, relationship: Relationship, { elementIds }: ValueFormat): void {
  const { ordinal, type, sourceOrdinal, targetOrdinal } = relationship;
  pack.structureHeader(elementIds ? 8 : 5, TAGS.relationship);
  pack.integer(ordinal);
  pack.integer(sourceOrdinal);
  pack.integer(targetOrdinal);
  pack.string(type);
}

function endRelationship(pack: PackStreamWriter, { id, sourceId, targetId }: Relationship, { elementIds }: ValueFormat): void {
  if (!elementIds) return;
  pack.string(id);
  pack.string(sourceId);
  pack.string(targetId);
}

/**
 * Writes a path: each node and relationship once, then the walk, as pairs of a relationship (from 1, negative against
 * its direction) and the node behind it.
 */
function writePath(pack: PackStreamWriter, { nodes, relationships }: Path, format: ValueFormat): void {
  const nodePlaces = placesOf(nodes);
  const relationshipPlaces = placesOf(relationships);
  pack.structureHeader(3, TAGS.path);
  pack.listHeader(nodePlaces.distinct.length);
  for (const node of nodePlaces.distinct) writeNode(pack, node, format);
  pack.listHeader(relationshipPlaces.distinct.length);
  for (const { id, ordinal, type, properties } of relationshipPlaces.distinct) {
    pack.structureHeader(format.elementIds ? 4 : 3, TAGS.unboundRelationship);
    pack.integer(ordinal);
    pack.string(type);
    writeMap(pack, properties as ReadonlyMap<string, ResultValue>, format);
    if (format.elementIds) pack.string(id);
  }
  pack.listHeader(relationships.length * 2);
  for (const [i, relationship] of relationships.entries()) {
    const place = relationshipPlaces.places[i]! + 1;
    pack.integer(relationship.sourceOrdinal === nodes[i]!.ordinal ? place : -place);
    pack.integer(nodePlaces.places[i + 1]!);
  }
}

/** Returns the entities once each, in order of appearance, and for each place of the walk the index of its entity. */
function placesOf<T extends { readonly ordinal: number }>(entities: readonly T[]): { distinct: T[]; places: number[] } {
  const known = new Map<number, number>();
  const distinct: T[] = [];
  const places = entities.map((entity) => {
    const place = known.get(entity.ordinal) ?? distinct.push(entity) - 1;
    known.set(entity.ordinal, place);
    return place;
  });
  return { distinct, places };
}
