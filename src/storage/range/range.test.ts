/** Range indexes find what a look at every row finds, for values of all types and in whatever files these lie; damage is named. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../../base/index.ts';
import { withMetrics } from '../../object-store/index.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  compare,
  encodeValue,
  equals,
  makeFloat,
  order,
  Point,
  type Value,
} from '../../value/index.ts';
import type { Catalog, ManifestArtefact, SstColumn, SstTable } from '../api.ts';
import { PagedReader } from '../artefacts/paged-reader.ts';
import { buildFrom, readerOf, type StoredFiles, seededRandom, storeFiles } from '../testing/built-artefact.ts';
import { type SampleValue, sampleColumn } from '../testing/sample-table.ts';
import { buildRange, RANGE_LIMITS, type RangeLimits } from './build-range.ts';
import { encodeKey } from './encode-key.ts';
import { KeyBytes } from './key-bytes.ts';
import { openRange, type RangeBounds, type RangeHits, type RangeIndex } from './range-index.ts';
import { rangeKind } from './range-kind.ts';
import { compareKeys } from './range-page.ts';

type Random = (limit: number) => number;

const LARGE = [2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 62n + 513n, 2n ** 62n + 512n];
const FLOATS = [
  0,
  -0,
  0.5,
  -0.5,
  1,
  2 ** 53,
  -(2 ** 53),
  2 ** 62,
  1e300,
  -1e300,
  5e-324,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
const TEXTS = [
  '',
  'a',
  'a\u0000',
  'a\u0001',
  'a\u0002',
  'ab',
  'b',
  'ä',
  '\uffff',
  '\u{10000}',
  '😀',
  'a'.repeat(300),
  `${'a'.repeat(300)}b`,
  'é'.repeat(200),
];

/** Values of all types that are stored, many of them near each other. */
function randomValue(random: Random, depth = 0): Value {
  const small = (): number => random(7) - 3;
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  switch (random(depth > 1 ? 12 : 15)) {
    case 0:
      return small();
    case 1:
      return pick(LARGE);
    case 2:
      return makeFloat(pick(FLOATS));
    case 3:
      return makeFloat(small() / 2);
    case 4:
    case 5:
      return pick(TEXTS);
    case 6:
      return random(2) === 0;
    case 7:
      return pick([new CypherDate(small()), new CypherDate(small() * 1e6), new CypherLocalTime(random(3) * 1e9)]);
    case 8:
      return pick([new CypherTime(random(86_400) * 1e9, small() * 3_600), new CypherLocalDateTime(small(), random(3))]);
    case 9:
      return new CypherDateTime(small(), random(86_400) * 1e9, small() * 3_600, pick([null, 'Europe/Stockholm', 'UTC']));
    case 10:
      return new CypherDuration(small(), small() * 30, small() * 86_400, random(2));
    case 11:
      return pick<Value>([
        new Point(7203, small(), small()),
        new Point(9157, small(), 0, small()),
        Float32Array.from({ length: random(3) }, () => small()),
        Uint8Array.from({ length: random(3) }, () => random(3)),
      ]);
    case 12:
      return Array.from({ length: random(4) }, () => (random(6) === 0 ? null : randomValue(random, depth + 1)));
    case 13:
      return new Map(Array.from({ length: random(3) }, () => [pick(['a', 'b', 'ä']), randomValue(random, depth + 1)]));
    default:
      return random(1_000);
  }
}

function keyOf(value: Value): Uint8Array {
  const key = new KeyBytes();
  encodeKey(value, key);
  return key.since(0);
}

test('keys have the order of ORDER BY, and no key is the beginning of another', () => {
  const random = seededRandom(1);
  for (let round = 0; round < 20_000; round++) {
    const [a, b] = [randomValue(random), randomValue(random)];
    if ([a, b].some((value) => typeof value === 'string' && value.length > 150)) continue;
    const [keyA, keyB] = [keyOf(a), keyOf(b)];
    const expected = Math.sign(order(a, b));
    assert.equal(Math.sign(compareKeys(keyA, keyB)), expected, `${String(a)} and ${String(b)}`);
    if (expected !== 0) assert.ok(Buffer.compare(keyA, keyB.subarray(0, keyA.length)) !== 0, `${String(a)} begins ${String(b)}`);
  }
});

