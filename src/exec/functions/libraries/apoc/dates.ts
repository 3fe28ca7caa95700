/** `apoc.date.*` and `apoc.temporal.*`, on milliseconds since 1970 and on temporal values. */
import type { dateFacts, FunctionName } from '../../../../functions/index.ts';
import {
  argumentFault,
  atZone,
  CypherDate,
  CypherDateTime,
  CypherLocalDateTime,
  CypherTime,
  type Integer,
  instantOf,
  isTemporal,
  parseTemporal,
  parseZone,
  quoted,
  UTC,
  type Value,
  zonedDateTime,
} from '../../../../value/index.ts';
import { integerArgument, stringArgument, wrongArgument } from '../../arguments.ts';
import type { Implementations } from '../../definition.ts';
import { readByPattern, type ShownMoment, writeByPattern } from './date-pattern.ts';

const DEFAULT_PATTERN = 'yyyy-MM-dd HH:mm:ss';
const ISO_PATTERN = "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'";
const SECONDS_PER_DAY = 86_400;

/** Milliseconds of each unit, by its names. */
const UNITS = byNames<number>([
  [['ms', 'milli', 'millis', 'milliseconds'], 1],
  [['s', 'second', 'seconds'], 1000],
  [['m', 'minute', 'minutes'], 60_000],
  [['h', 'hour', 'hours'], 3_600_000],
  [['d', 'day', 'days'], 86_400_000],
]);

function byNames<T>(rows: readonly (readonly [names: readonly string[], value: T])[]): ReadonlyMap<string, T> {
  return new Map(rows.flatMap(([names, value]) => names.map((name) => [name, value] as const)));
}

function unitArgument(name: FunctionName, value: Value): number {
  const unit = stringArgument(name, value);
  const found = UNITS.get(unit.toLowerCase());
  if (found === undefined) throw argumentFault(`${name}() knows no unit ${quoted(unit)}; there are ms, s, m, h and d`);
  return found;
}

/** Converts a time in a unit to milliseconds. @throws ARGUMENT_ERROR for an unknown unit, or beyond some 285,000 years */
function millisOf(name: FunctionName, time: Value, unit: Value): number {
  const millis = Number(integerArgument(name, time)) * unitArgument(name, unit);
  if (Number.isSafeInteger(millis)) return millis;
  throw argumentFault(`${name}() expects a time within some 285,000 years of 1970`);
}

const inUnit = (millis: number, unit: number): Integer => Math.trunc(millis / unit) + 0;

function shown(millis: number, timezone: Value, name: FunctionName): ShownMoment {
  const text = timezone === null ? '' : stringArgument(name, timezone);
  const zone = text === '' || text === 'UTC' ? UTC : parseZone(text);
  const { epochSecond, nano } = instantOf(millis);
  const epochDay = Math.floor(epochSecond / SECONDS_PER_DAY);
  const moment = { epochDay, nanoOfDay: (epochSecond - epochDay * SECONDS_PER_DAY) * 1e9 + nano, offsetSeconds: 0 };
  return { ...atZone(moment, zone), zone: zone.name };
}

function millisAt(epochDay: number, nanoOfDay: number, offsetSeconds: number): number {
  return (epochDay * SECONDS_PER_DAY - offsetSeconds) * 1000 + Math.floor(nanoOfDay / 1e6);
}

/** Reads a text as milliseconds since 1970; `timezone` applies if the text has no offset of its own. */
function read(name: FunctionName, text: Value, pattern: Value, timezone: Value): number {
  const { epochDay, nanoOfDay, offsetSeconds } = readByPattern(stringArgument(name, text), stringArgument(name, pattern));
  if (offsetSeconds !== null) return millisAt(epochDay, nanoOfDay, offsetSeconds);
  const zone = stringArgument(name, timezone);
  const moment = zonedDateTime(epochDay, nanoOfDay, zone === '' || zone === 'UTC' ? UTC : parseZone(zone));
  return millisAt(moment.epochDay, moment.nanoOfDay, moment.offsetSeconds);
}

function format(name: FunctionName, millis: number, pattern: Value, timezone: Value): string {
  return writeByPattern(shown(millis, timezone, name), stringArgument(name, pattern));
}

// ---------------------------------------------------------------- fields

const FIELD_PATTERNS = byNames([
  [['year', 'years'], 'u'],
  [['month', 'months'], 'M'],
  [['d', 'day', 'days'], 'd'],
  [['h', 'hour', 'hours'], 'H'],
  [['m', 'minute', 'minutes'], 'm'],
  [['s', 'second', 'seconds'], 's'],
  [['ms', 'milli', 'millis', 'milliseconds'], 'SSS'],
]);

