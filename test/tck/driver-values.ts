/** Between the values of the official JavaScript driver and the runner's own: `fromDriver` for answers, `toDriver` for parameters. */
import neo4j, { type Node, type Path, type PathSegment, type Relationship } from 'neo4j-driver';
import { tckTemporalText } from '../../src/exec/functions/testing/tck-temporal-text.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherFloat,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  epochDayOf,
  isFloat,
  isInteger,
  makeInteger,
  toNumber,
  type Value,
} from '../../src/value/index.ts';
import type { TckMap, TckNode, TckPathStep, TckRelationship, TckValue } from './values.ts';

/** The driver gives Floats as numbers and Integers as objects. */
export function fromDriver(value: unknown): TckValue {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value === 'number') return { kind: 'float', value };
  if (neo4j.isInt(value)) return { kind: 'integer', value: value.toBigInt() };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(fromDriver) };
  if (neo4j.isNode(value as object)) return fromNode(value as Node);
  if (neo4j.isRelationship(value as object)) return fromRelationship(value as Relationship);
  if (neo4j.isPath(value as object)) return fromPath(value as Path);
  const temporal = temporalOf(value as object);
  if (temporal !== null) return { kind: 'string', value: tckTemporalText(temporal.toString()) };
  if (Object.getPrototypeOf(value) === Object.prototype) return { kind: 'map', entries: fromObject(value as object) };
  return { kind: 'other', text: Object.prototype.toString.call(value) };
}

function fromObject(object: object): TckMap {
  return new Map(Object.entries(object).map(([key, value]) => [key, fromDriver(value)]));
}

function fromNode({ labels, properties }: Node): TckNode {
  return { kind: 'node', labels, properties: fromObject(properties) };
}

function fromRelationship({ type, properties }: Relationship): TckRelationship {
  return { kind: 'relationship', type, properties: fromObject(properties) };
}

function fromPath({ start, segments }: Path): TckValue {
  return { kind: 'path', start: fromNode(start), steps: segments.map(stepOf) };
}

/** A loop is walked along its direction. */
function stepOf({ start, relationship, end }: PathSegment): TckPathStep {
  const direction = relationship.startNodeElementId === start.elementId ? 'outgoing' : 'incoming';
  return { direction, relationship: fromRelationship(relationship), node: fromNode(end) };
}

type Fields = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'nanosecond', unknown>>;

function temporalOf(value: object) {
  const fields = value as Fields;
  if (neo4j.isDate(value)) return new CypherDate(dayOf(fields));
  if (neo4j.isLocalTime(value)) return new CypherLocalTime(nanosOf(fields));
  if (neo4j.isTime(value)) return new CypherTime(nanosOf(fields), Number(value.timeZoneOffsetSeconds));
  if (neo4j.isLocalDateTime(value)) return new CypherLocalDateTime(dayOf(fields), nanosOf(fields));
  if (neo4j.isDateTime(value)) {
    return new CypherDateTime(dayOf(fields), nanosOf(fields), Number(value.timeZoneOffsetSeconds), value.timeZoneId ?? null);
  }
  if (!neo4j.isDuration(value)) return null;
  const { months, days, seconds, nanoseconds } = value;
  return new CypherDuration(Number(months), Number(days), makeInteger(BigInt(String(seconds))), Number(nanoseconds));
}

function dayOf({ year, month, day }: Fields): number {
  return epochDayOf(Number(year), Number(month), Number(day));
}

function nanosOf({ hour, minute, second, nanosecond }: Fields): number {
  return ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1e9 + Number(nanosecond);
}

/** Parameters of the TCK are scalars, lists and maps. */
export function toDriver(value: Value): unknown {
  if (isInteger(value)) return neo4j.int(String(value));
  if (value instanceof CypherFloat || isFloat(value)) return toNumber(value);
  if (Array.isArray(value)) return value.map(toDriver);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, toDriver(item)]));
  return value;
}
