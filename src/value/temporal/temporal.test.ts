/**
 * Temporal values beyond what the TCK shows: the calendar against JavaScript's, zones at their transitions, ranges,
 * durations at their edges.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  addToTemporal,
  CypherDate,
  type CypherDateTime,
  CypherDuration,
  civilDateOf,
  divideDuration,
  durationBetween,
  durationFrom,
  durationInDays,
  durationInMonths,
  durationInSeconds,
  epochDayOf,
  epochSecondsOf,
  equals,
  kindOf,
  makeFloat,
  multiplyDuration,
  negateDuration,
  parseTemporal,
  parseZone,
  type Temporal,
  temporalField,
  temporalFromMap,
  temporalFromTemporal,
  truncateTemporal,
  type Value,
} from '../index.ts';
import { temporal } from '../testing/arbitraries.ts';
import { EPOCH_DAY_MAX, EPOCH_DAY_MIN } from './calendar.ts';
import { spelledZoneName } from './zone-name.ts';

const NOW = { epochSecond: 1_577_934_245, nano: 0 };

function date(text: string): Temporal {
  return parseTemporal('date', text);
}

function datetime(text: string): CypherDateTime {
  return parseTemporal('datetime', text) as CypherDateTime;
}

function localdatetime(text: string): Temporal {
  return parseTemporal('localdatetime', text);
}

function duration(text: string): CypherDuration {
  return durationFrom(text);
}

function map(entries: Record<string, Value>): Map<string, Value> {
  return new Map(Object.entries(entries));
}

test('the calendar agrees with JavaScript where that has dates, and with itself everywhere', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (day) => {
      const { year, month, day: ofMonth } = civilDateOf(day);
      const expected = new Date(day * 86_400_000);
      assert.deepEqual([year, month, ofMonth], [expected.getUTCFullYear(), expected.getUTCMonth() + 1, expected.getUTCDate()]);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.maxSafeInteger(), (n) => {
      const day = EPOCH_DAY_MIN + (Math.abs(n) % (EPOCH_DAY_MAX - EPOCH_DAY_MIN));
      const { year, month, day: ofMonth } = civilDateOf(day);
      assert.equal(epochDayOf(year, month, ofMonth), day);
    }),
    { numRuns: 500 },
  );
});

test('the text of every value reads back as that value', () => {
  fc.assert(
    fc.property(temporal, (value) => {
      if (value instanceof CypherDuration) assert.deepEqual(durationFrom(value.toString()), value);
      else if (!isZoned(value as Temporal)) assert.deepEqual(parseTemporal(kindOf(value as Temporal), String(value)), value);
    }),
    { numRuns: 1000 },
  );
});

/** Arbitrary zoned values have offsets that their zone never had. */
function isZoned(value: Temporal): boolean {
  return 'zone' in value && value.zone !== null;
}

test('years go from -999999999 to 999999999', () => {
  assert.equal(String(date('-999999999-01-01')), '-999999999-01-01');
  assert.equal(String(date('+999999999-12-31')), '+999999999-12-31');
  assert.equal(String(date('-0001-02-03')), '-0001-02-03');
  assert.equal(String(date('+0012-01')), '0012-01-01');
  const day = duration('P1D');
  assert.throws(() => addToTemporal(date('+999999999-12-31'), day, 1), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => addToTemporal(date('-999999999-01-01'), day, -1), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => temporalFromMap('date', map({ year: 1_000_000_000 }), NOW), { code: 'ARGUMENT_ERROR' });
});

test('durations across all years are exact', () => {
  const first = localdatetime('-999999999-01-01T00:00');
  const last = localdatetime('+999999999-12-31T23:59:59');
  assert.equal(String(durationInSeconds(first, last)), 'PT17531639991215H59M59S');
  assert.equal(String(durationBetween(first, last)), 'P1999999998Y11M30DT23H59M59S');
  assert.equal(String(negateDuration(durationInSeconds(first, last))), 'PT-17531639991215H-59M-59S');
  assert.deepEqual(addToTemporal(first, durationInSeconds(first, last), 1), last);
});

