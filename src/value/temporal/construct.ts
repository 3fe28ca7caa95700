/**
 * Temporal values from maps (`{year: 1984, week: 10}`, `{date: d, time: t, second: 42}`), from other temporal values,
 * from the clock, and by truncation. A field that is given replaces that of the base value. Without a base value,
 * coarser fields must be given before finer ones, and missing fields have their smallest value.
 */
import { unreachable } from '../../base/index.ts';
import { argumentFault, typeFault } from '../faults.ts';
import { isInteger } from '../numbers.ts';
import { aType } from '../type-name.ts';
import {
  CypherDate,
  type CypherDateTime,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  isTemporal,
  type Temporal,
  type Value,
  type ValueMap,
} from '../values.ts';
import {
  checkedEpochDay,
  civilDateOf,
  dayOfWeekOf,
  epochDayOf,
  floorModulo,
  NANOS_PER_DAY,
  quarterOf,
  quarterStart,
  SECONDS_PER_DAY,
  weekOf,
} from './calendar.ts';
import {
  checkRange,
  dayFromCalendar,
  dayFromOrdinal,
  dayFromQuarter,
  dayFromWeek,
  type Instant,
  lacks,
  nanosFromTime,
  partsOf,
  type TemporalKind,
  type TemporalParts,
  zonedDateTime,
  zoneOf,
} from './parts.ts';
import { atZone, parseZone, UTC, type Zone } from './zone.ts';

const DATE_FIELDS = ['date', 'year', 'month', 'day', 'week', 'dayOfWeek', 'quarter', 'dayOfQuarter', 'ordinalDay'];
const TIME_FIELDS = ['time', 'hour', 'minute', 'second', 'millisecond', 'microsecond', 'nanosecond'];
const FIELDS: Readonly<Record<TemporalKind, ReadonlySet<string>>> = {
  date: new Set([...DATE_FIELDS, 'datetime']),
  localtime: new Set([...TIME_FIELDS, 'datetime']),
  time: new Set([...TIME_FIELDS, 'datetime', 'timezone']),
  localdatetime: new Set([...DATE_FIELDS, ...TIME_FIELDS, 'datetime', 'epochSeconds', 'epochMillis']),
  datetime: new Set([...DATE_FIELDS, ...TIME_FIELDS, 'datetime', 'timezone', 'epochSeconds', 'epochMillis']),
};

/** The base value, whose fields those of a map replace. */
interface Base {
  readonly epochDay: number | null;
  readonly nanoOfDay: number | null;
  readonly zone: Zone | null;
  /** The offset of the base, so that in an hour that the clocks show twice the instant stays the same. */
  readonly offsetSeconds: number | null;
}

const NOTHING: Base = { epochDay: null, nanoOfDay: null, zone: null, offsetSeconds: null };

/** Makes a value from a map of fields. `now` is used only for the offset of a named zone in a Time. */
export function temporalFromMap(kind: TemporalKind, map: ValueMap, now: Instant): Temporal {
  checkFields(kind, map);
  const base = baseOf(map);
  const built = build(kind, map, base);
  const zone = zoneField(map);
  const target = zone === null ? null : { zone, convert: base.zone !== null };
  return assemble(kind, { ...built, zone: base.zone, offsetSeconds: base.offsetSeconds }, target, now);
}

/** Converts another temporal value. A time that it lacks is midnight, a zone that it lacks is UTC. */
export function temporalFromTemporal(kind: TemporalKind, value: Temporal, now: Instant): Temporal {
  const parts = partsOf(value);
  if (kind !== 'localtime' && kind !== 'time' && parts.epochDay === null) throw lacks(value, 'date');
  if ((kind === 'localtime' || kind === 'time') && parts.nanoOfDay === null) throw lacks(value, 'time');
  return assemble(kind, fromParts(parts), null, now);
}

