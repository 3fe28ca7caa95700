/**
 * Parses datetimes in their usual forms from bytes, without a string or a regular expression: `2024-05-17T10:20`, with
 * seconds, up to nine decimals, and for a datetime `Z` or an offset of hours and minutes. Everything else, also days
 * after the 28th, is left to the value layer.
 */
import { CypherDateTime, CypherLocalDateTime, epochDayOf } from '../../value/index.ts';

const ZERO = 48;
const PLUS = 43;
const HYPHEN = 45;
const POINT = 46;
const COLON = 58;
const LETTER_T = 84;
const LETTER_Z = 90;
/** The highest day that every month has. */
const DAYS_IN_ANY_MONTH = 28;
const MOST_DECIMALS = 9;
const LARGEST_USUAL_OFFSET_HOURS = 17;

/** The results of `readLocal`: days since 1970-01-01, and nanoseconds of the day. */
let epochDay = 0;
let nanoOfDay = 0;

/** Reads a local datetime; null: it has not the usual form. */
export function usualLocalDateTime(bytes: Uint8Array, from: number, to: number): CypherLocalDateTime | null {
  return readLocal(bytes, from, to) === to ? new CypherLocalDateTime(epochDay, nanoOfDay) : null;
}

/** Reads a datetime; null: it has not the usual form, or no zone. */
export function usualDateTime(bytes: Uint8Array, from: number, to: number): CypherDateTime | null {
  const at = readLocal(bytes, from, to);
  if (at < 0) return null;
  const offset = at + 1 === to && bytes[at] === LETTER_Z ? 0 : readOffset(bytes, at, to);
  return offset === offset ? new CypherDateTime(epochDay, nanoOfDay, offset, null) : null;
}

/** Reads a date `YYYY-MM-DD` up to the 28th, as days since 1970-01-01; NaN: it has not this form. */
export function usualDate(bytes: Uint8Array, at: number): number {
  if (bytes[at + 4] !== HYPHEN || bytes[at + 7] !== HYPHEN) return Number.NaN;
  const year = 100 * twoDigits(bytes, at) + twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 5);
  const day = twoDigits(bytes, at + 8);
  const valid = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= DAYS_IN_ANY_MONTH;
  return valid ? epochDayOf(year, month, day) : Number.NaN;
}

/** Reads the local part of a datetime. @returns where it ends; -1: it has not the usual form */
function readLocal(bytes: Uint8Array, from: number, to: number): number {
  if (to - from < 16 || bytes[from + 10] !== LETTER_T || bytes[from + 13] !== COLON) return -1;
  epochDay = usualDate(bytes, from);
  const hour = twoDigits(bytes, from + 11);
  const minute = twoDigits(bytes, from + 14);
  if (!(epochDay === epochDay && hour <= 23 && minute <= 59)) return -1;
  nanoOfDay = (hour * 60 + minute) * 60e9;
  const at = from + 16;
  return at + 3 <= to && bytes[at] === COLON ? readSeconds(bytes, at + 1, to) : at;
}

function readSeconds(bytes: Uint8Array, from: number, to: number): number {
  const second = twoDigits(bytes, from);
  if (!(second <= 59)) return -1;
  let at = from + 2;
  let nanos = 0;
  if (at < to && bytes[at] === POINT) {
    const first = ++at;
    for (; at < to && isDigit(bytes[at]!); at++) nanos = 10 * nanos + bytes[at]! - ZERO;
    if (at === first || at - first > MOST_DECIMALS) return -1;
    nanos *= 10 ** (MOST_DECIMALS - (at - first));
  }
  nanoOfDay += second * 1e9 + nanos;
  return at;
}

/** Reads an offset `+hh:mm`, in seconds; NaN: it has not this form. */
function readOffset(bytes: Uint8Array, at: number, to: number): number {
  const sign = bytes[at];
  if (to - at !== 6 || (sign !== PLUS && sign !== HYPHEN) || bytes[at + 3] !== COLON) return Number.NaN;
  const hours = twoDigits(bytes, at + 1);
  const minutes = twoDigits(bytes, at + 4);
  if (!(hours <= LARGEST_USUAL_OFFSET_HOURS && minutes <= 59)) return Number.NaN;
  const seconds = 60 * (60 * hours + minutes);
  return sign === HYPHEN ? 0 - seconds : seconds;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

/** Reads two digits; NaN: they are none. */
function twoDigits(bytes: Uint8Array, at: number): number {
  return isDigit(bytes[at]!) && isDigit(bytes[at + 1]!) ? 10 * (bytes[at]! - ZERO) + bytes[at + 1]! - ZERO : Number.NaN;
}
