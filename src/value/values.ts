/**
 * Cypher values at run time: one representation per value, so that `===` on scalars means what it says.
 *
 *   null → null            Boolean → boolean        String → string (UTF-16, no lone surrogates)
 *   Integer → number when it is a safe integer, else bigint (inside signed 64 bits, never inside the safe range); -0 is never an Integer
 *   Float   → number when it is not a safe integer (fractions, NaN, ±Infinity, |x| ≥ 2^53), else boxed in CypherFloat (1.0, 0.0, -0.0)
 *   Bytes → Uint8Array     Vector → Float32Array    List → array    Map → Map<string, Value>
 *   temporal values → the immutable classes below   Point → the immutable class of spatial/
 *   Node, Relationship, Path → references into the graph (NodeValue, RelationshipValue, PathValue), without properties
 *
 * When a result leaves the engine the three references are materialised as Node, Relationship and Path (`ResultValue`).
 */

import type { CypherFloat, Integer } from './numbers.ts';
import type { Point } from './spatial/point.ts';
import { civilDateOf } from './temporal/calendar.ts';
import { clockOf, dateOfInstant, INSPECT } from './temporal/members.ts';
import { dateText, dateTimeText, durationText, offsetText, timeText } from './temporal/text.ts';
import { valueOfText } from './temporal/text-parser.ts';

/** A temporal value. */
export type Temporal = CypherDate | CypherLocalTime | CypherTime | CypherLocalDateTime | CypherDateTime;

/** A Cypher value. */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | CypherFloat
  | Uint8Array
  | Float32Array
  | Temporal
  | CypherDuration
  | Point
  | NodeValue
  | RelationshipValue
  | PathValue
  | Value[]
  | ValueMap;

/** A map of Cypher values. */
export type ValueMap = Map<string, Value>;

/** A value of a result, after it has left the engine. */
export type ResultValue =
  | Exclude<Value, NodeValue | RelationshipValue | PathValue | Value[] | ValueMap>
  | Node
  | Relationship
  | Path
  | ResultValue[]
  | Map<string, ResultValue>;

/** A date of the proleptic Gregorian calendar: days since 1970-01-01, years -999999999 to 999999999. */
export class CypherDate {
  readonly epochDay: number;

  constructor(epochDay: number) {
    this.epochDay = epochDay;
  }

  /** Reads ISO 8601: `CypherDate.fromString('2024-02-29')`. @throws ARGUMENT_ERROR for any other text */
  static fromString(text: string): CypherDate {
    return valueOfText('date', text);
  }

  get year(): number {
    return civilDateOf(this.epochDay).year;
  }

  /** The month, 1 … 12. */
  get month(): number {
    return civilDateOf(this.epochDay).month;
  }

  /** The day of the month, 1 … 31. */
  get day(): number {
    return civilDateOf(this.epochDay).day;
  }

  /** Returns midnight of the day in UTC. @throws ARGUMENT_ERROR for a year beyond those of a JavaScript Date */
  toDate(): Date {
    return dateOfInstant(this.epochDay, 0, 0);
  }

  /** Returns ISO 8601 text, as toString() in Cypher does. */
  toString(): string {
    return dateText(this.epochDay);
  }

  toJSON(): string {
    return this.toString();
  }

  [INSPECT](): string {
    return `date('${this}')`;
  }
}

/** A time of day without offset: nanoseconds since midnight, below 86,400 × 10^9 (so always a safe integer). */
export class CypherLocalTime {
  readonly nanoOfDay: number;

  constructor(nanoOfDay: number) {
    this.nanoOfDay = nanoOfDay;
  }

  /** Reads ISO 8601: `CypherLocalTime.fromString('12:31:14')`. @throws ARGUMENT_ERROR for any other text */
  static fromString(text: string): CypherLocalTime {
    return valueOfText('localtime', text);
  }

  get hour(): number {
    return clockOf(this.nanoOfDay).hour;
  }

  get minute(): number {
    return clockOf(this.nanoOfDay).minute;
  }

  get second(): number {
    return clockOf(this.nanoOfDay).second;
  }

  /** The nanosecond of the second, 0 … 999,999,999. */
  get nanosecond(): number {
    return clockOf(this.nanoOfDay).nanosecond;
  }

  /** Returns ISO 8601 text, as toString() in Cypher does. */
  toString(): string {
    return timeText(this.nanoOfDay);
  }

  toJSON(): string {
    return this.toString();
  }

  [INSPECT](): string {
    return `localtime('${this}')`;
  }
}

/** A time of day with an offset from UTC. `nanoOfDay` is local, not UTC. */
export class CypherTime {
  readonly nanoOfDay: number;
  readonly offsetSeconds: number;

