/**
 * Durations: construction from parts, maps and ISO 8601 text; addition, scaling, and addition to temporal values.
 * Months, days and seconds do not convert into each other, except that a fraction of a month or day flows down to the
 * smaller parts: a month then counts 2,629,746 seconds (400 Gregorian years / 4,800).
 */
import { argumentFault, arithmeticFault, overflowFault, quoted, typeFault } from '../faults.ts';
import { integerOfDigits } from '../number-text.ts';
import { INT64_MAX, INT64_MIN, type Integer, isNumber, makeInteger, toNumber } from '../numbers.ts';
import { aType } from '../type-name.ts';
import {
  CypherDate,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  type Temporal,
  type Value,
  type ValueMap,
} from '../values.ts';
import { checkedEpochDay, floorModulo, NANOS_PER_DAY, NANOS_PER_SECOND, plusMonths, SECONDS_PER_DAY } from './calendar.ts';
import { zonedDateTime } from './parts.ts';
import { atZone, UTC } from './zone.ts';

const SECONDS_PER_MONTH = 2_629_746;
const BILLION = 1_000_000_000n;

/** Makes a duration, with nanoseconds normalized into 0 … 999,999,999. @throws ARITHMETIC_ERROR beyond the range of a part */
export function makeDuration(months: number, days: number, seconds: Integer, nanos: number): CypherDuration {
  const carry = Math.floor(nanos / NANOS_PER_SECOND);
  for (const part of [months, days, carry]) if (!Number.isSafeInteger(part)) throw overflowFault('the duration');
  const whole = carry === 0 ? seconds : addIntegers(seconds, carry);
  return new CypherDuration(months + 0, days + 0, whole, nanos - carry * NANOS_PER_SECOND);
}

function addIntegers(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b)) return a + b;
  return checked64(BigInt(a) + BigInt(b));
}

/** Checks that a value fits into 64 bits. @throws ARITHMETIC_ERROR */
export function checked64(value: bigint): Integer {
  if (value > INT64_MAX || value < INT64_MIN) throw overflowFault('the duration');
  return makeInteger(value);
}

/** Makes a duration of parts with fractions, which flow down into the smaller parts. Fractions of a nanosecond are dropped. */
export function fromFractions(months: number, days: number, seconds: number, nanos: number): CypherDuration {
  const wholeMonths = Math.trunc(months);
  let wholeDays = Math.trunc(days);
  let rest = (months - wholeMonths) * SECONDS_PER_MONTH + (days - wholeDays) * SECONDS_PER_DAY;
  wholeDays += Math.trunc(rest / SECONDS_PER_DAY);
  rest %= SECONDS_PER_DAY;
  if (wholeDays > 0 && rest < 0) {
    wholeDays--;
    rest += SECONDS_PER_DAY;
  } else if (wholeDays < 0 && rest > 0) {
    wholeDays++;
    rest -= SECONDS_PER_DAY;
  }
  const wholeSeconds = Math.trunc(seconds);
  if (!Number.isFinite(wholeSeconds) || Math.abs(wholeSeconds) >= 2 ** 63) throw overflowFault('the duration');
  const wholeNanos = truncateNanos((rest + (seconds - wholeSeconds)) * NANOS_PER_SECOND + nanos);
  return makeDuration(wholeMonths, wholeDays, makeInteger(BigInt(wholeSeconds)), wholeNanos);
}

/** Drops the fraction, unless it is due to rounding: a number within 0.05 of a whole number becomes that number. */
function truncateNanos(nanos: number): number {
  const nearest = Math.round(nanos);
  return Math.abs(nanos - nearest) < 0.05 ? nearest : Math.trunc(nanos);
}

/** Adds two durations. */
export function addDurations(a: CypherDuration, b: CypherDuration): CypherDuration {
  return makeDuration(a.months + b.months, a.days + b.days, addIntegers(a.seconds, b.seconds), a.nanos + b.nanos);
}

/** Subtracts two durations. */
export function subtractDurations(a: CypherDuration, b: CypherDuration): CypherDuration {
  const seconds = checked64(BigInt(a.seconds) - BigInt(b.seconds));
  return makeDuration(a.months - b.months, a.days - b.days, seconds, a.nanos - b.nanos);
}

/** Negates a duration. */
export function negateDuration(a: CypherDuration): CypherDuration {
  return makeDuration(-a.months, -a.days, checked64(-BigInt(a.seconds)), -a.nanos);
}