test('dates and times that do not exist are refused', () => {
  const wrong: [Parameters<typeof parseTemporal>[0], string][] = [
    ['date', '2015-02-29'],
    ['date', '2015-13-01'],
    ['date', '2015-W54'],
    ['date', '2015-366'],
    ['date', '2015-Q5'],
    ['date', ''],
    ['date', 'tomorrow'],
    ['date', '15-1-1'],
    ['localtime', '24:00'],
    ['localtime', '12:60'],
    ['localtime', '12:00:00.1234567890'],
    ['localtime', '12:00Z'],
    ['time', '12:00[Europe/Stockholm]'],
    ['time', '12:00+19:00'],
    ['localdatetime', '2015-01-01T12:00Z'],
    ['datetime', '2015-01-01T12:00[Nowhere/City]'],
    ['datetime', '2015-07-21T21:40+03:00[Europe/Stockholm]'],
  ];
  for (const [kind, text] of wrong) assert.throws(() => parseTemporal(kind, text), { code: 'ARGUMENT_ERROR' }, text);
  for (const text of ['', 'P', 'PT', 'P1S', '1D', 'P1DT', 'P1Y1Y'])
    assert.throws(() => durationFrom(text), { code: 'ARGUMENT_ERROR' }, text);
});

test('the text of a time has seconds always, and a fraction in groups of three digits where there is one', () => {
  for (const [kind, text, expected] of [
    ['localtime', '08:40', '08:40:00'],
    ['localtime', '00', '00:00:00'],
    ['time', '08:40', '08:40:00Z'],
    ['time', '08:40+01:00', '08:40:00+01:00'],
    ['time', '08:40:00.5-02:05:07', '08:40:00.500-02:05:07'],
    ['localdatetime', '2024-02-29T08:40', '2024-02-29T08:40:00'],
    ['localdatetime', '-0001-01-01', '-0001-01-01T00:00:00'],
    ['datetime', '2024-02-29T08:40', '2024-02-29T08:40:00Z'],
    ['datetime', '2024-02-29T08:40[Europe/Stockholm]', '2024-02-29T08:40:00+01:00[Europe/Stockholm]'],
    ['datetime', '+12024-02-29T08:40:01.000000001Z', '+12024-02-29T08:40:01.000000001Z'],
  ] as const) {
    const value = parseTemporal(kind, text);
    assert.equal(value.toString(), expected);
    assert.deepEqual(parseTemporal(kind, expected), value);
  }
});

test('a time that the clocks skip moves on, one that they show twice is the earlier unless its offset is given', () => {
  assert.equal(String(datetime('2017-03-26T02:30[Europe/Stockholm]')), '2017-03-26T03:30:00+02:00[Europe/Stockholm]');
  assert.equal(String(datetime('2017-10-29T02:30[Europe/Stockholm]')), '2017-10-29T02:30:00+02:00[Europe/Stockholm]');
  const later = datetime('2017-10-29T02:30+01:00[Europe/Stockholm]');
  assert.equal(later.offsetSeconds, 3600);
  assert.equal(
    String(temporalFromMap('datetime', map({ datetime: later, second: 5 }), NOW)),
    '2017-10-29T02:30:05+01:00[Europe/Stockholm]',
  );
});

test('days keep the time of day across a change of the clocks, hours do not', () => {
  const before = datetime('2017-10-28T12:00[Europe/Stockholm]');
  assert.equal(String(addToTemporal(before, duration('P1D'), 1)), '2017-10-29T12:00:00+01:00[Europe/Stockholm]');
  assert.equal(String(addToTemporal(before, duration('PT24H'), 1)), '2017-10-29T11:00:00+01:00[Europe/Stockholm]');
  assert.equal(
    String(addToTemporal(datetime('2017-10-29T02:30+02:00[Europe/Stockholm]'), duration('PT1H'), 1)),
    '2017-10-29T02:30:00+01:00[Europe/Stockholm]',
  );
});