  constructor(nanoOfDay: number, offsetSeconds: number) {
    this.nanoOfDay = nanoOfDay;
    this.offsetSeconds = offsetSeconds;
  }

  /** Reads ISO 8601: `CypherTime.fromString('12:31:14+01:00')`. @throws ARGUMENT_ERROR for any other text */
  static fromString(text: string): CypherTime {
    return valueOfText('time', text);
  }

  get hour(): number {
    return clockOf(this.nanoOfDay).hour;
  }

  get minute(): number {
    return clockOf(this.nanoOfDay).minute;
  }

  get second(): number {
    return clockOf(this.nanoOfDay).second;
  }

  /** The nanosecond of the second, 0 … 999,999,999. */
  get nanosecond(): number {
    return clockOf(this.nanoOfDay).nanosecond;
  }

  /** Returns ISO 8601 text, as toString() in Cypher does. */
  toString(): string {
    return timeText(this.nanoOfDay) + offsetText(this.offsetSeconds);
  }

  toJSON(): string {
    return this.toString();
  }

  [INSPECT](): string {
    return `time('${this}')`;
  }
}

/** A date and time without a zone. */
export class CypherLocalDateTime {
  readonly epochDay: number;
  readonly nanoOfDay: number;

  constructor(epochDay: number, nanoOfDay: number) {
    this.epochDay = epochDay;
    this.nanoOfDay = nanoOfDay;
  }

  /** Reads ISO 8601: `CypherLocalDateTime.fromString('2024-02-29T12:31:14')`. @throws ARGUMENT_ERROR for any other text */
  static fromString(text: string): CypherLocalDateTime {
    return valueOfText('localdatetime', text);
  }

  get year(): number {
    return civilDateOf(this.epochDay).year;
  }

  /** The month, 1 … 12. */
  get month(): number {
    return civilDateOf(this.epochDay).month;
  }

  /** The day of the month, 1 … 31. */
  get day(): number {
    return civilDateOf(this.epochDay).day;
  }

  get hour(): number {
    return clockOf(this.nanoOfDay).hour;
  }

  get minute(): number {
    return clockOf(this.nanoOfDay).minute;
  }

  get second(): number {
    return clockOf(this.nanoOfDay).second;
  }

  /** The nanosecond of the second, 0 … 999,999,999. */
  get nanosecond(): number {
    return clockOf(this.nanoOfDay).nanosecond;
  }

  /** Returns the instant of a clock in UTC, to the millisecond. @throws ARGUMENT_ERROR for a year beyond those of a JavaScript Date */
  toDate(): Date {
    return dateOfInstant(this.epochDay, this.nanoOfDay, 0);
  }

  /** Returns ISO 8601 text, as toString() in Cypher does. */
  toString(): string {
    return dateTimeText(this.epochDay, this.nanoOfDay);
  }

  toJSON(): string {
    return this.toString();
  }

  [INSPECT](): string {
    return `localdatetime('${this}')`;
  }
}

/** An instant with the offset and, where it has one, the IANA zone of its clock. Day and time are local, not UTC. */
export class CypherDateTime {
  readonly epochDay: number;
  readonly nanoOfDay: number;
  readonly offsetSeconds: number;
  /** The IANA name (`Europe/Stockholm`); null when only the offset is known. */
  readonly zone: string | null;

  constructor(epochDay: number, nanoOfDay: number, offsetSeconds: number, zone: string | null) {
    this.epochDay = epochDay;
    this.nanoOfDay = nanoOfDay;
    this.offsetSeconds = offsetSeconds;
    this.zone = zone;
  }

  /** Reads ISO 8601: `…fromString('2024-02-29T12:31:14+01:00[Europe/Stockholm]')`. @throws ARGUMENT_ERROR for any other text */
  static fromString(text: string): CypherDateTime {
    return valueOfText('datetime', text);
  }

  get year(): number {
    return civilDateOf(this.epochDay).year;
  }

  /** The month, 1 … 12. */
  get month(): number {
    return civilDateOf(this.epochDay).month;
  }

  /** The day of the month, 1 … 31. */
  get day(): number {
    return civilDateOf(this.epochDay).day;
  }

  get hour(): number {
    return clockOf(this.nanoOfDay).hour;
  }

  get minute(): number {
    return clockOf(this.nanoOfDay).minute;
  }

  get second(): number {
    return clockOf(this.nanoOfDay).second;
  }

  /** The nanosecond of the second, 0 … 999,999,999. */
  get nanosecond(): number {
    return clockOf(this.nanoOfDay).nanosecond;
  }

  /** Returns the instant, to the millisecond. @throws ARGUMENT_ERROR for a year beyond those of a JavaScript Date */
  toDate(): Date {
    return dateOfInstant(this.epochDay, this.nanoOfDay, this.offsetSeconds);
  }