/** Returns the moment `now` on the clocks of a zone. */
export function temporalFromInstant(kind: TemporalKind, now: Instant, zone: Zone): Temporal {
  const days = Math.floor(now.epochSecond / SECONDS_PER_DAY);
  const nanoOfDay = (now.epochSecond - days * SECONDS_PER_DAY) * 1e9 + now.nano;
  const moment = atZone({ epochDay: checkedEpochDay(days), nanoOfDay, offsetSeconds: 0 }, zone);
  return assemble(kind, { ...moment, zone }, null, now);
}

/** The units of truncation, from the longest to the shortest. */
export const TRUNCATION_UNITS = [
  'millennium',
  'century',
  'decade',
  'year',
  'weekYear',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
  'millisecond',
  'microsecond',
] as const;
type TruncationUnit = (typeof TRUNCATION_UNITS)[number];

const NANOS_OF_UNIT: Readonly<Partial<Record<TruncationUnit, number>>> = {
  hour: 3600e9,
  minute: 60e9,
  second: 1e9,
  millisecond: 1e6,
  microsecond: 1e3,
};

/** Truncates `value` to the start of its `unit`, then replaces the fields of the map; a zone among them replaces without conversion. */
export function truncateTemporal(kind: TemporalKind, unitName: string, value: Temporal, fields: ValueMap, now: Instant): Temporal {
  const unit = TRUNCATION_UNITS.find((known) => known.toLowerCase() === unitName.toLowerCase());
  if (unit === undefined) throw argumentFault(`"${unitName}" is no unit to truncate to: ${TRUNCATION_UNITS.join(', ')}`);
  const base = fromParts(partsOf(value));
  const truncated = truncateBase(kind, unit, value, base);
  const overlay = withSubsecondsOfUnit(unit, fields, truncated);
  checkFields(kind, overlay);
  const built = build(kind, overlay, truncated);
  const zone = zoneField(overlay);
  return assemble(kind, { ...built, zone: zone ?? base.zone, offsetSeconds: zone === null ? base.offsetSeconds : null }, null, now);
}

function truncateBase(kind: TemporalKind, unit: TruncationUnit, value: Temporal, base: Base): Base {
  const nanos = NANOS_OF_UNIT[unit];
  if (nanos === undefined) {
    if (unit !== 'day' && (kind === 'localtime' || kind === 'time')) throw argumentFault(`a ${kind} cannot be truncated to a ${unit}`);
    if (base.epochDay === null && unit !== 'day') throw lacks(value, 'date');
    const epochDay = base.epochDay === null ? null : truncateDay(unit as DateUnit, base.epochDay);
    if (epochDay === null && kind !== 'localtime' && kind !== 'time') throw lacks(value, 'date');
    return { ...base, epochDay, nanoOfDay: 0 };
  }
  if (kind === 'date') throw argumentFault(`a date cannot be truncated to a ${unit}`);
  if (base.nanoOfDay === null) throw lacks(value, 'time');
  if (base.epochDay === null && kind !== 'localtime' && kind !== 'time') throw lacks(value, 'date');
  return { ...base, nanoOfDay: base.nanoOfDay - (base.nanoOfDay % nanos) };
}

type DateUnit = Exclude<TruncationUnit, 'hour' | 'minute' | 'second' | 'millisecond' | 'microsecond'>;

function truncateDay(unit: DateUnit, epochDay: number): number {
  const { year, month } = civilDateOf(epochDay);
  switch (unit) {
    case 'millennium':
      return checkedEpochDay(epochDayOf(Math.floor(year / 1000) * 1000, 1, 1));
    case 'century':
      return checkedEpochDay(epochDayOf(Math.floor(year / 100) * 100, 1, 1));
    case 'decade':
      return checkedEpochDay(epochDayOf(Math.floor(year / 10) * 10, 1, 1));
    case 'year':
      return epochDayOf(year, 1, 1);
    case 'weekYear':
      return dayFromWeek(weekOf(epochDay).weekYear, 1, 1);
    case 'quarter':
      return epochDayOf(year, quarterStart(quarterOf(month)), 1);
    case 'month':
      return epochDayOf(year, month, 1);
    case 'week':
      return checkedEpochDay(epochDay - dayOfWeekOf(epochDay) + 1);
    case 'day':
      return epochDay;
    default:
      return unreachable(unit, 'unit');
  }
}

