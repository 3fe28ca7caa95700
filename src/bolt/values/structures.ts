/** The structures for values that PackStream itself does not have. */
import { type Integer, makeInteger } from '../../value/index.ts';

/** The tags of structures. */
export const TAGS = {
  node: 0x4e,
  relationship: 0x52,
  unboundRelationship: 0x72,
  path: 0x50,
  date: 0x44,
  time: 0x54,
  localTime: 0x74,
  localDateTime: 0x64,
  /** Moments in seconds of UTC, with an offset; `zonedDateTime` has a named zone instead. */
  dateTime: 0x49,
  zonedDateTime: 0x69,
  /** Moments in seconds on the clocks of their zone, as in versions below 5.0. */
  localisedDateTime: 0x46,
  localisedZonedDateTime: 0x66,
  duration: 0x45,
  point2D: 0x58,
  point3D: 0x59,
} as const;

interface LocalClock {
  readonly epochDay: number;
  readonly nanoOfDay: number;
}

/** Returns the seconds since 1970 of a local clock, less an offset; a bigint for the last years that a date can have. */
export function secondsOf({ epochDay, nanoOfDay }: LocalClock, offsetSeconds: number): Integer {
  const ofDay = Math.floor(nanoOfDay / 1_000_000_000) - offsetSeconds;
  const seconds = epochDay * 86_400 + ofDay;
  return Number.isSafeInteger(seconds) ? seconds : makeInteger(BigInt(epochDay) * 86_400n + BigInt(ofDay));
}