test('keys have the bytes of docs/storage-format.md', () => {
  const hex = (value: Value): string => Buffer.from(keyOf(value)).toString('hex');
  const expected: readonly (readonly [Value, string])[] = [
    [1, '11bff0000000000000'],
    [makeFloat(1), '11bff0000000000000'],
    [makeFloat(-0), '118000000000000000'],
    [-1, '11400fffffffffffff'],
    [2n ** 53n + 1n, '11c340000000000000' + '0001'],
    [-(2n ** 53n) - 1n, '113cbffffffffffffe' + '0001'],
    [Number.NaN, '11ffffffffffffffff'],
    ['a\u0000\u0001é', '0f61' + '0101' + '0102' + 'c3a9' + '00'],
    [true, '1001'],
    [new CypherDate(-1), '0b7fffffffffffffff'],
    [[1, null, 'a'], '04' + '11bff0000000000000' + '12' + '0f6100' + '00'],
    [new Map([['b', 1]]), '0100000001' + '6200' + '11bff0000000000000'],
    [Float32Array.of(1, -1), '06' + '01bf800000' + '01407fffff' + '00'],
    [new Point(7203, 0, 1), '0800001c23' + '8000000000000000' + 'bff0000000000000' + '8000000000000000'],
    [new CypherDateTime(0, 0, 3_600, null), `097fffffffffffffff${integerHex(82_800e9)}${integerHex(3_600)}00`],
    [new CypherDuration(0, 0, 1, 2), `0e80000000000000000000000000000001${integerHex(2)}${integerHex(0)}${integerHex(0)}`],
  ];
  for (const [value, bytes] of expected) assert.equal(hex(value), bytes, String(value));
});

function integerHex(value: number): string {
  return (BigInt(value) + 2n ** 63n).toString(16).padStart(16, '0');
}

type Row = { readonly ordinal: number; readonly values: readonly Value[]; readonly isDeleted?: boolean };

/** Column c holds value c of the rows, in the kind. */
function columnOf(name: string, kind: SstColumn['kind'], values: readonly Value[]): SstColumn {
  return sampleColumn({ name, kind, value: (row) => sampleOf(kind, values[row]!) }, values.length);
}

function sampleOf(kind: SstColumn['kind'], value: Value): SampleValue {
  if (value === null) return null;
  if (kind === 'any') {
    const writer = new ByteWriter();
    encodeValue(value, writer);
    return Buffer.from(writer.toBytes()).toString('base64');
  }
  if (value instanceof CypherDate) return value.epochDay;
  if (kind === 'int64') return String(value);
  if (kind === 'float') return typeof value === 'number' ? value : (value as { readonly value: number }).value;
  return value as SampleValue;
}

function tableOf(rows: readonly Row[], kinds: readonly SstColumn['kind'][], level = 1): SstTable {
  const sorted = rows.toSorted((a, b) => a.ordinal - b.ordinal);
  const isBase = sorted.every(({ isDeleted }) => isDeleted !== true);
  return {
    kind: 'nodes',
    labels: ['N'],
    rows: sorted.length,
    columns: [
      sampleColumn({ name: '_ordinal', kind: 'uint32', value: (row) => sorted[row]!.ordinal }, sorted.length),
      ...(isBase
        ? []
        : [sampleColumn({ name: '_deleted', kind: 'boolean', value: (row) => sorted[row]!.isDeleted === true }, sorted.length)]),
      ...kinds.map((kind, index) =>
        columnOf(
          `k${index}`,
          kind,
          sorted.map(({ values, isDeleted }) => (isDeleted === true ? null : values[index]!)),
        ),
      ),
    ],
    minOrdinal: sorted[0]!.ordinal,
    denseOrdinals: false,
    base: isBase,
    level,
    minSequence: 1,
    maxSequence: 1,
  };
}

const NAMES = ['k0', 'k1', 'k2'];

async function build(stored: StoredFiles, keys: number, limits: RangeLimits = RANGE_LIMITS): Promise<ManifestArtefact> {
  const names = NAMES.slice(0, keys);
  return buildFrom(stored, rangeKind, { keys: names }, async (rows, pages) => ({ ...(await buildRange(names, rows, pages, limits)) }));
}

/** Returns the values of the rows that are live among these files, by position. */
function liveRows(files: readonly (readonly Row[])[]): Map<number, readonly Value[]> {
  const rows = files.flatMap((file) => file.toSorted((a, b) => a.ordinal - b.ordinal));
  const latest = new Map(rows.map(({ ordinal }, row) => [ordinal, row]));
  return new Map(
    rows.flatMap(({ ordinal, values, isDeleted }, row) => (latest.get(ordinal) === row && isDeleted !== true ? [[row, values]] : [])),
  );
}

