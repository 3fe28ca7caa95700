/**
 * Reads parameters that come as structures: temporal values and points. A structure that no statement can be given (a
 * node, a path) fails the statement and not the connection.
 */
import { GraphDBError } from '../../base/index.ts';
import {
  atZone,
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  checkedEpochDay,
  type Integer,
  isInteger,
  isNumber,
  Point,
  parseZone,
  toNumber,
  type Value,
  type Zone,
  zonedDateTime,
} from '../../value/index.ts';
import { MalformedMessage, type StructureReader } from '../packstream/packstream-reader.ts';
import { TAGS } from './structures.ts';

const SECONDS_PER_DAY = 86_400;
const NANOS_PER_SECOND = 1_000_000_000;
const NANOS_PER_DAY = SECONDS_PER_DAY * NANOS_PER_SECOND;
const MAX_OFFSET_SECONDS = 18 * 3_600;

/** A day and a time of day on a local clock. */
interface Moment {
  readonly epochDay: number;
  readonly nanoOfDay: number;
}

/**
 * Reads a structure as a value.
 *
 * @throws TYPE_ERROR for a node, relationship or path; ARGUMENT_ERROR for a field out of range; `MalformedMessage`.
 */
export const readStructure: StructureReader = (tag, fields) => {
  switch (tag) {
    case TAGS.date:
      expectFields(fields, 1);
      return new CypherDate(day(fields[0]));
    case TAGS.localTime:
      expectFields(fields, 1);
      return new CypherLocalTime(timeOfDay(fields[0]));
    case TAGS.time:
      expectFields(fields, 2);
      return new CypherTime(timeOfDay(fields[0]), offset(fields[1]));
    case TAGS.localDateTime: {
      expectFields(fields, 2);
      const { epochDay, nanoOfDay } = moment(fields[0], fields[1]);
      return new CypherLocalDateTime(epochDay, nanoOfDay);
    }
    case TAGS.dateTime:
    case TAGS.zonedDateTime:
      expectFields(fields, 3);
      return dateTime(fields, tag === TAGS.dateTime ? offsetZone(fields[2]) : namedZone(fields[2]));
    case TAGS.localisedDateTime: {
      expectFields(fields, 3);
      const { epochDay, nanoOfDay } = moment(fields[0], fields[1]);
      return new CypherDateTime(epochDay, nanoOfDay, offset(fields[2]), null);
    }
    case TAGS.localisedZonedDateTime: {
      expectFields(fields, 3);
      const { epochDay, nanoOfDay } = moment(fields[0], fields[1]);
      return zonedDateTime(epochDay, nanoOfDay, namedZone(fields[2]));
    }
    case TAGS.duration:
      expectFields(fields, 4);
      return duration(fields);
    case TAGS.point2D:
      expectFields(fields, 3);
      return new Point(Number(integer(fields[0])), coordinate(fields[1]), coordinate(fields[2]));
    case TAGS.point3D:
      expectFields(fields, 4);
      return new Point(Number(integer(fields[0])), coordinate(fields[1]), coordinate(fields[2]), coordinate(fields[3]));
    case TAGS.node:
    case TAGS.relationship:
    case TAGS.unboundRelationship:
    case TAGS.path:
      throw new GraphDBError('TYPE_ERROR', 'a node, relationship or path cannot be a parameter; give its element id');
    default:
      throw new MalformedMessage(`an unknown structure 0x${tag.toString(16)}`);
  }
};

function expectFields(fields: readonly Value[], count: number): void {
  if (fields.length !== count) throw new MalformedMessage(`a structure with ${fields.length} fields instead of ${count}`);
}

function integer(value: Value | undefined): Integer {
  if (!isInteger(value)) throw new MalformedMessage('a field of a structure that must be an integer');
  return value;
}

function coordinate(value: Value | undefined): number {
  if (!isNumber(value)) throw new MalformedMessage('a coordinate of a point that is no number');
  return toNumber(value);
}

function within(value: Value | undefined, min: number, max: number, what: string): number {
  const number = integer(value);
  if (number >= min && number <= max) return Number(number);
  throw new GraphDBError('ARGUMENT_ERROR', `${what} must lie in ${min} to ${max}, but is ${number}`);
}

function day(value: Value | undefined): number {
  return checkedEpochDay(Number(integer(value)));
}

function timeOfDay(value: Value | undefined): number {
  return within(value, 0, NANOS_PER_DAY - 1, 'the nanosecond of a day');
}

function offset(value: Value | undefined): number {
  return within(value, -MAX_OFFSET_SECONDS, MAX_OFFSET_SECONDS, 'an offset from UTC in seconds');
}

function offsetZone(value: Value | undefined): Zone {
  return { name: null, offsetSeconds: offset(value) };
}

function namedZone(value: Value | undefined): Zone {
  if (typeof value !== 'string') throw new MalformedMessage('a time zone that is no text');
  return parseZone(value);
}

function nanoOfSecond(value: Value | undefined): number {
  return within(value, 0, NANOS_PER_SECOND - 1, 'the nanosecond of a second');
}

function moment(secondsField: Value | undefined, nanosField: Value | undefined): Moment {
  const seconds = integer(secondsField);
  const nanos = nanoOfSecond(nanosField);
  const days = typeof seconds === 'number' ? Math.floor(seconds / SECONDS_PER_DAY) : floorDivide(seconds, BigInt(SECONDS_PER_DAY));
  const ofDay = Number(BigInt(seconds) - BigInt(days) * BigInt(SECONDS_PER_DAY));
  return { epochDay: checkedEpochDay(days), nanoOfDay: ofDay * NANOS_PER_SECOND + nanos };
}

function floorDivide(a: bigint, b: bigint): number {
  const quotient = a / b;
  return Number(a % b < 0n ? quotient - 1n : quotient);
}

function dateTime(fields: readonly Value[], zone: Zone): Value {
  const { epochDay, nanoOfDay, offsetSeconds } = atZone({ ...moment(fields[0], fields[1]), offsetSeconds: 0 }, zone);
  return new CypherDateTime(checkedEpochDay(epochDay), nanoOfDay, offsetSeconds, zone.name);
}

function duration(fields: readonly Value[]): CypherDuration {
  const safe = (value: Value | undefined, what: string) => within(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, what);
  const months = safe(fields[0], 'the months of a duration');
  const days = safe(fields[1], 'the days of a duration');
  return new CypherDuration(months, days, integer(fields[2]), nanoOfSecond(fields[3]));
}