/** Adds the milliseconds or microseconds that truncation has kept to the fields, so that `{nanosecond: 2}` counts from there. */
function withSubsecondsOfUnit(unit: TruncationUnit, fields: ValueMap, base: Base): ValueMap {
  const finer = fields.has('nanosecond') || (unit === 'millisecond' && fields.has('microsecond'));
  if (!finer || base.nanoOfDay === null) return fields;
  const nanos = base.nanoOfDay % 1e9;
  if (unit === 'millisecond') return new Map<string, Value>([['millisecond', nanos / 1e6], ...fields]);
  return unit === 'microsecond' ? new Map<string, Value>([['microsecond', nanos / 1e3], ...fields]) : fields;
}

function checkFields(kind: TemporalKind, map: ValueMap): void {
  for (const name of map.keys()) {
    if (!FIELDS[kind].has(name))
      throw argumentFault(
        `a ${kind} has no field "${name}"${FIELDS[kind].has(name.replace(/s$/, '')) ? ` (did you mean "${name.replace(/s$/, '')}"?)` : ''}`,
      );
  }
}

function fromParts(parts: TemporalParts): Base {
  return { epochDay: parts.epochDay, nanoOfDay: parts.nanoOfDay, zone: zoneOf(parts), offsetSeconds: parts.offsetSeconds };
}

/** Returns the base value that a map gives by `datetime`, `date`, `time`, `epochSeconds` and `epochMillis`. */
function baseOf(map: ValueMap): Base {
  const epoch = epochBase(map);
  if (epoch !== null) return epoch;
  const whole = temporalField(map, 'datetime');
  const date = temporalField(map, 'date');
  const time = temporalField(map, 'time');
  if (whole !== null && (date !== null || time !== null)) throw argumentFault('datetime cannot be combined with date or time');
  if (whole !== null) {
    const base = fromParts(partsOf(whole));
    if (base.epochDay === null) throw lacks(whole, 'date');
    return base;
  }
  return { ...timeBase(time), epochDay: dateBase(date) };
}

function timeBase(time: Temporal | null): Base {
  if (time === null) return NOTHING;
  const parts = partsOf(time);
  if (parts.nanoOfDay === null) throw lacks(time, 'time');
  return fromParts(parts);
}

function dateBase(date: Temporal | null): number | null {
  if (date === null) return null;
  const { epochDay } = partsOf(date);
  if (epochDay === null) throw lacks(date, 'date');
  return epochDay;
}

function epochBase(map: ValueMap): Base | null {
  const seconds = integerField(map, 'epochSeconds');
  const millis = integerField(map, 'epochMillis');
  if (seconds === null && millis === null) return null;
  if (seconds !== null && millis !== null) throw argumentFault('epochSeconds cannot be combined with epochMillis');
  const total = seconds !== null ? seconds : Math.floor((millis as number) / 1000);
  const nanos = seconds !== null ? 0 : floorModulo(millis as number, 1000) * 1e6;
  const days = Math.floor(total / SECONDS_PER_DAY);
  return { epochDay: checkedEpochDay(days), nanoOfDay: (total - days * SECONDS_PER_DAY) * 1e9 + nanos, zone: UTC, offsetSeconds: 0 };
}

function build(kind: TemporalKind, map: ValueMap, base: Base): { epochDay: number | null; nanoOfDay: number | null } {
  const epochDay = kind === 'localtime' || kind === 'time' ? base.epochDay : buildDay(map, base.epochDay);
  const nanoOfDay = kind === 'date' ? 0 : buildTime(kind, map, base.nanoOfDay);
  return { epochDay, nanoOfDay };
}

