/**
 * Temporal values from ISO 8601 text: calendar, week, quarter and ordinal dates, in their forms with and without
 * separators; times down to nanoseconds; offsets; IANA zones in brackets. Other text, and a date that does not exist,
 * is an ARGUMENT_ERROR.
 */
import { argumentFault, quoted } from '../faults.ts';
import { CypherDate, type CypherDateTime, CypherLocalDateTime, CypherLocalTime, CypherTime, type Temporal } from '../values.ts';
import { dayFromCalendar, dayFromOrdinal, dayFromQuarter, dayFromWeek, nanosFromTime, type TemporalKind, zonedDateTime } from './parts.ts';
import { parseOffset, parseZone, UTC, type Zone } from './zone.ts';

const YEAR = '(?<year>[+-]\\d{1,9}|\\d{4})';
const EXTENDED_DATE = new RegExp(
  `^${YEAR}(?:-(?<month>\\d{1,2})(?:-(?<day>\\d{1,2}))?|-W(?<week>\\d{1,2})(?:-(?<dayOfWeek>\\d))?|` +
    '-Q(?<quarter>\\d)(?:-(?<dayOfQuarter>\\d{1,2}))?|-(?<ordinal>\\d{3}))?$',
);
const BASIC_DATE =
  /^(?<year>\d{4})(?:(?<month>\d{2})(?<day>\d{2})?|W(?<week>\d{2})(?<dayOfWeek>\d)?|Q(?<quarter>\d)(?<dayOfQuarter>\d{2})?|(?<ordinal>\d{3}))$/;
const EXTENDED_TIME = /^(?<hour>\d{1,2})(?::(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:[.,](?<fraction>\d{1,9}))?)?)?$/;
const BASIC_TIME = /^(?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?$/;
/** A time, with an optional offset and zone name. */
const ZONED_TIME = /^([^Z+[-]+)(Z|[+-][\d:]+)?(?:\[([^\]]+)\])?$/;

/** Parses a temporal value. @throws ARGUMENT_ERROR for text that is no value of this kind */
export function parseTemporal(kind: TemporalKind, text: string): Temporal {
  switch (kind) {
    case 'date':
      return new CypherDate(parseDate(text));
    case 'localtime':
      return new CypherLocalTime(parseTime(text));
    case 'time':
      return parseTimeWithOffset(text);
    case 'localdatetime':
      return parseLocalDateTime(text);
    case 'datetime':
      return parseDateTime(text);
  }
}

function parseDate(text: string): number {
  const groups = (EXTENDED_DATE.exec(text) ?? BASIC_DATE.exec(text))?.groups;
  if (groups === undefined) throw unreadable(text, 'date');
  const year = Number(groups.year);
  if (groups.week !== undefined) return dayFromWeek(year, Number(groups.week), Number(groups.dayOfWeek ?? 1));
  if (groups.quarter !== undefined) return dayFromQuarter(year, Number(groups.quarter), Number(groups.dayOfQuarter ?? 1));
  if (groups.ordinal !== undefined) return dayFromOrdinal(year, Number(groups.ordinal));
  return dayFromCalendar(year, Number(groups.month ?? 1), Number(groups.day ?? 1));
}

function parseTime(text: string): number {
  const groups = (EXTENDED_TIME.exec(text) ?? BASIC_TIME.exec(text))?.groups;
  if (groups === undefined) throw unreadable(text, 'time');
  const nanos = Number((groups.fraction ?? '').padEnd(9, '0'));
  return nanosFromTime(Number(groups.hour), Number(groups.minute ?? 0), Number(groups.second ?? 0), nanos);
}

function parseTimeWithOffset(text: string): CypherTime {
  const { time, offset, zoneName } = splitZone(text, 'time');
  if (zoneName !== undefined) throw argumentFault(`${quoted(text)} names a time zone, but a time has only an offset`);
  return new CypherTime(parseTime(time), offset ?? 0);
}

function parseLocalDateTime(text: string): CypherLocalDateTime {
  const [date, time] = splitDateAndTime(text);
  return new CypherLocalDateTime(parseDate(date), time === null ? 0 : parseTime(time));
}

function parseDateTime(text: string): CypherDateTime {
  const [date, zonedTime] = splitDateAndTime(text);
  const epochDay = parseDate(date);
  if (zonedTime === null) return zonedDateTime(epochDay, 0, UTC);
  const { time, offset, zoneName } = splitZone(zonedTime, 'datetime');
  const zone: Zone = zoneName === undefined ? { name: null, offsetSeconds: offset ?? 0 } : parseZone(zoneName);
  const result = zonedDateTime(epochDay, parseTime(time), zone, offset);
  if (offset !== undefined && result.offsetSeconds !== offset) {
    throw argumentFault(`the offset in ${quoted(text)} is not one that ${zone.name ?? 'its zone'} has at that time`);
  }
  return result;
}

function splitDateAndTime(text: string): [date: string, time: string | null] {
  const at = text.indexOf('T');
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function splitZone(text: string, kind: TemporalKind): { time: string; offset: number | undefined; zoneName: string | undefined } {
  const parts = ZONED_TIME.exec(text);
  if (parts === null) throw unreadable(text, kind);
  let offset: number | undefined;
  if (parts[2] !== undefined) {
    const seconds = parts[2] === 'Z' ? 0 : parseOffset(parts[2]);
    if (seconds === null) throw unreadable(text, kind);
    offset = seconds;
  }
  return { time: parts[1] as string, offset, zoneName: parts[3] };
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: "'2024-05-31'",
  time: "'21:40:32+01:00'",
  datetime: "'2024-05-31T21:40:32+01:00'",
};

function unreadable(text: string, what: string): Error {
  if (/^\d{4}-?\d\d-?\d\d +\d/.test(text)) return argumentFault(`${quoted(text)} cannot be read: a T stands between date and time`);
  return argumentFault(`${quoted(text)} cannot be read as a ${what}, as ${EXAMPLES[what] ?? EXAMPLES['datetime']} can`);
}
