import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ColumnKind, ColumnView, DictionaryView, NodeTableView } from '../../graph/index.ts';
import { CypherDate, CypherFloat, compareStrings, contains, equals, makeFloat, order, startsWith, type Value } from '../../value/index.ts';
import { RowFilters, type RowTest } from './row-filters.ts';

const NUMBERS: readonly ColumnKind[] = ['int32', 'integer', 'float', 'date'];
const TESTS: readonly RowTest[] = ['=', '<', '<=', '>', '>='];

function columnOf(kind: ColumnKind, values: readonly Value[]): ColumnView {
  const get = (row: number): Value => values[row]!;
  const valid = new Uint8Array(new SharedArrayBuffer((values.length >> 3) + 1));
  values.forEach((value, row) => {
    if (value !== null) valid[row >> 3]! |= 1 << (row & 7);
  });
  const column = { kind, valid: values.includes(null) ? valid : null, heap: null, dictionary: null, get, texts: { get } } as const;
  if (kind === 'string') return { ...column, ...utf8Of(values as readonly (string | null)[]), texts: { get: get as never } };
  if (kind === 'dictionary') return { ...column, ...codesOf(values as readonly (string | null)[]), texts: { get: get as never } };
  const numbers = values.map((value) =>
    value instanceof CypherDate ? value.epochDay : value instanceof CypherFloat ? value.value : value,
  );
  const bytes = new SharedArrayBuffer(8 * values.length);
  const shared = kind === 'int32' || kind === 'date' ? new Int32Array(bytes) : new Float64Array(bytes);
  shared.set(numbers.map((number) => (number as number | null) ?? 7));
  return { ...column, values: shared, texts: { get: get as never } };
}

/** A row without a value may have bytes that are left from one. */
function utf8Of(texts: readonly (string | null)[]): { values: Uint32Array; heap: Uint8Array } {
  const parts = texts.map((text) => Buffer.from(text ?? 'ab', 'utf8'));
  const heap = new Uint8Array(new SharedArrayBuffer(parts.reduce((sum, part) => sum + part.length, 0)));
  const values = new Uint32Array(texts.length + 1);
  parts.forEach((part, i) => {
    heap.set(part, values[i]!);
    values[i + 1] = values[i]! + part.length;
  });
  return { values, heap };
}

function codesOf(texts: readonly (string | null)[]): { values: Int32Array; dictionary: DictionaryView } {
  const known = [...new Set(texts.filter((text) => text !== null))];
  const values = new Int32Array(new SharedArrayBuffer(4 * texts.length));
  texts.forEach((text, row) => {
    values[row] = text === null ? 0 : known.indexOf(text);
  });
  return { values, dictionary: { size: known.length, decode: (code) => known[code]!, find: (text) => known.indexOf(text) } };
}

const tableOf = (column: ColumnView | null): NodeTableView => ({ index: 0, column: () => column }) as unknown as NodeTableView;

function selected(
  column: ColumnView,
  tests: readonly RowTest[],
  values: readonly (Value | undefined)[],
  first: number,
  end: number,
): number[] {
  const rows = new Int32Array(1024);
  const filter = new RowFilters(0, tests, values, true).of(tableOf(column));
  const found = [...rows.subarray(0, filter.select(first, end, rows))];
  if (filter.isExact)
    assert.ok(
      found.every((row) => tests.every((test, i) => holds(column.get(row), test, values[i]!))),
      'it is exact',
    );
  for (let row = first; row < end; row++) rows[row - first] = row;
  assert.deepEqual([...rows.subarray(0, filter.narrow(rows, end - first))], found, 'rows that are kept are those that are found');
  return found;
}

function holds(value: Value, test: RowTest, wanted: Value): boolean {
  if (value === null || wanted === null) return false;
  if (test === 'contains') return contains(value, wanted) === true;
  if (test === 'startsWith') return startsWith(value, wanted) === true;
  if (test === '=') return equals(value, wanted) === true;
  const numbers = [value, wanted].map((each) => (each instanceof CypherFloat ? each.value : each));
  if (numbers.some((each) => Number.isNaN(each))) return false;
  const sign = typeof value === 'string' ? compareStrings(value, wanted as string) : order(value, wanted);
  return { '<': sign < 0, '<=': sign <= 0, '>': sign > 0, '>=': sign >= 0 }[test];
}

const integer = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(-(2 ** 31), 2 ** 31 - 1));
const wide = fc.oneof(integer, fc.constantFrom(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 40));
const float = fc
  .oneof(
    fc.integer({ min: -5, max: 5 }).map((number) => number / 2),
    fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MIN_VALUE, -Number.MIN_VALUE, 1e300),
  )
  .map(makeFloat);
const date = integer.map((day) => new CypherDate(day));
const ofKind = { int32: integer, integer: wide, float, date } as const;

