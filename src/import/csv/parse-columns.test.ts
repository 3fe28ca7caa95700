/** Numbers, Booleans and dates from bytes, held against the ways that JavaScript and the value layer read them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CypherDate, parseTemporal } from '../../value/index.ts';
import { allRows, scanColumn } from '../testing/scan-text.ts';
import { BadRows } from './bad-rows.ts';
import { NumberVector } from './number-vector.ts';
import { parseBooleans } from './parse-booleans.ts';
import { parseDates } from './parse-dates.ts';
import { parseFloats } from './parse-floats.ts';
import { parseIntegers } from './parse-integers.ts';
import { usualDateTime, usualLocalDateTime } from './parse-timestamps.ts';

type Parse = typeof parseIntegers;

/** Per field the number, `null` for none, a bigint for a wide one, a string for what makes the row bad. */
function read(parse: Parse, fields: readonly string[]): (number | bigint | string | null)[] {
  const block = scanColumn(fields);
  const vector = new NumberVector();
  const bad = new BadRows();
  parse(block, 0, allRows(block), vector, bad);
  const reasons = new Map(bad.entries());
  assert.equal(
    vector.presentCount,
    vector.present.subarray(0, vector.length).reduce((sum, bit) => sum + bit, 0),
  );
  return fields.map((_, i) => {
    const number = vector.numbers[i]!;
    if (vector.present[i] === 0) return null;
    return reasons.get(i) ?? (number !== number && vector.wideCount > 0 ? vector.wide[i]! : number);
  });
}

test('integers of 64 bits', () => {
  const numbers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const small = fc.integer().map(BigInt);
  fc.assert(
    fc.property(fc.array(fc.oneof(numbers, small), { minLength: 1 }), (values) => {
      const expected = values.map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
      assert.deepEqual(read(parseIntegers, values.map(String)), expected);
    }),
  );
});

test('odd integers, and what is none', () => {
  assert.deepEqual(read(parseIntegers, ['', '""', ' 7 ', '+7', '"-7"', '007', '-0']), [null, null, 7, 7, -7, 7, 0]);
  for (const text of ['x', '1.0', '-', '1e3', '0x10', '1 2', '--1', '9223372036854775808', '-9223372036854775809']) {
    assert.deepEqual(read(parseIntegers, [text]), [`${JSON.stringify(text)} is not an Integer of 64 bits`]);
  }
});

test('floats are what Number reads', () => {
  const texts = fc.oneof(
    fc.double({ noNaN: true }).map(String),
    fc.tuple(fc.integer(), fc.nat(99_999_999)).map(([whole, fraction]) => `${whole}.${fraction}`),
  );
  fc.assert(fc.property(fc.array(texts, { minLength: 1 }), (values) => assert.deepEqual(read(parseFloats, values), values.map(Number))));
});

test('odd floats, and what is none', () => {
  assert.deepEqual(read(parseFloats, ['', '1.', '.5', '-0', '+1e-3', ' 2 ', '0.1', '123456789.123456789']), [
    null,
    1,
    0.5,
    -0,
    0.001,
    2,
    0.1,
    Number('123456789.123456789'),
  ]);
  assert.deepEqual(read(parseFloats, ['NaN', '-Infinity']), [Number.NaN, Number.NEGATIVE_INFINITY]);
  for (const text of ['x', '.', '-', '1.2.3', '0x10', '1e', '1 2']) {
    assert.deepEqual(read(parseFloats, [text]), [`${JSON.stringify(text)} is not a Float`]);
  }
});

test('Booleans', () => {
  assert.deepEqual(read(parseBooleans, ['true', 'FALSE', ' True ', 'false', '']), [1, 0, 1, 0, null]);
  assert.deepEqual(read(parseBooleans, ['yes', 'trua']), ['"yes" is neither true nor false', '"trua" is neither true nor false']);
});

test('dates', () => {
  const texts = ['2024-02-29', '1970-01-01', '0001-12-31', '+12345-06-07', '-0044-03-15', '20240229', '2024-W01-1', '1999-12-28'];
  const expected = texts.map((text) => (parseTemporal('date', text) as CypherDate).epochDay);
  assert.deepEqual(read(parseDates, texts), expected);
  assert.match(String(read(parseDates, ['2023-02-29'])[0]), /2023-02-29|day|month/);
  assert.match(String(read(parseDates, ['+999999999-01-01'])[0]), /further away/);
  assert.match(String(read(parseDates, ['yesterday!'])[0]), /yesterday!/);
});

test('datetimes of the usual forms are what the value layer reads; the others are left to it', () => {
  const number = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
  const seconds = fc.tuple(number(60), fc.option(fc.stringMatching(/^\d{1,10}$/))).map(([s, f]) => `:${s}${f === null ? '' : `.${f}`}`);
  const zone = fc.oneof(fc.constantFrom('Z', '', '+01:00', '-00:00', '-17:59', '+18:30', '+0100', '[Europe/Paris]'));
  const text = fc
    .tuple(fc.integer({ min: 0, max: 9999 }), number(13), number(32), number(25), number(61), fc.option(seconds), zone)
    .map(
      ([year, month, day, hour, minute, rest, end]) =>
        `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}${rest ?? ''}${end}`,
    );
  let usual = 0;
  fc.assert(
    fc.property(text, (written) => {
      const bytes = Buffer.from(`?${written}?`);
      const local = usualLocalDateTime(bytes, 1, bytes.length - 1);
      const zoned = usualDateTime(bytes, 1, bytes.length - 1);
      if (local !== null) assert.deepEqual(local, parseTemporal('localdatetime', written));
      if (zoned !== null) assert.deepEqual(zoned, parseTemporal('datetime', written));
      if (local !== null || zoned !== null) usual++;
    }),
    { numRuns: 1000 },
  );
  assert.ok(usual > 100, `${usual} of the usual form`);
  const bytes = Buffer.from('2024-05-17T10:20:30.123456789+02:00');
  assert.deepEqual(usualDateTime(bytes, 0, bytes.length), parseTemporal('datetime', bytes.toString()));
});
