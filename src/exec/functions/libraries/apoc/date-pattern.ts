/**
 * Patterns of dates and times, as in Java's DateTimeFormatter: `yyyy-MM-dd'T'HH:mm:ss.SSS`. A letter stands for a
 * field, and is repeated for the number of digits; quoted text and other characters stand for themselves. Names of
 * months and days are English, and weeks are those of ISO 8601. `u` is the year of the calendar, `y` the year of the era,
 * `Y` the year that the week belongs to.
 */
import { argumentFault, civilDateOf, epochDayOf, quoted, weekOf } from '../../../../value/index.ts';
import { compileRegularExpression } from '../../regular-expressions.ts';

const NANOS_PER_SECOND = 1_000_000_000;
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A local day and time in a time zone. */
export interface ShownMoment {
  readonly epochDay: number;
  readonly nanoOfDay: number;
  readonly offsetSeconds: number;
  /** The name of the zone; null for an offset without a name. */
  readonly zone: string | null;
}

/** A moment read from a text. */
export interface ReadMoment {
  readonly epochDay: number;
  readonly nanoOfDay: number;
  /** The offset from UTC in seconds; null if the text has none. */
  readonly offsetSeconds: number | null;
}

type Token = { readonly letter: string; readonly count: number } | string;

/** Parses a pattern. @throws ARGUMENT_ERROR if a letter stands for no field, or a quote is not closed */
export function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const letter = pattern[at]!;
    if (letter === "'") {
      const end = pattern.indexOf("'", at + 1);
      if (end < 0) throw argumentFault(`the quotes in the pattern ${quoted(pattern)} are not closed`);
      tokens.push(end === at + 1 ? "'" : pattern.slice(at + 1, end));
      at = end + 1;
    } else if (/[A-Za-z]/.test(letter)) {
      if (!Object.hasOwn(FIELDS, letter)) throw argumentFault(`${quoted(letter)} in the pattern ${quoted(pattern)} stands for no field`);
      let end = at + 1;
      while (pattern[end] === letter) end++;
      tokens.push({ letter, count: end - at });
      at = end;
    } else {
      tokens.push(letter);
      at++;
    }
  }
  return tokens;
}

/** A field of a pattern: how it is written, and how it is read. */
interface Field {
  write(moment: ShownMoment, count: number): string;
  /** Returns the source of a regular expression for the field, whose match is given to `read`. */
  form(count: number): string;
  read(text: string, into: Partial<Record<Part, number>>): void;
}

type Part = 'year' | 'month' | 'day' | 'dayOfYear' | 'hour' | 'halfHour' | 'half' | 'minute' | 'second' | 'nano' | 'offset';

const padded = (value: number, count: number): string => String(value).padStart(count, '0');
const digits = (count: number): string => (count === 1 ? '\\d+' : `\\d{${count}}`);

function numeric(part: Part, of: (moment: ShownMoment) => number): Field {
  return {
    write: (moment, count) => padded(of(moment), count),
    form: digits,
    read: (text, into) => {
      into[part] = Number(text);
    },
  };
}

const secondOf = ({ nanoOfDay }: ShownMoment): number => Math.floor(nanoOfDay / NANOS_PER_SECOND);
const hourOf = (moment: ShownMoment): number => Math.floor(secondOf(moment) / 3600);
const weekdayOf = ({ epochDay }: ShownMoment): number => (((epochDay + 3) % 7) + 7) % 7;
const names = (all: readonly string[], count: number): readonly string[] => (count > 3 ? all : all.map((name) => name.slice(0, 3)));
const alternatives = (all: readonly string[]): string => `(?:${all.join('|')})`;

/** Makes a field of a year, which is read as one of the calendar. Two letters are its last two digits. */
function yearField(of: (epochDay: number) => number): Field {
  return {
    write: ({ epochDay }, count) => {
      const shown = of(epochDay);
      const size = Math.abs(shown);
      if (count === 2) return padded(size % 100, 2);
      // As in Java, four letters or more show the sign of a year with more digits than letters.
      const plus = count > 3 && size >= 10 ** count ? '+' : '';
      return `${shown < 0 ? '-' : plus}${padded(size, count)}`;
    },
    form: (count) => (count === 2 ? '\\d{2}' : '[-+]?\\d{1,9}?'),
    read: (text, into) => {
      into.year = text.length === 2 ? 2000 + Number(text) : Number(text);
    },
  };
}

const calendarYear = (epochDay: number): number => civilDateOf(epochDay).year;

/** Returns the year of its era: the year before 1 is the year 1 before Christ. */
function yearOfEra(epochDay: number): number {
  const year = calendarYear(epochDay);
  return year > 0 ? year : 1 - year;
}

const month: Field = {
  write: ({ epochDay }, count) => {
    const shown = civilDateOf(epochDay).month;
    return count < 3 ? padded(shown, count) : names(MONTHS, count)[shown - 1]!;
  },
  form: (count) => (count < 3 ? digits(count) : alternatives(names(MONTHS, count))),
  read: (text, into) => {
    into.month = /\d/.test(text) ? Number(text) : MONTHS.findIndex((name) => name.startsWith(text.slice(0, 3))) + 1;
  },
};

const weekday: Field = {
  write: (moment, count) => names(DAYS, count)[weekdayOf(moment)]!,
  form: (count) => alternatives(names(DAYS, count)),
  read: () => undefined,
};

const fraction: Field = {
  write: ({ nanoOfDay }, count) => padded(nanoOfDay % NANOS_PER_SECOND, 9).slice(0, count),
  form: digits,
  read: (text, into) => {
    into.nano = Number(text.padEnd(9, '0').slice(0, 9));
  },
};