test('blanks in the name of a zone stand for underscores', () => {
  const expected = '2024-07-01T12:00:00-04:00[America/New_York]';
  for (const name of ['America/New York', 'America/New_York', 'america/new york']) {
    assert.equal(String(datetime(`2024-07-01T12:00[${name}]`)), expected);
    assert.equal(String(datetime(`2024-07-01T12:00-04:00[${name}]`)), expected);
    const fields = map({ year: 2024, month: 7, day: 1, hour: 12, timezone: name });
    assert.equal(String(temporalFromMap('datetime', fields, NOW)), expected);
  }
  assert.equal(parseZone('America/Argentina/Buenos Aires').name, 'America/Argentina/Buenos_Aires');
  for (const name of ['Europe/Stockholm ', ' Europe/Stockholm', 'America/New  York', ' ', '', 'America New_York'])
    assert.throws(() => parseZone(name), { code: 'ARGUMENT_ERROR' }, name);
});

test('zones work in years that a JavaScript Date does not reach', () => {
  assert.equal(String(datetime('+900000000-07-01T12:00[Europe/Stockholm]')), '+900000000-07-01T12:00:00+02:00[Europe/Stockholm]');
  assert.equal(
    datetime('-900000000-07-01T12:00[Europe/Stockholm]').offsetSeconds,
    datetime('1700-07-01T12:00[Europe/Stockholm]').offsetSeconds,
  );
});

test('zone names keep their spelling, in any case; offsets may have seconds', () => {
  assert.deepEqual(parseZone('europe/stockholm'), { name: 'Europe/Stockholm', offsetSeconds: 0 });
  assert.deepEqual(parseZone('Asia/Kolkata').name, 'Asia/Kolkata');
  const aliases = ['Asia/Kolkata', 'US/East-Indiana', 'Brazil/DeNoronha', 'GB-Eire', 'Etc/UCT', 'GMT+0', 'EST', 'America/Knox_IN', 'PRC'];
  for (const name of aliases)
    for (const written of [name, name.toLowerCase(), name.toUpperCase()]) assert.equal(parseZone(written).name, name);
  for (const name of [...aliases, ...Intl.supportedValuesOf('timeZone')]) assert.equal(spelledZoneName(name.toUpperCase()), name);
  assert.ok(equals(datetime('2024-01-01T00:00[asia/kolkata]'), datetime('2024-01-01T00:00[Asia/Kolkata]')));
  assert.deepEqual(parseZone('-02:05:07'), { name: null, offsetSeconds: -7507 });
  assert.throws(() => parseZone('+25:00'), { code: 'ARGUMENT_ERROR' });
});

test('months end where the shorter month ends', () => {
  assert.equal(String(addToTemporal(date('2015-01-31'), duration('P1M'), 1)), '2015-02-28');
  assert.equal(String(addToTemporal(date('2016-02-29'), duration('P1Y'), -1)), '2015-02-28');
});

test('durations scale, with fractions flowing down', () => {
  const p = duration('P12Y5M14DT16H13M10.000000001S');
  assert.equal(String(multiplyDuration(p, 1)), 'P12Y5M14DT16H13M10.000000001S');
  assert.equal(String(multiplyDuration(p, 2)), 'P24Y10M28DT32H26M20.000000002S');
  assert.equal(String(multiplyDuration(p, 0.5)), 'P6Y2M22DT13H21M8S');
  assert.equal(String(divideDuration(p, 2)), 'P6Y2M22DT13H21M8S');
  assert.equal(String(multiplyDuration(duration('PT0.000000001S'), 9007199254740993n)), 'PT2501H59M59.254740993S');
  assert.equal(String(multiplyDuration(duration('PT123456789.999999999S'), 10000001)), 'PT342935562071H19M49.989999999S');
  assert.equal(String(multiplyDuration(duration('P1M-1DT-0.5S'), -3)), 'P-3M3DT1.5S');
  assert.throws(() => multiplyDuration(p, 1e300), { code: 'ARITHMETIC_ERROR' });
  assert.throws(() => divideDuration(p, 0), { code: 'ARITHMETIC_ERROR' });
});

