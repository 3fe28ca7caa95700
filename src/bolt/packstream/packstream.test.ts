/** PackStream: written values are read back, and bytes that nobody wrote are refused without harm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GraphDBError } from '../../base/index.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherFloat,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  type ResultValue,
  type Value,
} from '../../value/index.ts';
import { readStructure } from '../values/read-structure.ts';
import { writeValue } from '../values/write-value.ts';
import { MalformedMessage, PackStreamReader } from './packstream-reader.ts';
import { PackStreamWriter } from './packstream-writer.ts';

function write(value: Value, utc = true): Buffer {
  const writer = new PackStreamWriter();
  writeValue(writer, value as ResultValue, { elementIds: true, utc });
  return writer.take();
}

function read(bytes: Buffer): Value {
  const reader = new PackStreamReader(bytes, readStructure);
  const value = reader.value();
  assert.ok(reader.atEnd);
  return value;
}

const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    integers.map((x) => (x >= -9007199254740991n && x <= 9007199254740991n ? Number(x) : x)),
    fc.double().map((x) => (Number.isSafeInteger(x) ? new CypherFloat(x) : x)),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.uint8Array({ maxLength: 300 }),
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map((day) => new CypherDate(day)),
    fc.array(tie('value'), { maxLength: 20 }),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 20 }).map((entries) => new Map(entries)),
  ),
})).value as fc.Arbitrary<Value>;

test('values survive, in their shortest form or not', () => {
  fc.assert(fc.property(values, (value) => assert.deepEqual(read(write(value)), value)));
});

test('integers survive at every width', () => {
  for (const base of [0n, 16n, 127n, 128n, 32_767n, 32_768n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n]) {
    for (const x of [base - 2n, base - 1n, base, base + 1n].flatMap((each) => [each, -each])) {
      if (x < -(2n ** 63n) || x >= 2n ** 63n) continue;
      const value = x >= -9007199254740991n && x <= 9007199254740991n ? Number(x) : x;
      assert.equal(read(write(value)), value === 0 ? 0 : value);
    }
  }
});

test('long strings, bytes, lists and maps survive', () => {
  for (const size of [15, 16, 255, 256, 65_535, 65_536]) {
    assert.equal(read(write('é'.repeat(size))), 'é'.repeat(size));
    assert.equal(read(write('x'.repeat(size))), 'x'.repeat(size));
    assert.deepEqual(read(write(new Uint8Array(size).fill(7))), new Uint8Array(size).fill(7));
    assert.equal((read(write(new Array(size).fill(null))) as Value[]).length, size);
    assert.equal((read(write(new Map(Array.from({ length: size }, (_, i) => [String(i), i])))) as Map<string, Value>).size, size);
  }
});

test('floats stay floats, and a zero its sign', () => {
  assert.deepEqual(read(write(new CypherFloat(1))), new CypherFloat(1));
  assert.ok(Object.is((read(write(new CypherFloat(-0))) as CypherFloat).value, -0));
  assert.ok(Number.isNaN(read(write(Number.NaN))));
  assert.equal(read(write(Number.NEGATIVE_INFINITY)), Number.NEGATIVE_INFINITY);
});

test('temporal values survive, in UTC and on the clocks of their zone', () => {
  const noon = 12 * 3_600 * 1_000_000_000;
  const cases: Value[] = [
    new CypherDate(-719_528),
    new CypherLocalTime(86_399_999_999_999),
    new CypherTime(noon, -16_200),
    new CypherLocalDateTime(-365_243_219_162, 1),
    new CypherLocalDateTime(365_241_780_471, 86_399_999_999_999),
    new CypherDateTime(18_000, noon + 1, 3_601, null),
    new CypherDateTime(-1, 0, -64_800, null),
    new CypherDateTime(365_241_780_471, noon, 0, null),
    new CypherDateTime(18_262, noon, 3_600, 'Europe/Paris'),
    new CypherDateTime(18_444, noon, 7_200, 'Europe/Paris'),
    new CypherDuration(-14, 3, -1, 999_999_999),
    new CypherDuration(0, 0, 2n ** 62n, 0),
  ];
  for (const value of cases) for (const utc of [true, false]) assert.deepEqual(read(write(value, utc)), value);
  const later = new CypherDateTime(18_560, 2.5 * 3_600 * 1e9, 3_600, 'Europe/Paris');
  assert.deepEqual(read(write(later, true)), later, 'of an hour that clocks show twice, UTC tells which');
});

test('structures that no statement can be given fail the statement only', () => {
  const structure = (tag: number, ...fields: Value[]) => {
    const writer = new PackStreamWriter();
    writer.structureHeader(fields.length, tag);
    for (const field of fields) writeValue(writer, field as ResultValue, { elementIds: true, utc: true });
    return writer.take();
  };
  const codeOf = (bytes: Buffer): string | undefined => {
    try {
      read(bytes);
    } catch (error) {
      if (error instanceof GraphDBError) return error.code;
      throw error;
    }
    return undefined;
  };
  assert.equal(codeOf(structure(0x58, 9157, 1.5, 2.5)), 'ARGUMENT_ERROR');
  assert.equal(codeOf(structure(0x4e, 1, [], new Map(), 'n1')), 'TYPE_ERROR');
  assert.equal(codeOf(structure(0x69, 0, 0, 'Nowhere/Atlantis')), 'ARGUMENT_ERROR');
  assert.equal(codeOf(structure(0x44, 2n ** 62n)), 'ARGUMENT_ERROR');
  assert.equal(codeOf(structure(0x74, -1)), 'ARGUMENT_ERROR');
  assert.equal(codeOf(structure(0x64, -(2n ** 63n), 0)), 'ARGUMENT_ERROR');
  assert.throws(() => codeOf(structure(0x44)), MalformedMessage);
  assert.throws(() => codeOf(structure(0x44, 'today')), MalformedMessage);
  assert.throws(() => codeOf(structure(0x21)), MalformedMessage);
});

test('bytes that are no PackStream are refused', () => {
  const bad = {
    'a count beyond the message': [0xd6, 0xff, 0xff, 0xff, 0xff, 0x01],
    'a text beyond the message': [0xd2, 0x7f, 0xff, 0xff, 0xff, 0x61],
    'a map beyond the message': [0xda, 0x00, 0xff, 0xff, 0xff],
    'text that is not UTF-8': [0x82, 0xc3, 0x28],
    'a lone surrogate': [0x83, 0xed, 0xa0, 0x80],
    'a key twice': [0xa2, 0x81, 0x61, 0x01, 0x81, 0x61, 0x02],
    'a key that is no text': [0xa1, 0x01, 0x01],
    'an unknown marker': [0xc4],
    'a torn integer': [0xcb, 0x00, 0x00],
    nothing: [],
    'lists in lists in lists': new Array(100_000).fill(0x91),
  };
  for (const [name, bytes] of Object.entries(bad)) {
    assert.throws(() => new PackStreamReader(Buffer.from(bytes), readStructure).value(), MalformedMessage, name);
  }
});

test('any bytes end in a value or a refusal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        new PackStreamReader(Buffer.from(bytes), readStructure).value();
      } catch (error) {
        assert.ok(error instanceof MalformedMessage || error instanceof GraphDBError, String(error));
      }
    }),
    { numRuns: 2_000 },
  );
});
