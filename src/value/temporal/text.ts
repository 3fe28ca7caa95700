/** The ISO 8601 text of temporal values, always with seconds, as toString() gives it (in Neo4j too) and constructors read it. */
import type { Integer } from '../numbers.ts';
import { civilDateOf, NANOS_PER_SECOND } from './calendar.ts';
import { atZone, type LocalMoment, UTC } from './zone.ts';

/**
 * Writes a DateTime as RFC 3339, with seconds and an offset of whole minutes. An offset with seconds is converted to
 * UTC. The zone name, which RFC 3339 does not have, is left out. The instant is the same.
 */
export function rfc3339Text(value: LocalMoment): string {
  const moment = value.offsetSeconds % 60 === 0 ? value : atZone(value, UTC);
  return dateTimeText(moment.epochDay, moment.nanoOfDay) + offsetText(moment.offsetSeconds);
}

/** Writes a date as `1984-10-11`. Years have at least four digits, and a sign when they are negative or longer. */
export function dateText(epochDay: number): string {
  const { year, month, day } = civilDateOf(epochDay);
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}`;
}

function yearText(year: number): string {
  const digits = String(Math.abs(year)).padStart(4, '0');
  return year < 0 ? `-${digits}` : year > 9999 ? `+${digits}` : digits;
}

/** Writes a date and time as `1984-10-11T12:31:14.645`. */
export function dateTimeText(epochDay: number, nanoOfDay: number): string {
  return `${dateText(epochDay)}T${timeText(nanoOfDay)}`;
}

/** Writes a time as `12:31:14.645`, always with seconds. A fraction that is not zero has three, six or nine digits. */
export function timeText(nanoOfDay: number): string {
  const seconds = Math.floor(nanoOfDay / NANOS_PER_SECOND);
  const nanos = nanoOfDay - seconds * NANOS_PER_SECOND;
  const minutes = Math.floor(seconds / 60);
  const time = [Math.floor(minutes / 60), minutes % 60, seconds % 60].map(twoDigits).join(':');
  return nanos === 0 ? time : `${time}.${fraction(nanos)}`;
}

function fraction(nanos: number): string {
  const digits = String(nanos).padStart(9, '0');
  if (nanos % 1_000_000 === 0) return digits.slice(0, 3);
  return nanos % 1000 === 0 ? digits.slice(0, 6) : digits;
}

/** Writes an offset as `Z`, `+01:00` or `-02:05:07`. */
export function offsetText(offsetSeconds: number): string {
  if (offsetSeconds === 0) return 'Z';
  const absolute = Math.abs(offsetSeconds);
  const minutes = Math.floor(absolute / 60);
  const text = `${offsetSeconds < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  return absolute % 60 === 0 ? text : `${text}:${twoDigits(absolute % 60)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** The parts of a duration as `CypherDuration` describes them. */
interface DurationParts {
  readonly months: number;
  readonly days: number;
  readonly seconds: Integer;
  readonly nanos: number;
}

/** Writes a duration as `P1Y2M3DT4H`, or `PT0S` for none. */
export function durationText(duration: DurationParts): string {
  const { months, days } = duration;
  const date = part(Math.trunc(months / 12), 'Y') + part(months % 12, 'M') + part(days, 'D');
  const time = secondsText(duration.seconds, duration.nanos);
  if (date === '' && time === '') return 'PT0S';
  return time === '' ? `P${date}` : `P${date}T${time}`;
}

/** Writes hours, minutes and seconds, each with the sign of the whole. */
function secondsText(seconds: Integer, nanos: number): string {
  const borrowed = seconds < 0 && nanos !== 0;
  const whole = BigInt(seconds) + (borrowed ? 1n : 0n);
  const rest = Number(whole % 60n);
  const digits = String(borrowed ? NANOS_PER_SECOND - nanos : nanos)
    .padStart(9, '0')
    .replace(/0+$/, '');
  let text = part(whole / 3600n, 'H') + part((whole / 60n) % 60n, 'M');
  if (rest !== 0 || digits !== '') text += `${borrowed && rest === 0 ? '-0' : rest}${digits === '' ? '' : `.${digits}`}S`;
  return text;
}

function part(amount: Integer, unit: string): string {
  // biome-ignore lint/suspicious/noDoubleEquals: the amount is a number or a bigint
  return amount == 0 ? '' : `${amount}${unit}`;
}