test('durations keep decimal fractions of seconds, and signs', () => {
  assert.deepEqual(duration('PT-0.5S'), new CypherDuration(0, 0, -1, 500_000_000));
  assert.deepEqual(duration('-P1DT1.5S'), new CypherDuration(0, -1, -2, 500_000_000));
  assert.deepEqual(duration('PT4.35S'), new CypherDuration(0, 0, 4, 350_000_000));
  assert.deepEqual(durationFrom(map({ seconds: 4.35 })), new CypherDuration(0, 0, 4, 350_000_000));
  assert.deepEqual(durationFrom(map({ hours: -0.5 })), new CypherDuration(0, 0, -1800, 0));
  assert.throws(() => durationFrom(map({ fortnights: 1 })), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => durationFrom(map({ days: 'x' })), { code: 'TYPE_ERROR' });
  assert.throws(() => durationFrom(map({ seconds: 9223372036854775807n, minutes: 1 })), { code: 'ARITHMETIC_ERROR' });
  for (const unit of ['years', 'months', 'weeks', 'days', 'hours', 'seconds', 'milliseconds', 'nanoseconds'])
    for (const amount of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, 1e30 + 0.5])
      assert.throws(() => durationFrom(map({ [unit]: makeFloat(amount) })), { code: 'ARITHMETIC_ERROR' }, `${amount} ${unit}`);
});

test('between: month and day counting, and what one side lends the other', () => {
  assert.equal(String(durationBetween(date('2015-01-31'), date('2015-03-01'))), 'P1M1D');
  assert.equal(String(durationInMonths(localdatetime('2015-01-15T12:00'), localdatetime('2015-02-15T11:59'))), 'PT0S');
  assert.equal(
    String(durationInDays(datetime('2017-10-28T12:00[Europe/Stockholm]'), datetime('2017-10-29T12:00[Europe/Stockholm]'))),
    'P1D',
  );
  fc.assert(
    fc.property(fc.integer({ min: -800_000, max: 800_000 }), fc.integer({ min: -800_000, max: 800_000 }), (a, b) => {
      const between = durationBetween(new CypherDate(a), new CypherDate(b));
      assert.deepEqual(addToTemporal(new CypherDate(a), between, 1), new CypherDate(b));
    }),
  );
});

test('components', () => {
  const value = datetime('1984-11-11T12:31:14.645876123[Europe/Stockholm]');
  const expected = {
    year: 1984,
    week: 45,
    weekYear: 1984,
    dayOfWeek: 7,
    dayOfQuarter: 42,
    quarterDay: 42,
    millisecond: 645,
    nanosecond: 645876123,
    timezone: 'Europe/Stockholm',
    offset: '+01:00',
    epochSeconds: 469020674,
    epochMillis: 469020674645,
  };
  for (const [name, component] of Object.entries(expected)) assert.equal(temporalField(value, name), component, name);
  const p = duration('P1Y4M10DT1H1M1.111111111S');
  const parts = {
    years: 1,
    quarters: 5,
    months: 16,
    weeks: 1,
    days: 10,
    hours: 1,
    minutes: 61,
    seconds: 3661,
    milliseconds: 3661111,
    microseconds: 3661111111,
    nanoseconds: 3661111111111,
    quartersOfYear: 1,
    monthsOfQuarter: 1,
    monthsOfYear: 4,
    daysOfWeek: 3,
    minutesOfHour: 1,
    secondsOfMinute: 1,
    millisecondsOfSecond: 111,
    microsecondsOfSecond: 111111,
    nanosecondsOfSecond: 111111111,
  };
  for (const [name, component] of Object.entries(parts)) assert.equal(temporalField(p, name), component, name);
  assert.throws(() => temporalField(value, 'years'), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => temporalField(date('2015'), 'hour'), { code: 'ARGUMENT_ERROR' });
  assert.equal(typeof epochSecondsOf(datetime('+999999999-01-01T00:00Z')), 'bigint');
});

