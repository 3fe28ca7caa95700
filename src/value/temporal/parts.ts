/**
 * The parts of a temporal value: a day, a time of day and a zone, each where the value has one. Constructors,
 * truncation, durations and components work on parts. Also the checked conversions from calendar fields to a day.
 */
import { argumentFault } from '../faults.ts';
import { aType } from '../type-name.ts';
import { CypherDate, CypherDateTime, CypherLocalDateTime, CypherLocalTime, CypherTime, type Temporal } from '../values.ts';
import {
  checkedEpochDay,
  daysInMonth,
  epochDayOf,
  isLeapYear,
  quarterStart,
  weeksInYear,
  weekYearStart,
  YEAR_MAX,
  YEAR_MIN,
} from './calendar.ts';
import { resolveLocal, type Zone } from './zone.ts';

/** A kind of temporal value. */
export type TemporalKind = 'date' | 'localtime' | 'time' | 'localdatetime' | 'datetime';

/** The parts of a temporal value. */
export interface TemporalParts {
  readonly epochDay: number | null;
  readonly nanoOfDay: number | null;
  /** The offset from UTC of the value, in seconds; null for local values. */
  readonly offsetSeconds: number | null;
  /** The name of the zone; null for a fixed offset and for local values. */
  readonly zoneName: string | null;
}

/** An instant of UTC: seconds since 1970 and nanoseconds of the second, 0 … 999,999,999. */
export interface Instant {
  readonly epochSecond: number;
  readonly nano: number;
}

/** Returns the instant of a clock. @param epochMs whole milliseconds since 1970 */
export function instantOf(epochMs: number): Instant {
  const epochSecond = Math.floor(epochMs / 1000);
  return { epochSecond, nano: (epochMs - epochSecond * 1000) * 1_000_000 };
}

/** Returns the kind of a temporal value. */
export function kindOf(value: Temporal): TemporalKind {
  if (value instanceof CypherDate) return 'date';
  if (value instanceof CypherLocalTime) return 'localtime';
  if (value instanceof CypherTime) return 'time';
  return value instanceof CypherLocalDateTime ? 'localdatetime' : 'datetime';
}

/** Returns the parts of a temporal value. */
export function partsOf(value: Temporal): TemporalParts {
  if (value instanceof CypherDate) return { epochDay: value.epochDay, nanoOfDay: null, offsetSeconds: null, zoneName: null };
  if (value instanceof CypherLocalTime) return { epochDay: null, nanoOfDay: value.nanoOfDay, offsetSeconds: null, zoneName: null };
  if (value instanceof CypherTime) {
    return { epochDay: null, nanoOfDay: value.nanoOfDay, offsetSeconds: value.offsetSeconds, zoneName: null };
  }
  const local = { epochDay: value.epochDay, nanoOfDay: value.nanoOfDay };
  if (value instanceof CypherLocalDateTime) return { ...local, offsetSeconds: null, zoneName: null };
  return { ...local, offsetSeconds: value.offsetSeconds, zoneName: value.zone };
}

/** Returns the zone of parts that have an offset; null for local ones. */
export function zoneOf(parts: TemporalParts): Zone | null {
  return parts.offsetSeconds === null ? null : { name: parts.zoneName, offsetSeconds: parts.offsetSeconds };
}

/** Makes a DateTime of a local day and time. `preferredOffset` decides where the clocks show them twice. */
export function zonedDateTime(epochDay: number, nanoOfDay: number, zone: Zone, preferredOffset?: number): CypherDateTime {
  const moment = resolveLocal(epochDay, nanoOfDay, zone, preferredOffset);
  return new CypherDateTime(checkedEpochDay(moment.epochDay), moment.nanoOfDay, moment.offsetSeconds, zone.name);
}

/** Makes the ARGUMENT_ERROR for a value that lacks a part: `a LocalTime has no date`. */
export function lacks(value: Temporal, what: string): Error {
  return argumentFault(`${aType(value)} has no ${what}`);
}

/** Returns the epoch day of a calendar date. @throws ARGUMENT_ERROR for a date that does not exist */
export function dayFromCalendar(year: number, month: number, day: number): number {
  checkYear(year);
  checkRange('month', month, 1, 12);
  checkRange('day', day, 1, daysInMonth(year, month));
  return epochDayOf(year, month, day);
}

/** Returns the epoch day of a week date. @throws ARGUMENT_ERROR for a date that does not exist */
export function dayFromWeek(weekYear: number, week: number, dayOfWeek: number): number {
  checkYear(weekYear);
  checkRange('week', week, 1, weeksInYear(weekYear));
  checkRange('dayOfWeek', dayOfWeek, 1, 7);
  return checkedEpochDay(weekYearStart(weekYear) + (week - 1) * 7 + dayOfWeek - 1);
}

/** Returns the epoch day of a quarter date. @throws ARGUMENT_ERROR for a date that does not exist */
export function dayFromQuarter(year: number, quarter: number, dayOfQuarter: number): number {
  checkYear(year);
  checkRange('quarter', quarter, 1, 4);
  const start = epochDayOf(year, quarterStart(quarter), 1);
  const end = quarter === 4 ? epochDayOf(year + 1, 1, 1) : epochDayOf(year, quarterStart(quarter + 1), 1);
  checkRange('dayOfQuarter', dayOfQuarter, 1, end - start);
  return start + dayOfQuarter - 1;
}

/** Returns the epoch day of an ordinal date. @throws ARGUMENT_ERROR for a date that does not exist */
export function dayFromOrdinal(year: number, ordinalDay: number): number {
  checkYear(year);
  checkRange('ordinalDay', ordinalDay, 1, isLeapYear(year) ? 366 : 365);
  return epochDayOf(year, 1, 1) + ordinalDay - 1;
}

/** Returns the nanoseconds since midnight of a time of day. @throws ARGUMENT_ERROR for an hour, minute or second out of range */
export function nanosFromTime(hour: number, minute: number, second: number, nanos: number): number {
  checkRange('hour', hour, 0, 23);
  checkRange('minute', minute, 0, 59);
  checkRange('second', second, 0, 59);
  return ((hour * 60 + minute) * 60 + second) * 1e9 + nanos;
}

function checkYear(year: number): void {
  checkRange('year', year, YEAR_MIN, YEAR_MAX);
}

/** Checks that min ≤ value ≤ max. @throws ARGUMENT_ERROR */
export function checkRange(field: string, value: number, min: number, max: number): void {
  if (value < min || value > max) throw argumentFault(`${field} must lie in ${min} to ${max} here, but is ${value}`, 'NumberOutOfRange');
}