/** Multiplies a duration by a number: exact for integer factors, approximate for fractions. */
export function multiplyDuration(duration: CypherDuration, factor: Integer): CypherDuration {
  if (typeof factor === 'number' && !Number.isInteger(factor)) {
    return fromFractions(duration.months * factor, duration.days * factor, Number(duration.seconds) * factor, duration.nanos * factor);
  }
  const times = BigInt(factor);
  const nanos = BigInt(duration.nanos) * times;
  const rest = ((nanos % BILLION) + BILLION) % BILLION;
  const seconds = checked64(BigInt(duration.seconds) * times + (nanos - rest) / BILLION);
  return makeDuration(Number(BigInt(duration.months) * times), Number(BigInt(duration.days) * times), seconds, Number(rest));
}

/** Divides a duration by a number. @throws ARITHMETIC_ERROR for zero */
export function divideDuration(duration: CypherDuration, divisor: number): CypherDuration {
  if (divisor === 0) throw arithmeticFault('a duration cannot be divided by zero', 'DivisionByZero');
  return fromFractions(duration.months / divisor, duration.days / divisor, Number(duration.seconds) / divisor, duration.nanos / divisor);
}

/** Adds a duration (`sign` 1) or subtracts it (-1). A Date takes only whole days of the seconds, a time of day only the seconds. */
export function addToTemporal(value: Temporal, duration: CypherDuration, sign: 1 | -1): Temporal {
  if (value instanceof CypherLocalTime) return new CypherLocalTime(shiftTime(value.nanoOfDay, duration, sign));
  if (value instanceof CypherTime) return new CypherTime(shiftTime(value.nanoOfDay, duration, sign), value.offsetSeconds);
  const months = plusMonths(value.epochDay, sign * duration.months);
  const day = checkedEpochDay(months + sign * duration.days);
  if (value instanceof CypherDate) return new CypherDate(checkedEpochDay(day + sign * wholeDays(duration.seconds)));
  const { days, rest } = splitSeconds(duration.seconds);
  if (value instanceof CypherLocalDateTime) {
    const nanos = value.nanoOfDay + sign * (rest * NANOS_PER_SECOND + duration.nanos);
    const carry = Math.floor(nanos / NANOS_PER_DAY);
    return new CypherLocalDateTime(checkedEpochDay(day + sign * days + carry), nanos - carry * NANOS_PER_DAY);
  }
  const zone = { name: value.zone, offsetSeconds: value.offsetSeconds };
  const moved = zonedDateTime(day, value.nanoOfDay, zone, value.offsetSeconds);
  const utc = atZone(moved, UTC);
  const nanos = utc.nanoOfDay + sign * (rest * NANOS_PER_SECOND + duration.nanos);
  const carry = Math.floor(nanos / NANOS_PER_DAY);
  const instant = {
    epochDay: checkedEpochDay(utc.epochDay + sign * days + carry),
    nanoOfDay: nanos - carry * NANOS_PER_DAY,
    offsetSeconds: 0,
  };
  const local = atZone(instant, zone);
  return zonedDateTime(local.epochDay, local.nanoOfDay, zone, local.offsetSeconds);
}

function shiftTime(nanoOfDay: number, duration: CypherDuration, sign: 1 | -1): number {
  const { rest } = splitSeconds(duration.seconds);
  return floorModulo(nanoOfDay + sign * (rest * NANOS_PER_SECOND + duration.nanos), NANOS_PER_DAY);
}

/** Splits seconds into days and a rest of 0 … 86,399 seconds. */
function splitSeconds(seconds: Integer): { readonly days: number; readonly rest: number } {
  if (typeof seconds === 'number') {
    const days = Math.floor(seconds / SECONDS_PER_DAY);
    return { days, rest: seconds - days * SECONDS_PER_DAY };
  }
  const days = seconds / 86_400n - (seconds % 86_400n < 0n ? 1n : 0n);
  return { days: Number(days), rest: Number(seconds - days * 86_400n) };
}

function wholeDays(seconds: Integer): number {
  return Math.trunc(Number(seconds) / SECONDS_PER_DAY);
}

/** The part of a duration that each field counts in, and how many of its units the field has. */
const FIELDS: Readonly<Record<string, readonly ['months' | 'days' | 'seconds' | 'nanos', number]>> = {
  years: ['months', 12],
  quarters: ['months', 3],
  months: ['months', 1],
  weeks: ['days', 7],
  days: ['days', 1],
  hours: ['seconds', 3600],
  minutes: ['seconds', 60],
  seconds: ['seconds', 1],
  milliseconds: ['nanos', 1e6],
  microseconds: ['nanos', 1e3],
  nanoseconds: ['nanos', 1],
};