/** Returns the epoch day that a map gives in one of four ways: by calendar, week, quarter or ordinal day. */
function buildDay(map: ValueMap, base: number | null): number {
  const week = map.has('week') || map.has('dayOfWeek');
  const quarter = map.has('quarter') || map.has('dayOfQuarter');
  const ordinal = map.has('ordinalDay');
  const calendar = map.has('month') || map.has('day');
  if (Number(week) + Number(quarter) + Number(ordinal) + Number(calendar) > 1) {
    throw argumentFault('a date is said by month and day, by week, by quarter or by ordinalDay, not by several of them');
  }
  if (base === null && !map.has('year')) throw argumentFault('year must be given');
  if (week) return buildWeekDay(map, base);
  if (quarter) return buildQuarterDay(map, base);
  const start = base === null ? null : civilDateOf(base);
  const year = integerField(map, 'year') ?? (start as { year: number }).year;
  if (ordinal) return dayFromOrdinal(year, integerField(map, 'ordinalDay') as number);
  if (start === null && map.has('day') && !map.has('month')) throw argumentFault('month must be given where day is');
  return dayFromCalendar(year, integerField(map, 'month') ?? start?.month ?? 1, integerField(map, 'day') ?? start?.day ?? 1);
}

function buildWeekDay(map: ValueMap, base: number | null): number {
  const start = base === null ? null : { ...weekOf(base), dayOfWeek: dayOfWeekOf(base) };
  if (start === null && !map.has('week')) throw argumentFault('week must be given where dayOfWeek is');
  const year = integerField(map, 'year') ?? (start as { weekYear: number }).weekYear;
  return dayFromWeek(year, integerField(map, 'week') ?? start?.week ?? 1, integerField(map, 'dayOfWeek') ?? start?.dayOfWeek ?? 1);
}

function buildQuarterDay(map: ValueMap, base: number | null): number {
  const start = base === null ? null : civilDateOf(base);
  if (start === null && !map.has('quarter')) throw argumentFault('quarter must be given where dayOfQuarter is');
  const year = integerField(map, 'year') ?? (start as { year: number }).year;
  const quarter = integerField(map, 'quarter') ?? quarterOf((start as { month: number }).month);
  return dayFromQuarter(year, quarter, integerField(map, 'dayOfQuarter') ?? (base === null ? 1 : dayOfQuarter(base)));
}

function dayOfQuarter(epochDay: number): number {
  const { year, month } = civilDateOf(epochDay);
  return epochDay - epochDayOf(year, quarterStart(quarterOf(month)), 1) + 1;
}

function buildTime(kind: TemporalKind, map: ValueMap, base: number | null): number {
  if (base === null) requireCoarserTimeFields(kind, map);
  const seconds = Math.floor((base ?? 0) / 1e9);
  const hour = integerField(map, 'hour') ?? Math.floor(seconds / 3600);
  const minute = integerField(map, 'minute') ?? Math.floor(seconds / 60) % 60;
  const second = integerField(map, 'second') ?? seconds % 60;
  return nanosFromTime(hour, minute, second, subsecond(map) ?? (base ?? 0) % 1e9);
}

function requireCoarserTimeFields(kind: TemporalKind, map: ValueMap): void {
  const given = ['hour', 'minute', 'second', 'subsecond'].map((name) =>
    name === 'subsecond' ? map.has('millisecond') || map.has('microsecond') || map.has('nanosecond') : map.has(name),
  );
  const finest = given.lastIndexOf(true);
  const missing = given.slice(0, Math.max(finest, 0)).indexOf(false);
  if (missing >= 0) throw argumentFault(`${['hour', 'minute', 'second'][missing]} must be given where a smaller unit is`);
  if (finest < 0 && (kind === 'localtime' || kind === 'time')) throw argumentFault('hour must be given');
}

