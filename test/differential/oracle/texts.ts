/**
 * Temporal values from texts in the one form that random statements write them in, and their texts: ISO 8601, always with seconds, with as
 * many digits of a fraction as say all of it.
 */
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  type Value,
} from '../../../src/value/index.ts';
import { Unknown } from './context.ts';

const DAY_MS = 86_400_000;
const FORM = /^(?:(\d{4}-\d\d-\d\d))?(?:T?(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?$/;

interface Parts {
  readonly epochDay: number;
  readonly nanoOfDay: number;
  readonly offsetSeconds: number;
}

function partsOf(text: string): Parts {
  const match = FORM.exec(text);
  if (match === null) throw new Unknown('a temporal value in another form');
  const [, date, hours = '0', minutes = '0', seconds = '0', fraction = '', offset = 'Z'] = match;
  const clock = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return {
    epochDay: date === undefined ? 0 : Date.parse(date) / DAY_MS,
    nanoOfDay: clock * 1e9 + Number(fraction.padEnd(9, '0')),
    offsetSeconds: offset === 'Z' ? 0 : Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(4)) * 60),
  };
}

/** The temporal functions of a text. */
export const TEMPORALS: Record<string, (text: string) => Value> = {
  date: (text) => new CypherDate(partsOf(text).epochDay),
  localtime: (text) => new CypherLocalTime(partsOf(text).nanoOfDay),
  time: (text) => new CypherTime(partsOf(text).nanoOfDay, partsOf(text).offsetSeconds),
  localdatetime: (text) => new CypherLocalDateTime(partsOf(text).epochDay, partsOf(text).nanoOfDay),
  datetime: (text) => new CypherDateTime(partsOf(text).epochDay, partsOf(text).nanoOfDay, partsOf(text).offsetSeconds, null),
};

/** The text of a temporal value that is no duration; undefined of anything else. */
export function textOfTemporal(value: Value): string | undefined {
  if (value instanceof CypherDate) return day(value.epochDay);
  if (value instanceof CypherLocalTime) return clock(value.nanoOfDay);
  if (value instanceof CypherTime) return clock(value.nanoOfDay) + offset(value.offsetSeconds);
  if (value instanceof CypherLocalDateTime) return `${day(value.epochDay)}T${clock(value.nanoOfDay)}`;
  if (value instanceof CypherDateTime) return `${day(value.epochDay)}T${clock(value.nanoOfDay)}${offset(value.offsetSeconds)}`;
  if (value instanceof CypherDuration) throw new Unknown('the text of a duration');
  return undefined;
}

function day(epochDay: number): string {
  return new Date(epochDay * DAY_MS).toISOString().slice(0, 10);
}

function clock(nanoOfDay: number): string {
  const seconds = Math.floor(nanoOfDay / 1e9);
  const fraction = String(nanoOfDay % 1e9)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const text = new Date(seconds * 1000).toISOString().slice(11, 19);
  return fraction === '' ? text : `${text}.${fraction}`;
}

function offset(seconds: number): string {
  if (seconds === 0) return 'Z';
  return (seconds < 0 ? '-' : '+') + new Date(Math.abs(seconds) * 1000).toISOString().slice(11, 16);
}