function field(time: Value, unit: Value, timezone: Value): Integer {
  const name = 'apoc.date.field';
  const wanted = stringArgument(name, unit);
  const pattern = FIELD_PATTERNS.get(wanted.toLowerCase());
  if (pattern === undefined) throw argumentFault(`${name}() knows no field ${quoted(wanted)}`);
  return Number(format(name, millisOf(name, time, 'ms'), pattern, timezone));
}

function fields(text: Value, pattern: Value): Value {
  const name = 'apoc.date.fields';
  const millis = read(name, text, pattern, '');
  const letters = stringArgument(name, pattern);
  const all = [
    ['years', 'y', 'u'],
    ['months', 'M', 'M'],
    ['days', 'd', 'd'],
    ['hours', 'H', 'H'],
    ['minutes', 'm', 'm'],
    ['seconds', 's', 's'],
  ] as const;
  const told = all.filter(([, letter, shown]) => letters.includes(letter) || letters.includes(shown));
  return new Map<string, Value>([
    ...told.map(([key, , shown]) => [key, Number(format(name, millis, shown, ''))] as const),
    ['zoneid', 'UTC'],
  ]);
}

function temporal(value: Value, pattern: Value): string {
  const name = 'apoc.temporal.format';
  if (!isTemporal(value)) throw wrongArgument(name, 'a temporal value', value);
  const epochDay =
    value instanceof CypherDate || value instanceof CypherLocalDateTime || value instanceof CypherDateTime ? value.epochDay : 0;
  const nanoOfDay = value instanceof CypherDate ? 0 : value.nanoOfDay;
  const offsetSeconds = value instanceof CypherTime || value instanceof CypherDateTime ? value.offsetSeconds : 0;
  return writeByPattern(
    { epochDay, nanoOfDay, offsetSeconds, zone: value instanceof CypherDateTime ? value.zone : null },
    stringArgument(name, pattern),
  );
}

/** The functions `apoc.date.*` and `apoc.temporal.*`. */
export const dateFunctions: Implementations<typeof dateFacts> = {
  'apoc.date.add': (_, time, unit, addValue, addUnit) => {
    const name = 'apoc.date.add';
    return inUnit(millisOf(name, time, unit) + millisOf(name, addValue, addUnit), unitArgument(name, unit));
  },
  'apoc.date.convert': (_, time, unit, toUnit) =>
    inUnit(millisOf('apoc.date.convert', time, unit), unitArgument('apoc.date.convert', toUnit)),
  'apoc.date.convertFormat': (_, text, currentFormat, convertTo = 'yyyy-MM-dd') =>
    format('apoc.date.convertFormat', read('apoc.date.convertFormat', text, currentFormat, ''), convertTo, ''),
  'apoc.date.currentTimestamp': ({ realTime }) => {
    const { epochSecond, nano } = realTime();
    return epochSecond * 1000 + Math.floor(nano / 1e6);
  },
  'apoc.date.field': (_, time, unit = 'd', timezone = 'UTC') => field(time, unit, timezone),
  'apoc.date.fields': (_, text, pattern = DEFAULT_PATTERN) => fields(text, pattern),
  'apoc.date.format': (_, time, unit = 'ms', pattern = DEFAULT_PATTERN, timezone = '') =>
    format('apoc.date.format', millisOf('apoc.date.format', time, unit), pattern, timezone),
  'apoc.date.fromISO8601': (_, text) => {
    const { epochDay, nanoOfDay, offsetSeconds } = parseTemporal(
      'datetime',
      stringArgument('apoc.date.fromISO8601', text),
    ) as CypherDateTime;
    return millisAt(epochDay, nanoOfDay, offsetSeconds);
  },
  'apoc.date.parse': (_, text, unit = 'ms', pattern = DEFAULT_PATTERN, timezone = '') =>
    inUnit(read('apoc.date.parse', text, pattern, timezone), unitArgument('apoc.date.parse', unit)),
  'apoc.date.toISO8601': (_, time, unit = 'ms') =>
    format('apoc.date.toISO8601', millisOf('apoc.date.toISO8601', time, unit), ISO_PATTERN, ''),
  'apoc.temporal.format': (_, value, pattern = 'yyyy-MM-dd') => temporal(value, pattern),
};
