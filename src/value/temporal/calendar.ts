/**
 * The proleptic Gregorian calendar of ISO 8601 on plain integers: an epoch day counts from 1970-01-01, the years 0 and before exist, weeks
 * begin on Monday. Algorithms: Howard Hinnant, "chrono-compatible low-level date algorithms". All O(1).
 */
import { argumentFault } from '../faults.ts';

/** Seconds of a day. */
export const SECONDS_PER_DAY = 86_400;

/** Nanoseconds of a second. */
export const NANOS_PER_SECOND = 1_000_000_000;

/** Nanoseconds of a day. */
export const NANOS_PER_DAY = SECONDS_PER_DAY * NANOS_PER_SECOND;

/** The first year of dates. */
export const YEAR_MIN = -999_999_999;

/** The last year of dates. */
export const YEAR_MAX = 999_999_999;

/** A date of the calendar. */
export interface CivilDate {
  readonly year: number;
  /** The month, 1 … 12. */
  readonly month: number;
  /** The day of the month, 1 … 31. */
  readonly day: number;
}

/** Returns the epoch day of a date, whose parts must be valid. */
export function epochDayOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Returns the date of an epoch day. */
export function civilDateOf(epochDay: number): CivilDate {
  const z = epochDay + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** The first epoch day of dates. */
export const EPOCH_DAY_MIN = epochDayOf(YEAR_MIN, 1, 1);

/** The last epoch day of dates. */
export const EPOCH_DAY_MAX = epochDayOf(YEAR_MAX, 12, 31);

/** Tells whether a year is a leap year. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Returns the days of a month. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Returns the day of the week: 1 for Monday … 7 for Sunday. */
export function dayOfWeekOf(epochDay: number): number {
  return floorModulo(epochDay + 3, 7) + 1;
}

/** Returns the week and the year that it belongs to, by ISO 8601: week 1 has the year's first Thursday. */
export function weekOf(epochDay: number): { readonly weekYear: number; readonly week: number } {
  const thursday = epochDay - dayOfWeekOf(epochDay) + 4;
  const weekYear = civilDateOf(thursday).year;
  return { weekYear, week: Math.floor((thursday - epochDayOf(weekYear, 1, 1)) / 7) + 1 };
}

/** Returns the epoch day of the Monday of week 1. */
export function weekYearStart(weekYear: number): number {
  const fourth = epochDayOf(weekYear, 1, 4);
  return fourth - dayOfWeekOf(fourth) + 1;
}

/** Returns the number of weeks in a week year, 52 or 53. */
export function weeksInYear(weekYear: number): number {
  return (weekYearStart(weekYear + 1) - weekYearStart(weekYear)) / 7;
}

/** Returns the quarter of a month, 1 … 4. */
export function quarterOf(month: number): number {
  return Math.floor((month + 2) / 3);
}

/** Returns the first month of a quarter. */
export function quarterStart(quarter: number): number {
  return quarter * 3 - 2;
}

/** Adds months and keeps the day of the month, or takes the last day of a month that is too short. */
export function plusMonths(epochDay: number, months: number): number {
  if (months === 0) return epochDay;
  const { year, month, day } = civilDateOf(epochDay);
  const total = year * 12 + (month - 1) + months;
  const newYear = Math.floor(total / 12);
  const newMonth = floorModulo(total, 12) + 1;
  return checkedEpochDay(epochDayOf(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth))));
}

/** Returns the epoch day. @throws ARGUMENT_ERROR if it is outside of the years that a date can have */
export function checkedEpochDay(epochDay: number): number {
  if (epochDay >= EPOCH_DAY_MIN && epochDay <= EPOCH_DAY_MAX) return epochDay;
  throw argumentFault(`a date must lie in the years ${YEAR_MIN} to ${YEAR_MAX}`, 'NumberOutOfRange');
}

/** Returns the remainder of a division that rounds down, which has the sign of the divisor. */
export function floorModulo(a: number, b: number): number {
  return a - Math.floor(a / b) * b;
}
