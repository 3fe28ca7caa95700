/** The components of temporal values and durations: the values of `d.year`, `t.offset`, `p.minutesOfHour`. */
import { argumentFault } from '../faults.ts';
import { type Integer, makeInteger } from '../numbers.ts';
import { aType } from '../type-name.ts';
import { CypherDateTime, CypherDuration, type Temporal, type Value } from '../values.ts';
import { civilDateOf, dayOfWeekOf, epochDayOf, floorModulo, quarterOf, quarterStart, weekOf } from './calendar.ts';
import { partsOf } from './parts.ts';
import { offsetText } from './text.ts';

/** Returns a component. @throws ARGUMENT_ERROR if the value has no component of that name */
export function temporalField(value: Temporal | CypherDuration, name: string): Value {
  const result = fieldOf(value, name);
  if (result !== undefined) return result;
  const other = value instanceof CypherDuration ? `${name}s` : name.replace(/s$/, '');
  const meant = fieldOf(value, other) === undefined ? '' : ` (did you mean "${other}"?)`;
  throw argumentFault(`${aType(value)} has no component "${name}"${meant}`);
}

const fieldOf = (value: Temporal | CypherDuration, name: string): Value | undefined =>
  value instanceof CypherDuration ? durationField(value, name) : pointField(value, name);

function pointField(value: Temporal, name: string): Value | undefined {
  const parts = partsOf(value);
  let result: Value | undefined;
  if (parts.epochDay !== null) result = dateField(parts.epochDay, name);
  if (result === undefined && parts.nanoOfDay !== null) result = timeField(parts.nanoOfDay, name);
  if (result === undefined && parts.offsetSeconds !== null) result = zoneField(parts.offsetSeconds, parts.zoneName, name);
  return result === undefined && value instanceof CypherDateTime ? epochField(value, name) : result;
}

function dateField(epochDay: number, name: string): Value | undefined {
  const { year, month, day } = civilDateOf(epochDay);
  switch (name) {
    case 'year':
      return year;
    case 'quarter':
      return quarterOf(month);
    case 'month':
      return month;
    case 'week':
      return weekOf(epochDay).week;
    case 'weekYear':
      return weekOf(epochDay).weekYear;
    case 'day':
      return day;
    case 'ordinalDay':
      return epochDay - epochDayOf(year, 1, 1) + 1;
    case 'weekDay':
    case 'dayOfWeek':
      return dayOfWeekOf(epochDay);
    case 'quarterDay':
    case 'dayOfQuarter':
      return epochDay - epochDayOf(year, quarterStart(quarterOf(month)), 1) + 1;
    default:
      return undefined;
  }
}

function timeField(nanoOfDay: number, name: string): Value | undefined {
  const seconds = Math.floor(nanoOfDay / 1e9);
  switch (name) {
    case 'hour':
      return Math.floor(seconds / 3600);
    case 'minute':
      return Math.floor(seconds / 60) % 60;
    case 'second':
      return seconds % 60;
    case 'millisecond':
      return Math.floor((nanoOfDay % 1e9) / 1e6);
    case 'microsecond':
      return Math.floor((nanoOfDay % 1e9) / 1e3);
    case 'nanosecond':
      return nanoOfDay % 1e9;
    default:
      return undefined;
  }
}

function zoneField(offsetSeconds: number, zoneName: string | null, name: string): Value | undefined {
  switch (name) {
    case 'timezone':
      return zoneName ?? offsetText(offsetSeconds);
    case 'offset':
      return offsetText(offsetSeconds);
    case 'offsetMinutes':
      return Math.trunc(offsetSeconds / 60) + 0;
    case 'offsetSeconds':
      return offsetSeconds;
    default:
      return undefined;
  }
}

function epochField(value: CypherDateTime, name: string): Value | undefined {
  if (name === 'epochSeconds') return epochSecondsOf(value);
  if (name !== 'epochMillis') return undefined;
  const millis = Math.floor((value.nanoOfDay % 1e9) / 1e6);
  return makeInteger(BigInt(epochSecondsOf(value)) * 1000n + BigInt(millis));
}

/** Returns the seconds since 1970-01-01T00:00Z, rounded down. */
export function epochSecondsOf(value: CypherDateTime): Integer {
  const second = Math.floor(value.nanoOfDay / 1e9) - value.offsetSeconds;
  const total = value.epochDay * 86_400 + second;
  return Number.isSafeInteger(total) ? total : makeInteger(BigInt(value.epochDay) * 86_400n + BigInt(second));
}

function durationField(value: CypherDuration, name: string): Value | undefined {
  const { months, days, seconds, nanos } = value;
  switch (name) {
    case 'years':
      return Math.trunc(months / 12) + 0;
    case 'quarters':
      return Math.trunc(months / 3) + 0;
    case 'months':
      return months;
    case 'weeks':
      return Math.trunc(days / 7) + 0;
    case 'days':
      return days;
    case 'quartersOfYear':
      return Math.trunc((months % 12) / 3) + 0;
    case 'monthsOfQuarter':
      return (months % 3) + 0;
    case 'monthsOfYear':
      return (months % 12) + 0;
    case 'daysOfWeek':
      return (days % 7) + 0;
    case 'seconds':
      return seconds;
    case 'secondsOfMinute':
      return Number(BigInt(seconds) % 60n);
    case 'millisecondsOfSecond':
      return Math.floor(nanos / 1e6);
    case 'microsecondsOfSecond':
      return Math.floor(nanos / 1e3);
    case 'nanosecondsOfSecond':
      return nanos;
    default:
      return durationTotal(BigInt(seconds), nanos, name);
  }
}

function durationTotal(seconds: bigint, nanos: number, name: string): Value | undefined {
  switch (name) {
    case 'hours':
      return makeInteger(seconds / 3600n);
    case 'minutes':
      return makeInteger(seconds / 60n);
    case 'minutesOfHour':
      return Number((seconds / 60n) % 60n);
    case 'milliseconds':
      return subseconds(seconds, nanos, 1000);
    case 'microseconds':
      return subseconds(seconds, nanos, 1_000_000);
    case 'nanoseconds':
      return subseconds(seconds, nanos, 1_000_000_000);
    default:
      return undefined;
  }
}

function subseconds(seconds: bigint, nanos: number, perSecond: number): Integer {
  const total = seconds * BigInt(perSecond) + BigInt(nanos - floorModulo(nanos, 1e9 / perSecond)) / BigInt(1e9 / perSecond);
  if (BigInt.asIntN(64, total) !== total) throw argumentFault('the component does not fit into 64 bits', 'NumberOutOfRange');
  return makeInteger(total);
}
