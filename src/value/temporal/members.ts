/** Shared parts of the classes of temporal values: clock times, JavaScript dates, and the method by which Node shows a value. */
import { argumentFault } from '../faults.ts';
import { NANOS_PER_SECOND, SECONDS_PER_DAY } from './calendar.ts';

/** The name of the method that console.log and util.inspect call for the text of a value. */
export const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** The farthest moment of a JavaScript Date from 1970, in milliseconds. */
const LAST_DATE_MS = 8.64e15;

/** A time of day. */
export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
}

/** Returns the time of day at a nanosecond. */
export function clockOf(nanoOfDay: number): ClockTime {
  const seconds = Math.floor(nanoOfDay / NANOS_PER_SECOND);
  return {
    hour: Math.floor(seconds / 3_600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    nanosecond: nanoOfDay - seconds * NANOS_PER_SECOND,
  };
}

/**
 * Returns the instant at which a clock with the offset shows this day and time, to the millisecond. @throws
 * ARGUMENT_ERROR for a year that a JavaScript Date cannot have
 */
export function dateOfInstant(epochDay: number, nanoOfDay: number, offsetSeconds: number): Date {
  const ms = (epochDay * SECONDS_PER_DAY - offsetSeconds) * 1_000 + Math.floor(nanoOfDay / 1_000_000);
  if (Math.abs(ms) > LAST_DATE_MS) throw argumentFault('a JavaScript Date reaches 100,000,000 days from 1970, and this lies beyond');
  return new Date(ms);
}