/** Makes a duration of a map such as `{years: 1, days: 1.5}`. Integer fields are exact. */
export function durationFromMap(map: ValueMap): CypherDuration {
  let duration = new CypherDuration(0, 0, 0, 0);
  const fractions = { months: 0, days: 0, seconds: 0, nanos: 0 };
  for (const [name, value] of map) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (field === undefined)
      throw argumentFault(`a duration has no field "${name}"${Object.hasOwn(FIELDS, `${name}s`) ? ` (did you mean "${name}s"?)` : ''}`);
    if (!isNumber(value)) throw typeFault(`${name} must be a number, but is ${aType(value)}`, 'InvalidArgumentValue');
    const [part, scale] = field;
    const amount = typeof value === 'bigint' ? value : toNumber(value);
    if (typeof amount === 'bigint' || Number.isInteger(amount))
      duration = addDurations(duration, wholePart(part, BigInt(amount) * BigInt(scale)));
    else fractions[part] += amount * scale;
  }
  if (fractions.months === 0 && fractions.days === 0 && fractions.seconds === 0 && fractions.nanos === 0) return duration;
  return fromFractions(
    fractions.months + duration.months,
    fractions.days + duration.days,
    fractions.seconds + Number(duration.seconds),
    fractions.nanos + duration.nanos,
  );
}

function wholePart(part: 'months' | 'days' | 'seconds' | 'nanos', amount: bigint): CypherDuration {
  if (part === 'months') return makeDuration(Number(amount), 0, 0, 0);
  if (part === 'days') return makeDuration(0, Number(amount), 0, 0);
  if (part === 'seconds') return makeDuration(0, 0, checked64(amount), 0);
  const nanos = BigInt.asIntN(64, amount) === amount ? amount : null;
  if (nanos === null) throw overflowFault('the duration');
  const rest = ((nanos % BILLION) + BILLION) % BILLION;
  return makeDuration(0, 0, checked64((nanos - rest) / BILLION), Number(rest));
}

const AMOUNT = '([-+]?\\d+(?:[.,]\\d+)?)';
const UNITS = new RegExp(
  `^([-+]?)P(?=.)(?:${AMOUNT}Y)?(?:${AMOUNT}M)?(?:${AMOUNT}W)?(?:${AMOUNT}D)?(?:T(?=.)(?:${AMOUNT}H)?(?:${AMOUNT}M)?(?:${AMOUNT}S)?)?$`,
);
const UNIT_NAMES = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'];
const DATE_AND_TIME = /^([-+]?)P(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2}(?:[.,]\d{1,9})?)$/;
const DATE_AND_TIME_NAMES = ['years', 'months', 'days', 'hours', 'minutes', 'seconds'];

/** Parses `P1Y2M10DT2H30.5S`, `P2.5W`, `-P1D`, `P2012-02-02T14:37:21.545`. @throws ARGUMENT_ERROR for any other text */
export function parseDuration(text: string): CypherDuration {
  const units = UNITS.exec(text);
  const parts = units ?? DATE_AND_TIME.exec(text);
  if (parts === null) throw argumentFault(`${quoted(text)} cannot be read as a duration, as P1DT2H30M can`);
  const names = units === null ? DATE_AND_TIME_NAMES : UNIT_NAMES;
  const fields: ValueMap = new Map();
  names.forEach((name, index) => {
    const amount = parts[index + 2]?.replace(',', '.');
    if (amount !== undefined) setAmount(fields, name, amount);
  });
  const duration = durationFromMap(fields);
  return parts[1] === '-' ? negateDuration(duration) : duration;
}

/** Sets a field to an amount in decimal digits. A fraction of seconds stays exact, as nanoseconds; others become Floats. */
function setAmount(fields: ValueMap, name: string, amount: string): void {
  const point = amount.indexOf('.');
  if (point < 0) {
    fields.set(name, wholeAmount(amount));
  } else if (name === 'seconds') {
    const nanos = Number(
      amount
        .slice(point + 1)
        .padEnd(9, '0')
        .slice(0, 9),
    );
    fields.set('seconds', wholeAmount(amount.slice(0, point)));
    fields.set('nanoseconds', amount.startsWith('-') ? -nanos + 0 : nanos);
  } else {
    fields.set(name, Number(amount));
  }
}

function wholeAmount(digits: string): Integer {
  const value = integerOfDigits(digits);
  if (value === null) throw overflowFault('the duration');
  return makeInteger(value);
}

/** Makes a duration from a text or a map; returns a duration as it is. @throws TYPE_ERROR for any other value */
export function durationFrom(value: Value): CypherDuration {
  if (value instanceof CypherDuration) return value;
  if (typeof value === 'string') return parseDuration(value);
  if (value instanceof Map) return durationFromMap(value);
  throw typeFault(`a duration is made from a String or a Map, not from ${aType(value)}`, 'InvalidArgumentValue');
}