  /** Returns ISO 8601 text, as toString() in Cypher does. */
  toString(): string {
    const zone = this.zone === null ? '' : `[${this.zone}]`;
    return dateTimeText(this.epochDay, this.nanoOfDay) + offsetText(this.offsetSeconds) + zone;
  }

  toJSON(): string {
    return this.toString();
  }

  [INSPECT](): string {
    return `datetime('${this}')`;
  }
}

/**
 * A duration in four parts; only seconds and nanoseconds convert into each other. Months and days are safe integers,
 * seconds an Integer of 64 bits, nanos are in 0 … 999,999,999: -0.5 s is seconds -1, nanos 500,000,000.
 */
export class CypherDuration {
  readonly months: number;
  readonly days: number;
  readonly seconds: Integer;
  readonly nanos: number;

  constructor(months: number, days: number, seconds: Integer, nanos: number) {
    this.months = months;
    this.days = days;
    this.seconds = seconds;
    this.nanos = nanos;
  }

  /** Reads ISO 8601: `CypherDuration.fromString('P1Y2M10DT2H30M')`. @throws ARGUMENT_ERROR for any other text */
  static fromString(text: string): CypherDuration {
    return valueOfText('duration', text);
  }

  /** Returns ISO 8601 text, as toString() in Cypher does. */
  toString(): string {
    return durationText(this);
  }

  toJSON(): string {
    return this.toString();
  }

  [INSPECT](): string {
    return `duration('${this}')`;
  }
}

/** A reference to a node of the snapshot that the statement reads. */
export class NodeValue {
  readonly ordinal: number;

  constructor(ordinal: number) {
    this.ordinal = ordinal;
  }
}

/** A relationship: `type` is the symbol id of its type, `row` its home row in that type's table; source and target are node ordinals. */
export class RelationshipValue {
  readonly type: number;
  readonly row: number;
  readonly source: number;
  readonly target: number;

  constructor(type: number, row: number, source: number, target: number) {
    this.type = type;
    this.row = row;
    this.source = source;
    this.target = target;
  }
}

/**
 * A reference to a path, an alternating walk: relationships[i] joins nodes[i] and nodes[i + 1] in either direction.
 * Nodes are ordinals, one more than relationships.
 */
export class PathValue {
  readonly nodes: readonly number[];
  readonly relationships: readonly RelationshipValue[];

  constructor(nodes: readonly number[], relationships: readonly RelationshipValue[]) {
    this.nodes = nodes;
    this.relationships = relationships;
  }
}

/** A node as users of the library and the protocols see it. */
export class Node {
  readonly id: string;
  readonly ordinal: number;
  readonly labels: readonly string[];
  readonly properties: Map<string, Value>;

  constructor(id: string, ordinal: number, labels: readonly string[], properties: Map<string, Value>) {
    this.id = id;
    this.ordinal = ordinal;
    this.labels = labels;
    this.properties = properties;
  }
}

/** The arguments of the constructor of `Relationship`. */
export interface RelationshipParts {
  readonly id: string;
  readonly ordinal: number;
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly sourceOrdinal: number;
  readonly targetOrdinal: number;
  readonly properties: Map<string, Value>;
}

/** A relationship as users of the library and the protocols see it; source and target follow the stored direction. */
export class Relationship {
  readonly id: string;
  readonly ordinal: number;
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly sourceOrdinal: number;
  readonly targetOrdinal: number;
  readonly properties: Map<string, Value>;

  constructor(parts: RelationshipParts) {
    this.id = parts.id;
    this.ordinal = parts.ordinal;
    this.type = parts.type;
    this.sourceId = parts.sourceId;
    this.targetId = parts.targetId;
    this.sourceOrdinal = parts.sourceOrdinal;
    this.targetOrdinal = parts.targetOrdinal;
    this.properties = parts.properties;
  }
}

/** A path: relationships[i] joins nodes[i] and nodes[i + 1], so there is one node more than relationships. */
export class Path {
  readonly nodes: readonly Node[];
  readonly relationships: readonly Relationship[];

  constructor(nodes: readonly Node[], relationships: readonly Relationship[]) {
    this.nodes = nodes;
    this.relationships = relationships;
  }
}

/** Tells whether a value is a temporal value. */
export function isTemporal(value: unknown): value is Temporal {
  return (
    value instanceof CypherDate ||
    value instanceof CypherLocalTime ||
    value instanceof CypherTime ||
    value instanceof CypherLocalDateTime ||
    value instanceof CypherDateTime
  );
}

/**
 * Tells whether a value is a virtual node or relationship: one that is not in the graph, which a procedure has made as
 * results have it, and which passes as a value of the statement.
 */
export function isVirtual(value: unknown): value is Node | Relationship {
  return value instanceof Node || value instanceof Relationship;
}