/** Returns the nanoseconds of the second, the sum of three fields; null when none of the three is given. */
function subsecond(map: ValueMap): number | null {
  const millis = integerField(map, 'millisecond');
  const micros = integerField(map, 'microsecond');
  const nanos = integerField(map, 'nanosecond');
  if (millis === null && micros === null && nanos === null) return null;
  checkRange('millisecond', millis ?? 0, 0, 999);
  checkRange('microsecond', micros ?? 0, 0, millis === null ? 999_999 : 999);
  checkRange('nanosecond', nanos ?? 0, 0, micros !== null ? 999 : millis !== null ? 999_999 : 999_999_999);
  return (millis ?? 0) * 1e6 + (micros ?? 0) * 1e3 + (nanos ?? 0);
}

/** Makes a value of its parts. A target zone converts the instant or, where the parts are local, is just attached. */
function assemble(kind: TemporalKind, base: Base, target: { zone: Zone; convert: boolean } | null, now: Instant): Temporal {
  const epochDay = base.epochDay ?? 0;
  const nanoOfDay = base.nanoOfDay ?? 0;
  switch (kind) {
    case 'date':
      return new CypherDate(epochDay);
    case 'localtime':
      return new CypherLocalTime(nanoOfDay);
    case 'localdatetime':
      return new CypherLocalDateTime(epochDay, nanoOfDay);
    case 'time':
      return assembleTime(nanoOfDay, base, target, now);
    case 'datetime':
      return assembleDateTime(epochDay, nanoOfDay, base, target);
  }
}

function assembleTime(nanoOfDay: number, base: Base, target: { zone: Zone; convert: boolean } | null, now: Instant): CypherTime {
  const own = base.offsetSeconds ?? (base.zone === null ? 0 : offsetNow(base.zone, now));
  if (target === null) return new CypherTime(nanoOfDay, own);
  const offset = offsetNow(target.zone, now);
  if (!target.convert) return new CypherTime(nanoOfDay, offset);
  return new CypherTime(floorModulo(nanoOfDay + (offset - own) * 1e9, NANOS_PER_DAY), offset);
}

function assembleDateTime(
  epochDay: number,
  nanoOfDay: number,
  base: Base,
  target: { zone: Zone; convert: boolean } | null,
): CypherDateTime {
  if (target !== null && !target.convert) return zonedDateTime(epochDay, nanoOfDay, target.zone);
  const own = zonedDateTime(epochDay, nanoOfDay, base.zone ?? UTC, base.offsetSeconds ?? undefined);
  if (target === null) return own;
  const moment = atZone(own, target.zone);
  return zonedDateTime(moment.epochDay, moment.nanoOfDay, target.zone, moment.offsetSeconds);
}

/** Returns the offset of a zone at the instant `now`, since a Time has no day that decides about the offset. */
function offsetNow(zone: Zone, now: Instant): number {
  if (zone.name === null) return zone.offsetSeconds;
  const days = Math.floor(now.epochSecond / SECONDS_PER_DAY);
  return atZone({ epochDay: days, nanoOfDay: (now.epochSecond - days * SECONDS_PER_DAY) * 1e9, offsetSeconds: 0 }, zone).offsetSeconds;
}

function zoneField(map: ValueMap): Zone | null {
  const zone = map.get('timezone');
  if (zone === undefined) return null;
  if (typeof zone !== 'string') throw typeFault(`timezone must be a String, but is ${aType(zone)}`, 'InvalidArgumentValue');
  return parseZone(zone);
}

function temporalField(map: ValueMap, name: string): Temporal | null {
  const value = map.get(name);
  if (value === undefined) return null;
  if (!isTemporal(value)) throw typeFault(`${name} must be a temporal value, but is ${aType(value)}`, 'InvalidArgumentValue');
  return value;
}

function integerField(map: ValueMap, name: string): number | null {
  const value = map.get(name);
  if (value === undefined) return null;
  if (!isInteger(value)) throw typeFault(`${name} must be an Integer, but is ${aType(value)}`, 'InvalidArgumentValue');
  if (typeof value === 'bigint') throw argumentFault(`${name} is too large`, 'NumberOutOfRange');
  return value;
}