async function gathered(pieces: AsyncGenerator<RangeHits, void>): Promise<{ rows: number[]; isExact: boolean }> {
  const all = { rows: [] as number[], isExact: true };
  for await (const { rows, isExact } of pieces) {
    all.rows.push(...rows);
    all.isExact &&= isExact;
  }
  return all;
}

function isBetween(value: Value, { low, lowInclusive, high, highInclusive }: RangeBounds): boolean {
  const holds = (sign: number | null, isInclusive: boolean): boolean => sign !== null && (isInclusive ? sign >= 0 : sign > 0);
  const [fromLow, fromHigh] = [low === null ? 1 : compare(value, low), high === null ? -1 : compare(value, high)];
  return holds(fromLow, lowInclusive) && holds(fromHigh === null ? null : -fromHigh, highInclusive);
}

/** Whether what was found is right: the rows in question, and others only where it says so. */
function assertFound(
  found: { readonly rows: Iterable<number>; readonly isExact: boolean },
  expected: readonly number[],
  what: string,
): void {
  const rows = [...found.rows].sort((a, b) => a - b);
  if (found.isExact) assert.deepEqual(rows, expected, what);
  else {
    const wanted = new Set(expected);
    assert.deepEqual(
      rows.filter((row) => wanted.has(row)),
      expected,
      what,
    );
  }
}

async function assertAnswers(
  index: RangeIndex,
  live: ReadonlyMap<number, readonly Value[]>,
  random: Random,
  asks: number,
): Promise<number> {
  const complete = [...live].filter(([, values]) => index.keys.every((_, key) => values[key] !== null)).sort(([a], [b]) => a - b);
  const any = (): Value[] =>
    complete.length > 0 && random(2) === 0 ? [...complete[random(complete.length)]![1]] : NAMES.map(() => randomValue(random));
  assert.equal(index.directory.entries, complete.length);
  let hits = 0;
  const together: { readonly wanted: readonly Value[]; readonly expected: readonly number[] }[] = [];
  for (let ask = 0; ask < asks; ask++) {
    const wanted = any().slice(0, index.keys.length);
    const expected = complete
      .filter(([, values]) => wanted.every((value, key) => equals(values[key]!, value) === true))
      .map(([row]) => row);
    assertFound(await index.equal(wanted), expected, `equal to ${wanted.join()}`);
    together.push({ wanted, expected });
    hits += expected.length;
    if (index.keys.length > 1) continue;
    const bound = (): Value => (random(4) === 0 ? null : any()[0]!);
    const bounds = { low: bound(), lowInclusive: random(2) === 0, high: bound(), highInclusive: random(2) === 0 };
    const between = await gathered(index.between(bounds));
    assertFound(
      between,
      complete.filter(([, [value]]) => isBetween(value!, bounds)).map(([row]) => row),
      `${String(bounds.low)} to ${String(bounds.high)}`,
    );
    const valueOf = (row: number): Value => live.get(row)![0]!;
    for (const [at, row] of between.rows.entries()) {
      const now = valueOf(row);
      const mayBeCut = typeof now === 'object' || (typeof now === 'string' && now.length > 100);
      assert.ok(at === 0 || mayBeCut || order(valueOf(between.rows[at - 1]!), valueOf(row)) <= 0, 'in the order of values');
    }
    hits += between.rows.length;
    const text = wanted[0];
    const beginning = typeof text === 'string' ? text.slice(0, random(text.length + 1)) : 'a';
    if (!beginning.isWellFormed()) continue;
    const prefixed = complete.filter(([, [value]]) => typeof value === 'string' && value.startsWith(beginning)).map(([row]) => row);
    assertFound(await gathered(index.prefix(beginning)), prefixed, `begins with ${beginning}`);
  }
  const answers = await Promise.all(together.map(({ wanted }) => index.equal(wanted)));
  for (const [at, { wanted, expected }] of together.entries())
    assertFound(answers[at]!, expected, `equal to ${wanted.join()}, asked with others`);
  return hits;
}

const SEEDS = Number(process.env['ARTEFACT_SEEDS'] ?? 12);
const KINDS: readonly { readonly kind: SstColumn['kind']; readonly value: (random: Random) => Value }[] = [
  { kind: 'any', value: (random) => randomValue(random) },
  { kind: 'int32', value: (random) => random(50) - 25 },
  { kind: 'integer', value: (random) => (random(20) - 10) * 2 ** 40 },
  { kind: 'int64', value: (random) => LARGE[random(LARGE.length)]! },
  { kind: 'float', value: (random) => makeFloat(FLOATS[random(FLOATS.length)]!) },
  { kind: 'boolean', value: (random) => random(2) === 0 },
  { kind: 'date', value: (random) => new CypherDate(random(9) - 4) },
  { kind: 'string', value: (random) => TEXTS[random(TEXTS.length)]! },
  { kind: 'dictionary', value: (random) => TEXTS[random(TEXTS.length)]! },
];

