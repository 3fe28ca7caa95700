/**
 * Time zones. A fixed offset is a number of seconds east of UTC. A named zone (IANA) takes its offsets from the
 * runtime's own tables through Intl, which is asked at most once per zone and start of a day; offsets are cached. The
 * first use of Intl costs some 20 ms; nothing is loaded before.
 *
 * Days that a JavaScript Date cannot hold use the rules of the day a multiple of 400 years away, since the calendar
 * repeats exactly.
 */
import { argumentFault, quoted } from '../faults.ts';
import { NANOS_PER_SECOND, SECONDS_PER_DAY } from './calendar.ts';
import { spelledZoneName } from './zone-name.ts';

/** The zone of a DateTime: its name, or null for a fixed offset. */
export interface Zone {
  readonly name: string | null;
  /** The offset from UTC in seconds; without meaning where there is a name. */
  readonly offsetSeconds: number;
}

/** The zone UTC. */
export const UTC: Zone = { name: null, offsetSeconds: 0 };

const MAX_OFFSET_SECONDS = 18 * 3600;
const OFFSET = /^([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/;

/**
 * Parses `Z`, `+01:00`, `-0430`, `+02`, `+02:05:59`, or an IANA name in any case, with blanks or underscores
 * (`America/New York`). @throws ARGUMENT_ERROR for any other text
 */
export function parseZone(text: string): Zone {
  if (text === 'Z' || text === 'z') return UTC;
  const offset = parseOffset(text);
  return offset === null ? { name: zoneRules(text.replaceAll(' ', '_')).name, offsetSeconds: 0 } : { name: null, offsetSeconds: offset };
}

/** Parses an offset. Returns seconds east of UTC; null for text that is no offset. @throws ARGUMENT_ERROR beyond ±18:00 */
export function parseOffset(text: string): number | null {
  const parts = OFFSET.exec(text);
  if (parts === null) return null;
  const minutes = Number(parts[3] ?? 0);
  const seconds = Number(parts[4] ?? 0);
  const total = Number(parts[2]) * 3600 + minutes * 60 + seconds;
  if (minutes > 59 || seconds > 59 || total > MAX_OFFSET_SECONDS)
    throw argumentFault(`${quoted(text)} is not an offset from UTC: they go to ±18:00`);
  return parts[1] === '-' && total !== 0 ? -total : total;
}

/** A day and time on the clocks of a zone, with the offset from UTC that holds there. */
export interface LocalMoment {
  readonly epochDay: number;
  readonly nanoOfDay: number;
  readonly offsetSeconds: number;
}

/**
 * Finds the offset that holds when the clocks of a zone show this day and time. A time that the clocks skip is moved
 * forward by the length of the gap. A time that they show twice is the earlier one, unless `preferredOffset` is the
 * offset of the later.
 */
export function resolveLocal(epochDay: number, nanoOfDay: number, zone: Zone, preferredOffset?: number): LocalMoment {
  if (zone.name === null) return { epochDay, nanoOfDay, offsetSeconds: zone.offsetSeconds };
  const rules = zoneRules(zone.name);
  const second = Math.floor(nanoOfDay / NANOS_PER_SECOND);
  const before = rules.offsetAt(epochDay - 1, second);
  const after = rules.offsetAt(epochDay + 1, second);
  const candidates = [preferredOffset, before, after].filter((offset) => offset === before || offset === after);
  for (const offset of candidates as number[]) {
    if (rules.offsetAt(epochDay, second - offset) === offset) return { epochDay, nanoOfDay, offsetSeconds: offset };
  }
  return shift(epochDay, nanoOfDay, after - before, after);
}

/** Returns the same instant on the clocks of another zone. */
export function atZone(moment: LocalMoment, zone: Zone): LocalMoment {
  const utc = shift(moment.epochDay, moment.nanoOfDay, -moment.offsetSeconds, 0);
  const offset =
    zone.name === null ? zone.offsetSeconds : zoneRules(zone.name).offsetAt(utc.epochDay, Math.floor(utc.nanoOfDay / NANOS_PER_SECOND));
  return shift(utc.epochDay, utc.nanoOfDay, offset, offset);
}

/** Moves a day and time by seconds. */
function shift(epochDay: number, nanoOfDay: number, seconds: number, offsetSeconds: number): LocalMoment {
  const nanosPerDay = SECONDS_PER_DAY * NANOS_PER_SECOND;
  const total = nanoOfDay + seconds * NANOS_PER_SECOND;
  const days = Math.floor(total / nanosPerDay);
  return { epochDay: epochDay + days, nanoOfDay: total - days * nanosPerDay, offsetSeconds };
}

/** The offsets of one zone. Days that begin and end with the same offset are answered from the cache. */
class ZoneRules {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  /** The offset in seconds at the start of each day (UTC), by epoch day. */
  readonly #dayStarts = new Map<number, number>();

  constructor(name: string, format: Intl.DateTimeFormat) {
    this.name = name;
    this.#format = format;
  }

  /** Returns seconds east of UTC at an instant of UTC; the second of the day may be outside of 0 … 86,399. */
  offsetAt(epochDay: number, secondOfDay: number): number {
    const days = Math.floor(secondOfDay / SECONDS_PER_DAY);
    const day = withinDateRange(epochDay + days);
    const start = this.#offsetAtStart(day);
    if (start === this.#offsetAtStart(day + 1)) return start;
    return this.#ask(day * SECONDS_PER_DAY + secondOfDay - days * SECONDS_PER_DAY);
  }

  #offsetAtStart(day: number): number {
    let offset = this.#dayStarts.get(day);
    if (offset === undefined) {
      if (this.#dayStarts.size >= MAX_REMEMBERED_DAYS) this.#dayStarts.clear();
      offset = this.#ask(day * SECONDS_PER_DAY);
      this.#dayStarts.set(day, offset);
    }
    return offset;
  }

  #ask(epochSecond: number): number {
    const text = this.#format.format(epochSecond * 1000);
    const at = text.indexOf('GMT');
    return parseOffset(text.slice(at + 3)) ?? 0;
  }
}

const MAX_REMEMBERED_DAYS = 20_000;
const MAX_REMEMBERED_ZONES = 1000;
const rulesByName = new Map<string, ZoneRules>();

function zoneRules(name: string): ZoneRules {
  let rules = rulesByName.get(name);
  if (rules === undefined) {
    if (rulesByName.size >= MAX_REMEMBERED_ZONES) rulesByName.clear();
    rules = loadZone(name);
    rulesByName.set(name, rules);
  }
  return rules;
}

function loadZone(name: string): ZoneRules {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) throw unknownZone(name);
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    const resolved = format.resolvedOptions().timeZone;
    // Intl answers the canonical name, which another name of the zone does not become.
    return new ZoneRules(resolved.toLowerCase() === name.toLowerCase() ? resolved : spelledZoneName(name), format);
  } catch (error) {
    throw unknownZone(name, error);
  }
}

function unknownZone(name: string, cause?: unknown): Error {
  return argumentFault(`${quoted(name)} is neither an offset from UTC nor a time zone that is known here`, 'InvalidArgumentValue', cause);
}

/** Replaces a day that a JavaScript Date cannot hold by one whole cycles of the calendar (146,097 days) away. */
function withinDateRange(epochDay: number): number {
  const limit = 99_000_000;
  if (epochDay <= limit && epochDay >= -limit) return epochDay;
  const excess = epochDay > 0 ? epochDay - limit : epochDay + limit;
  const cycles = epochDay > 0 ? Math.ceil(excess / 146_097) : Math.floor(excess / 146_097);
  return epochDay - cycles * 146_097;
}