test('maps: fields must be known, belong together and leave no gap', () => {
  const wrong: [Parameters<typeof temporalFromMap>[0], Record<string, Value>][] = [
    ['date', { month: 1 }],
    ['date', { year: 2015, day: 1 }],
    ['date', { year: 2015, month: 1, week: 2 }],
    ['date', { year: 2015, hour: 1 }],
    ['date', { year: 2015, dayOfWeek: 1 }],
    ['localtime', {}],
    ['localtime', { minute: 1 }],
    ['localtime', { hour: 1, second: 1 }],
    ['localtime', { hour: 1, minute: 1, second: 1, millisecond: 1, nanosecond: 1_000_000 }],
    ['localtime', { time: date('2015') }],
    ['date', { date: parseTemporal('localtime', '12:00') }],
    ['datetime', { datetime: datetime('2015T10Z'), date: date('2015') }],
    ['datetime', { epochSeconds: 1, epochMillis: 1 }],
  ];
  for (const [kind, fields] of wrong)
    assert.throws(() => temporalFromMap(kind, map(fields), NOW), { code: 'ARGUMENT_ERROR' }, JSON.stringify([kind, Object.keys(fields)]));
  assert.throws(() => temporalFromMap('date', map({ year: '2015' }), NOW), { code: 'TYPE_ERROR' });
  assert.equal(
    String(temporalFromMap('datetime', map({ epochMillis: -1, timezone: 'Europe/Stockholm' }), NOW)),
    '1970-01-01T00:59:59.999+01:00[Europe/Stockholm]',
  );
  assert.equal(String(temporalFromMap('time', map({ hour: 12, timezone: 'Europe/Stockholm' }), NOW)), '12:00:00+01:00');
});

test('truncation refuses units that a value does not have', () => {
  assert.throws(() => truncateTemporal('date', 'hour', date('2015'), map({}), NOW), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => truncateTemporal('localtime', 'month', localdatetime('2015T10'), map({}), NOW), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => truncateTemporal('datetime', 'hour', date('2015'), map({}), NOW), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => truncateTemporal('datetime', 'day', parseTemporal('time', '12Z'), map({}), NOW), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => truncateTemporal('date', 'fortnight', date('2015'), map({}), NOW), { code: 'ARGUMENT_ERROR' });
  assert.equal(
    String(truncateTemporal('datetime', 'month', datetime('2017-10-11T12:31[Europe/Stockholm]'), map({}), NOW)),
    '2017-10-01T00:00:00+02:00[Europe/Stockholm]',
  );
  assert.equal(
    String(truncateTemporal('datetime', 'millennium', date('2017-10-11'), map({ timezone: 'Europe/Stockholm' }), NOW)),
    '2000-01-01T00:00:00+01:00[Europe/Stockholm]',
  );
});

test('a value lends what it has, and lacks are named', () => {
  assert.equal(String(temporalFromTemporal('datetime', date('2015'), NOW)), '2015-01-01T00:00:00Z');
  assert.throws(() => temporalFromTemporal('date', parseTemporal('time', '12Z'), NOW), {
    code: 'ARGUMENT_ERROR',
    message: /Time has no date/,
  });
  assert.throws(() => temporalFromTemporal('time', date('2015'), NOW), { code: 'ARGUMENT_ERROR', message: /Date has no time/ });
});
