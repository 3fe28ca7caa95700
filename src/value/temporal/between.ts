/**
 * The duration from one temporal value to another. A date or a zone that only one side has is used for both; a date
 * without a time counts as its midnight. `durationBetween` counts months, then days, then seconds, each from where the
 * former ended.
 */

import { type Integer, makeInteger } from '../numbers.ts';
import { CypherDateTime, CypherDuration, type Temporal } from '../values.ts';
import { civilDateOf, NANOS_PER_DAY, NANOS_PER_SECOND, plusMonths } from './calendar.ts';
import { makeDuration } from './duration.ts';
import { partsOf, zonedDateTime, zoneOf } from './parts.ts';
import { atZone, type Zone } from './zone.ts';

/** A moment local to the zone of its span. Without a zone `offsetSeconds` is 0. */
interface Moment {
  readonly epochDay: number;
  readonly nanoOfDay: number;
  readonly offsetSeconds: number;
}

interface Span {
  readonly from: Moment;
  readonly to: Moment;
  readonly zone: Zone | null;
  /** True if both sides have a date of their own: only then are months and days counted. */
  readonly dated: boolean;
}

/** Returns the duration in months, days and seconds; negative if `to` is earlier. */
export function durationBetween(from: Temporal, to: Temporal): CypherDuration {
  const span = align(from, to);
  if (!span.dated) return exactDifference(span.from, span.to);
  const months = monthsUntil(span.from, span.to);
  const afterMonths = move(span, plusMonths(span.from.epochDay, months), span.from);
  const days = daysUntil(afterMonths, span.to);
  const start = move(span, afterMonths.epochDay + days, afterMonths);
  const rest = exactDifference(start, span.to);
  return makeDuration(months, days, rest.seconds, rest.nanos);
}

/** Returns the whole months from one value to another, as a duration; zero unless both have a date. */
export function durationInMonths(from: Temporal, to: Temporal): CypherDuration {
  const span = align(from, to);
  return new CypherDuration(span.dated ? monthsUntil(span.from, span.to) : 0, 0, 0, 0);
}

/** Returns the whole days from one value to another, as a duration; zero unless both have a date. */
export function durationInDays(from: Temporal, to: Temporal): CypherDuration {
  const span = align(from, to);
  return new CypherDuration(0, span.dated ? daysUntil(span.from, span.to) : 0, 0, 0);
}

/** Returns the exact seconds and nanoseconds from one value to another, as a duration. */
export function durationInSeconds(from: Temporal, to: Temporal): CypherDuration {
  const span = align(from, to);
  return exactDifference(span.from, span.to);
}

function align(from: Temporal, to: Temporal): Span {
  const a = partsOf(from);
  const b = partsOf(to);
  const zone = zoneOf(a) ?? zoneOf(b);
  const left = momentOf(from, b.epochDay ?? 0, zone);
  const right = momentOf(to, a.epochDay ?? 0, zone);
  const dated = a.epochDay !== null && b.epochDay !== null;
  return { from: left, to: zone === null ? right : atZone(right, zone), zone, dated };
}

function momentOf(value: Temporal, lentDay: number, lentZone: Zone | null): Moment {
  if (value instanceof CypherDateTime) return value;
  const parts = partsOf(value);
  const epochDay = parts.epochDay ?? lentDay;
  const nanoOfDay = parts.nanoOfDay ?? 0;
  const zone = zoneOf(parts) ?? lentZone;
  if (zone === null) return { epochDay, nanoOfDay, offsetSeconds: 0 };
  return zonedDateTime(epochDay, nanoOfDay, zone);
}

/** Moves a moment to another day, with the same time of day unless the zone skips it. */
function move(span: Span, epochDay: number, moment: Moment): Moment {
  if (span.zone === null) return { ...moment, epochDay };
  return zonedDateTime(epochDay, moment.nanoOfDay, span.zone, moment.offsetSeconds);
}

/** Returns the whole months by the calendar. A month counts once its day and time of day have been reached. */
function monthsUntil(from: Moment, to: Moment): number {
  const start = civilDateOf(from.epochDay);
  const end = civilDateOf(from.epochDay + daysUntil(from, to));
  const packed = (end.year - start.year) * 384 + (end.month - start.month) * 32 + end.day - start.day;
  return Math.trunc(packed / 32) + 0;
}

function daysUntil(from: Moment, to: Moment): number {
  const days = to.epochDay - from.epochDay;
  if (days > 0 && to.nanoOfDay < from.nanoOfDay) return days - 1;
  return days < 0 && to.nanoOfDay > from.nanoOfDay ? days + 1 : days;
}

function exactDifference(from: Moment, to: Moment): CypherDuration {
  const nanos = to.nanoOfDay - from.nanoOfDay - (to.offsetSeconds - from.offsetSeconds) * NANOS_PER_SECOND;
  const carry = Math.floor(nanos / NANOS_PER_DAY);
  const rest = nanos - carry * NANOS_PER_DAY;
  const seconds = secondsOf(to.epochDay - from.epochDay + carry, Math.floor(rest / NANOS_PER_SECOND));
  return new CypherDuration(0, 0, seconds, rest % NANOS_PER_SECOND);
}

/** Returns seconds as an Integer, exact beyond 2^53 too: two billion years have 6 × 10^16 seconds. */
function secondsOf(days: number, seconds: number): Integer {
  const total = days * 86_400 + seconds;
  return Number.isSafeInteger(total) ? total : makeInteger(BigInt(days) * 86_400n + BigInt(seconds));
}