function randomFiles(random: Random, kinds: readonly (typeof KINDS)[number][]): Row[][] {
  const mayReplace = random(2) === 0;
  let ordinals = 0;
  return Array.from({ length: 1 + random(3) }, () => {
    const file = new Map<number, Row>();
    for (let count = 1 + random(80); count > 0; count--) {
      const ordinal = mayReplace && ordinals > 0 && random(3) === 0 ? random(ordinals) : ordinals++;
      const values = NAMES.map((_, key) => (random(8) === 0 ? null : (kinds[key % kinds.length]!.value(random) as Value)));
      file.set(ordinal, { ordinal, values, isDeleted: mayReplace && random(5) === 0 });
    }
    return [...file.values()];
  });
}

test('at random: equality, ranges and prefixes as a look at every row', async () => {
  let hits = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seededRandom(seed);
    for (let round = 0; round < 6; round++) {
      const kinds = NAMES.map(() => KINDS[random(3) === 0 ? 0 : random(KINDS.length)]!);
      const files = randomFiles(random, kinds);
      const stored = await storeFiles(
        files.map((rows) =>
          tableOf(
            rows,
            kinds.map(({ kind }) => kind),
          ),
        ),
      );
      const limits = random(2) === 0 ? RANGE_LIMITS : { entriesAtOnce: 1 + random(30), keyBytesAtOnce: 10 + random(2_000) };
      const artefact = await build(stored, random(3) === 0 ? 1 + random(3) : 1, limits);
      const reader = readerOf(stored, artefact);
      await rangeKind.verify(reader);
      hits += await assertAnswers(await openRange(reader), liveRows(files), random, 12).catch((error: unknown) => {
        throw new Error(`seed ${seed}, round ${round}`, { cause: error });
      });
    }
  }
  assert.ok(hits > 500, `hardly anything was found: ${hits}`);
});

const MANY = 24_000;

/** Texts with much in common, numbers in no order, one value that most rows have. */
async function manyRows(): Promise<{ readonly stored: StoredFiles; readonly live: ReadonlyMap<number, readonly Value[]> }> {
  const random = seededRandom(9);
  const rows: Row[] = Array.from({ length: MANY }, (_, ordinal) => ({
    ordinal,
    values: [`https://example.org/people/${random(MANY)}/profile`, random(3) === 0 ? random(1_000) : 7, random(2 ** 30)],
  }));
  const stored = await storeFiles([
    tableOf(rows.slice(0, 16_000), ['string', 'int32', 'integer']),
    tableOf(rows.slice(16_000), ['string', 'int32', 'integer']),
  ]);
  return { stored, live: liveRows([rows.slice(0, 16_000), rows.slice(16_000)]) };
}

test('over many pages, built at once or range of keys by range, answers are the same; a look-up takes two requests', async () => {
  const { stored, live } = await manyRows();
  for (const key of [0, 1, 2]) {
    const name = NAMES[key]!;
    const column = new Map([...live].map(([row, values]) => [row, [values[key]!]]));
    for (const limits of [RANGE_LIMITS, { entriesAtOnce: 5_000, keyBytesAtOnce: 2 ** 19 }]) {
      const artefact = await buildFrom(stored, rangeKind, { keys: [name] }, async (rows, pages) => ({
        ...(await buildRange([name], rows, pages, limits)),
      }));
      await rangeKind.verify(readerOf(stored, artefact));
      const { store, metrics } = withMetrics(stored.store);
      assert.ok(readerOf(stored, artefact).pageCount > 1);
      for (const row of [0, 17, 23_999]) {
        const before = metrics.operations.readInto.requests;
        const index = await openRange(new PagedReader(store, artefact));
        const { rows, isExact } = await index.equal([live.get(row)![key]!]);
        assert.ok(rows.includes(row) && isExact);
        if (key !== 1) assert.equal(metrics.operations.readInto.requests - before, 2);
      }
      await assertAnswers(await openRange(readerOf(stored, artefact)), column, seededRandom(key), 4);
    }
  }
});