test('rows within bounds are those that a comparison with each bound lets through, nulls and NaN left out', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NUMBERS).chain((kind) => {
        const value = ofKind[kind as keyof typeof ofKind] as fc.Arbitrary<Value>;
        const bound = kind === 'date' ? date : (fc.oneof(integer, wide, float) as fc.Arbitrary<Value>);
        return fc.record({
          kind: fc.constant(kind),
          values: fc.array(fc.option(value, { freq: 5 }), { minLength: 1, maxLength: 80 }),
          tests: fc.array(fc.tuple(fc.constantFrom(...TESTS), bound), { minLength: 1, maxLength: 3 }),
        });
      }),
      fc.nat(20),
      ({ kind, values, tests }, from) => {
        const first = Math.min(from, values.length - 1);
        const column = columnOf(kind, values);
        const expected = values.flatMap((value, row) =>
          row >= first && tests.every(([test, bound]) => holds(value, test, bound)) ? [row] : [],
        );
        const found = selected(column, tests.map(([test]) => test), tests.map(([, bound]) => bound), first, values.length); // biome-ignore format: one call
        const isNaNBound = tests.some(([, bound]) => Number.isNaN(bound));
        if (isNaNBound)
          assert.deepEqual(found.filter((row) => expected.includes(row)), expected); // biome-ignore format: one call
        else assert.deepEqual(found, expected);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('strings of both forms: equal, beginning with and containing another', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🙂'), maxLength: 5 });
  fc.assert(
    fc.property(
      fc.constantFrom<ColumnKind>('string', 'dictionary'),
      fc.array(fc.option(text, { freq: 5 }), { minLength: 1, maxLength: 60 }),
      fc.constantFrom<RowTest>('=', 'startsWith', 'contains'),
      text,
      fc.nat(20),
      (kind, values, test, wanted, from) => {
        const first = Math.min(from, values.length - 1);
        const expected = values.flatMap((value, row) => (row >= first && holds(value, test, wanted) ? [row] : []));
        assert.deepEqual(selected(columnOf(kind, values), [test], [wanted], first, values.length), expected);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('texts beyond the pieces that are searched at a time, and a wanted one that is too long for them', () => {
  const long = (length: number, end: string): string => 'xy'.repeat(length) + end;
  const wanted = long(2_100, '!');
  const values = ['', long(20_000, 'needle'), 'needle', long(16_380, 'needles and needles'), long(40_000, '!'), wanted.slice(1), null];
  const column = columnOf('string', values);
  assert.deepEqual(selected(column, ['contains'], ['needle'], 0, 7), [1, 2, 3]);
  assert.deepEqual(selected(column, ['contains'], [wanted], 0, 7), [4]);
  assert.deepEqual(selected(column, ['contains'], [long(2_100, '')], 0, 7), [1, 3, 4]);
});

test('what cannot be told beforehand leaves every row in, and what no row satisfies none', () => {
  const column = columnOf('int32', [1, 2, 3]);
  assert.deepEqual(selected(column, ['>='], [undefined], 0, 3), [0, 1, 2]);
  assert.deepEqual(selected(column, ['>='], ['a'], 0, 3), [0, 1, 2]);
  assert.deepEqual(selected(column, ['<'], [2n ** 62n], 0, 3), [0, 1, 2]);
  assert.deepEqual(selected(column, ['>='], [null], 0, 3), []);
  assert.deepEqual(selected(columnOf('string', ['a']), ['contains'], [1], 0, 1), [0]);
  const isExact = (bound: Value | undefined): boolean => new RowFilters(0, ['>='], [bound], true).of(tableOf(column)).isExact;
  assert.deepEqual([undefined, 'a', 2n ** 62n, Number.NaN, 2, 2.5].map(isExact), [false, false, false, false, true, true]);
  for (const kind of ['string', 'dictionary'] as const) assert.deepEqual(selected(columnOf(kind, ['\ufffd']), ['='], ['\ud800'], 0, 1), []);
  assert.equal(new RowFilters(0, ['='], [1], true).of(tableOf(null)).select(0, 10, new Int32Array(1024)), 0);
});

/** More than are looked at together. */
const ROWS = 21_500;

test('whole blocks: those with nothing between the bounds, with nothing else, and with both', () => {
  const kinds: readonly (readonly [ColumnKind, (row: number) => Value])[] = [
    ['int32', (row) => row >> 9],
    ['float', (row) => makeFloat(row % 2_000 === 77 ? Number.NaN : (row >> 10) * 1.5)],
    ['date', (row) => (row % 3_000 === 5 || row >> 10 === 2 ? null : new CypherDate(row >> 8))],
    ['dictionary', (row) => `text ${row >> 11}`],
  ];
  for (const [kind, valueOf] of kinds) {
    const values = Array.from({ length: ROWS }, (_, row) => valueOf(row));
    const column = columnOf(kind, values);
    for (const [test, row] of [
      ['=', 1_500],
      ['>=', 1_024],
      ['<', 3_100],
      ['>', 4_499],
    ] as const) {
      if (kind === 'dictionary' && test !== '=') continue;
      const wanted = values[row]!;
      for (const [isSnapshot, step] of [
        [true, 1_024],
        [false, 4_096],
        [true, 4_096],
        [true, 40_960],
      ] as const) {
        const rows = new Int32Array(step);
        const filter = new RowFilters(0, [test], [wanted], isSnapshot).of(tableOf(column));
        const found: number[] = [];
        for (let first = 0; first < ROWS; first += step)
          found.push(...rows.subarray(0, filter.select(first, Math.min(first + step, ROWS), rows)));
        assert.deepEqual(
          found,
          values.flatMap((value, at) => (holds(value, test, wanted) ? [at] : [])),
          `${kind} ${test}`,
        );
      }
    }
  }
});
