/** Large values on their way to another thread. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CypherDate, type Value } from '../../value/index.ts';
import { packRows, unpackRows } from './packed-rows.ts';
import { ReceivedValues, SentValues } from './repeated-values.ts';
import { sealInParts, unsealInParts } from './sealed-values.ts';

function ended<T>(work: Generator<void, T, void>): { result: T; stops: number } {
  for (let stops = 0; ; stops++) {
    const step = work.next();
    if (step.done === true) return { result: step.value, stops };
  }
}

test('a value is sealed and unsealed in parts, and is what it was', () => {
  const list: Value[] = Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? i : [null, new CypherDate(i)]));
  const value: Value[] = [
    list,
    'é😀'.repeat(50_000),
    new Map<string, Value>([
      ['k', list],
      ['', []],
    ]),
    -0,
    2n ** 62n,
    Array.from({ length: 100_000 }, (_, i) => (i === 50_000 ? -0 : i)),
    Array.from({ length: 20_000 }, (_, i) => (i < 19_000 ? i - 2 ** 31 : i / 3)),
    Array.from({ length: 5_000 }, (_, i) => (i % 100 === 99 ? 'text' : i * 2 ** 33)),
  ];
  const { result: sealed, stops } = ended(sealInParts(value));
  assert.ok(stops > 10, `${stops}`);
  assert.deepEqual(ended(unsealInParts(sealed)).result, value);
  assert.deepEqual(ended(unsealInParts(structuredClone(sealed))).result, value);
});

test('lists and maps that are alike go together, and come as they were', () => {
  const many = <T extends Value>(make: (i: number) => T, count = 3_000): Value[] => Array.from({ length: count }, (_, i) => make(i));
  const map = (...entries: (readonly [string, Value])[]): Value => new Map(entries);
  const value: Value[] = [
    many((i) => map(['id', i], ['v', i % 7 === 0 ? null : 'text'])),
    many((i) => (i % 2 === 0 ? map(['a', i], ['b', -0]) : map(['b', i], ['a', true]))),
    many((i) => [i, 2n ** 60n, i % 100 === 0 ? 'x'.repeat(1_000) : 'é😀']),
    many((i) => (i < 1_500 ? [] : map())),
    many((i) => [i, [i]]),
    many((i) => (i % 40 < 20 ? [i] : [i, i])),
    many((i) => Array.from({ length: 400 }, (_, k) => i + k), 40),
    many((i) => (i % 20 === 19 ? i : new Map([['0', i]]))),
  ];
  const { result: sealed } = ended(sealInParts(value));
  assert.deepEqual(ended(unsealInParts(structuredClone(sealed))).result, value);
});

test('a long value that rows share is sent once while it is remembered, and others come as they are', async () => {
  const long = (i: number): Value[] => Array.from({ length: 2000 }, (_, k) => i + k);
  const shared = [long(0), 'x'.repeat(200_000), long(1)];
  const rows = Array.from({ length: 12 }, (_, i): Value[] => [i, shared[i % 3]!, i % 5 === 0 ? long(i) : 'short', shared[0]!]);
  const [sent, received] = [new SentValues(), new ReceivedValues()];
  const limits = { deadline: Number.POSITIVE_INFINITY, signal: null };
  const batches = [rows.slice(0, 4), rows.slice(4, 6), rows.slice(6)];
  let parts = 0;
  const unpacked: unknown[] = [];
  for (const batch of batches) {
    const packed = structuredClone(await packRows(batch, limits, sent));
    parts += packed.rows.flat().filter((value) => typeof value === 'object' && value !== null && 'sealed' in value).length;
    unpacked.push(...(await unpackRows(packed, limits, received)));
  }
  assert.deepEqual(unpacked, rows);
  assert.ok(parts < 12, `${parts} values were sealed`);
});