test('questions of equality that are asked in one turn read each page once', async () => {
  const count = 24_000;
  const rows: Row[] = Array.from({ length: count }, (_, ordinal) => ({ ordinal, values: [ordinal] }));
  const stored = await storeFiles([tableOf(rows, ['int32'])]);
  const { store, metrics } = withMetrics(stored.store);
  const artefact = await build(stored, 1);
  const index = await openRange(new PagedReader(store, artefact));
  const pages = readerOf(stored, artefact).pageCount;
  assert.ok(pages > 1);
  const ask = async (values: readonly number[]): Promise<number> => {
    const before = metrics.operations.readInto.requests;
    const found = await Promise.all(values.map((value) => index.equal([value])));
    assert.deepEqual(
      found.map((hits) => [...hits.rows]),
      values.map((value) => (value < count ? [value] : [])),
    );
    return metrics.operations.readInto.requests - before;
  };
  const all = Array.from({ length: count + 10 }, (_, value) => (value * 7_919) % (count + 10));
  const near = all.slice(0, 1_500).map((_, value) => value);
  assert.equal(await ask(near), 2, 'a request for the fences, one for the page');
  assert.equal(await ask([5, 5, count + 1]), 2, 'the first page and the last one');
  assert.equal(await ask(all), 1, 'adjacent pages are one request');
});

test('damage of any byte is CORRUPTION that names the file', async () => {
  const random = seededRandom(5);
  const rows: Row[] = Array.from({ length: 9_000 }, (_, ordinal) => ({ ordinal, values: [`text ${random(5_000)}`] }));
  const stored = await storeFiles([tableOf(rows, ['string'])]);
  const artefact = await build(stored, 1);
  const { key } = artefact.files[0]!;
  const bytes = (await stored.store.get(key))!.slice();
  const all = async (): Promise<number> => {
    const index = await openRange(readerOf(stored, artefact));
    return (await gathered(index.between({ low: null, lowInclusive: true, high: null, highInclusive: true }))).rows.length;
  };
  assert.equal(await all(), 9_000);
  for (let at = 0; at < bytes.length; at += 1 + random(Math.ceil(bytes.length / 60))) {
    const hurt = bytes.slice();
    hurt[at]! ^= 1 << random(8);
    await stored.store.put(key, hurt);
    await assert.rejects(all(), { code: 'CORRUPTION', message: new RegExp(key) }, `byte ${at}`);
  }
  await stored.store.delete(key);
  await assert.rejects(all(), { code: 'CORRUPTION', message: new RegExp(key) });
  await stored.store.put(key, bytes);
  for (const wrong of [{ rows: 8_999 }, { entries: 8_999 }, { entries: 0 }, { cutKeys: 1 }]) {
    const forged = { ...artefact, directory: { ...artefact.directory, ...wrong } };
    await assert.rejects(rangeKind.verify(readerOf(stored, forged)), { code: 'CORRUPTION' }, JSON.stringify(wrong));
  }
});

test('an index of nothing has no page and answers', async () => {
  const stored = await storeFiles([tableOf([{ ordinal: 1, values: [null] }], ['int32'])]);
  const index = await openRange(readerOf(stored, await build(stored, 1)));
  assert.deepEqual((await index.equal([1])).rows.length, 0);
  assert.deepEqual(await gathered(index.prefix('a')), { rows: [], isExact: true });
});

test('wanted: each list of keys of a declared range index or a constraint of uniqueness, once', () => {
  const definition = (kind: string, labelOrType: string, keys: string[], entity = 'node') => ({
    name: 'x',
    kind,
    entity,
    labelOrType,
    keys,
  });
  const catalog: Catalog = {
    labels: [],
    types: [],
    keys: [],
    indexes: [
      definition('range', 'A', ['x']),
      definition('text', 'A', ['t']),
      definition('range', 'R', ['w'], 'relationship'),
      definition('lookup', '', []),
    ],
    constraints: [
      definition('unique', 'B', ['x']),
      definition('key', 'B', ['_id', 'y']),
      definition('exists', 'A', ['z']),
      definition('unique', 'C', ['c']),
    ],
  };
  const subjects = (table: Parameters<typeof rangeKind.subjects>[0]['table']) => rangeKind.subjects({ table, files: [] }, catalog);
  assert.deepEqual(subjects({ kind: 'nodes', labels: ['A', 'B'] }), [{ keys: ['x'] }, { keys: ['_id', 'y'] }]);
  assert.deepEqual(subjects({ kind: 'relationships', type: 'R' }), [{ keys: ['w'] }]);
  assert.deepEqual(subjects({ kind: 'relationships', type: 'A' }), []);
});