const half: Field = {
  write: (moment) => (hourOf(moment) < 12 ? 'AM' : 'PM'),
  form: () => '(?:AM|PM)',
  read: (text, into) => {
    into.half = text === 'AM' ? 0 : 12;
  },
};

function offsetField(colon: (count: number) => boolean, zero: string | null): Field {
  return {
    write: ({ offsetSeconds }, count) => {
      if (offsetSeconds === 0 && zero !== null) return zero;
      const minutes = Math.floor(Math.abs(offsetSeconds) / 60);
      const hours = `${offsetSeconds < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60), 2)}`;
      if (count === 1 && zero === 'Z' && minutes % 60 === 0) return hours;
      return `${hours}${colon(count) ? ':' : ''}${padded(minutes % 60, 2)}`;
    },
    form: () => '(?:Z|[+-]\\d{2}(?::?\\d{2})?)',
    read: (text, into) => {
      const parts = /([+-])(\d{2}):?(\d{2})?/.exec(text);
      into.offset = parts === null ? 0 : (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 3600 + Number(parts[3] ?? 0) * 60);
    },
  };
}

const zoneName: Field = {
  write: ({ zone, offsetSeconds }, count) =>
    zone ?? (offsetSeconds === 0 ? 'UTC' : offsetField(() => true, null).write({ epochDay: 0, nanoOfDay: 0, offsetSeconds, zone }, count)),
  form: () => '(?:UTC|GMT|Z)',
  read: (_, into) => {
    into.offset = 0;
  },
};

const FIELDS: Readonly<Record<string, Field>> = {
  y: yearField(yearOfEra),
  u: yearField(calendarYear),
  Y: yearField((epochDay) => weekOf(epochDay).weekYear),
  M: month,
  L: month,
  d: numeric('day', ({ epochDay }) => civilDateOf(epochDay).day),
  D: numeric('dayOfYear', ({ epochDay }) => epochDay - epochDayOf(civilDateOf(epochDay).year, 1, 1) + 1),
  E: weekday,
  e: weekday,
  a: half,
  H: numeric('hour', hourOf),
  k: numeric('hour', (moment) => hourOf(moment) || 24),
  K: numeric('halfHour', (moment) => hourOf(moment) % 12),
  h: numeric('halfHour', (moment) => hourOf(moment) % 12 || 12),
  m: numeric('minute', (moment) => Math.floor(secondOf(moment) / 60) % 60),
  s: numeric('second', (moment) => secondOf(moment) % 60),
  S: fraction,
  n: numeric('nano', ({ nanoOfDay }) => nanoOfDay % NANOS_PER_SECOND),
  X: offsetField((count) => count > 2, 'Z'),
  x: offsetField((count) => count > 2, null),
  Z: offsetField((count) => count > 4, null),
  z: zoneName,
  V: zoneName,
};

/** Writes a moment by a pattern. @throws ARGUMENT_ERROR if the pattern is invalid */
export function writeByPattern(moment: ShownMoment, pattern: string): string {
  return tokensOf(pattern)
    .map((token) => (typeof token === 'string' ? token : FIELDS[token.letter]!.write(moment, token.count)))
    .join('');
}

/**
 * The most characters of a pattern to read by, the most fields in it, and the most characters of a text that is read: a
 * pattern is matched by a regular expression, which takes time in proportion to the product of the three.
 */
const MOST_PATTERN = 512;
const MOST_FIELDS = 32;
const MOST_TEXT = 1_024;
/** Such patterns are compiled in no time that would have to be counted. */
const SHORT = { count: (): void => undefined };

/** Reads a moment by a pattern. @throws ARGUMENT_ERROR if the pattern is invalid or too long, or the text does not match it */
export function readByPattern(text: string, pattern: string): ReadMoment {
  if (pattern.length > MOST_PATTERN)
    throw argumentFault(`the pattern has ${pattern.length} characters: at most ${MOST_PATTERN} are allowed to read by`);
  const tokens = tokensOf(pattern);
  const fields = tokens.filter((token) => typeof token !== 'string').length;
  if (fields > MOST_FIELDS) throw argumentFault(`the pattern has ${fields} fields: at most ${MOST_FIELDS} are allowed to read by`);
  const escaped = (token: string): string => token.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const form = tokens.map((token) => (typeof token === 'string' ? escaped(token) : `(${FIELDS[token.letter]!.form(token.count)})`));
  const found = compileRegularExpression(form.join(''), SHORT).matcher(text);
  if (text.length > MOST_TEXT || !found.matches()) throw argumentFault(`${quoted(text)} is not as the pattern ${quoted(pattern)} says`);
  const parts: Partial<Record<Part, number>> = {};
  let group = 1;
  for (const token of tokens) if (typeof token !== 'string') FIELDS[token.letter]!.read(found.group(group++)!, parts);
  const { year: years = 1970, month: months = 1, day = 1, minute = 0, second = 0, nano = 0, offset = null } = parts;
  const hour = parts.hour ?? ((parts.halfHour ?? 0) % 12) + (parts.half ?? 0);
  if (months < 1 || months > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 59)
    throw argumentFault(`${quoted(text)} tells no time by the pattern ${quoted(pattern)}`);
  const epochDay = parts.dayOfYear === undefined ? epochDayOf(years, months, day) : epochDayOf(years, 1, 1) + parts.dayOfYear - 1;
  return { epochDay, nanoOfDay: ((hour % 24) * 3600 + minute * 60 + second) * NANOS_PER_SECOND + nano, offsetSeconds: offset };
}
