import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashKey, hashKeyOf, INT64_MAX, makeFloat, NodeValue } from '../../../value/index.ts';
import {
  Averages,
  Counts,
  IntegerSet,
  IntegerSums,
  JoinTable,
  KeyGroups,
  KeySet,
  NodeJoinCounts,
  NodeJoinTable,
  OrdinalGroups,
} from './groups.ts';
import type { MemoryAccount } from './memory-account.ts';
import { OrdinalMap, OrdinalSet } from './ordinal-map.ts';

const free = { charge: () => undefined, chargeBytes: () => undefined, chargeValues: () => undefined } as unknown as MemoryAccount;

test('groups by ordinal keep dense numbers, with null as a key of its own', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 3000 }), { maxLength: 600 }), (keys) => {
      const groups = new OrdinalGroups();
      const expected = new Map<number, number>();
      for (const key of keys) {
        const group = groups.of(key) >= 0 ? groups.found : groups.add(key, [key], free);
        if (!expected.has(key)) expected.set(key, expected.size);
        assert.equal(group, expected.get(key));
        assert.deepEqual(groups.fields(group), [key]);
      }
      assert.equal(groups.size, expected.size);
    }),
  );
});

test('groups by key tell apart what a Map tells apart', () => {
  const groups = new KeyGroups();
  const add = (key: string | number | null): number => (groups.of(key) >= 0 ? groups.found : groups.add(key, [], free));
  assert.deepEqual([add('1'), add(1), add(null), add('1'), add(Number.NaN), add(Number.NaN)], [0, 1, 2, 0, 3, 3]);
});

test('an ordinal map and set agree with a Map and a Set', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 100_000 }), fc.nat(1000)), { maxLength: 400 }), (entries) => {
      const map = new OrdinalMap();
      const set = new OrdinalSet();
      const expected = new Map<number, number>();
      for (const [key, value] of entries) {
        assert.equal(set.add(key), !expected.has(key));
        expected.set(key, value);
        map.set(key, value);
      }
      for (const [key, value] of expected) assert.equal(map.get(key), value);
      for (let key = 0; key < 200; key++) {
        assert.equal(map.get(key) >= 0, expected.has(key));
        assert.equal(set.has(key), expected.has(key));
      }
      assert.equal(set.size, expected.size);
    }),
  );
});

test('an ordinal set that became a bitmap still knows everything', () => {
  const set = new OrdinalSet();
  for (let i = 0; i < 5000; i += 2) assert.equal(set.add(i), true);
  assert.equal(set.add(-1), true);
  assert.equal(set.add(-1), false);
  for (let i = 0; i < 5000; i++) assert.equal(set.add(i), i % 2 === 1);
  assert.equal(set.add(1_000_000), true);
  assert.equal(set.has(1_000_000), true);
});

test('counts and sums grow with their groups, and sums are exact to the 64th bit', () => {
  const counts = new Counts();
  counts.add(1000, 1);
  assert.deepEqual([counts.get(0), counts.get(1000), counts.get(5000)], [0, 1, 0]);
  const sums = new IntegerSums();
  sums.add(0, Number.MAX_SAFE_INTEGER);
  sums.add(0, 2);
  sums.add(7, -3);
  assert.deepEqual([sums.get(0), sums.get(7), sums.get(3)], [9007199254740993n, -3, 0]);
  sums.add(1, INT64_MAX);
  sums.add(1, 1);
  assert.throws(() => sums.get(1), { code: 'ARITHMETIC_ERROR' });
});

test('a join key that holds null or NaN, in a list too, joins nothing', () => {
  const table = new JoinTable({ hashKey, hashKeyOf }, free);
  for (const key of [Number.NaN, [1, Number.NaN], [[null]], new Map([['a', null]])]) {
    table.insertOne(key, ['one']);
    table.insert([key, 1], ['two']);
    assert.deepEqual([table.findOne(key), table.find([key, 1])], [[], []]);
  }
  table.insert([1, 'a'], ['x']);
  table.insert([1, null], ['y']);
  assert.deepEqual(table.find([1, 'a']), [['x']]);
  assert.deepEqual(table.find([1, null]), []);
  assert.deepEqual(table.find([2, 'a']), []);
});

test('a key set adds each key once', () => {
  const set = new KeySet();
  assert.deepEqual([set.add('a'), set.add('a'), set.add(null), set.add(null)], [true, false, true, false]);
});

test('a set of integers holds what a Set holds, whatever their size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer(), fc.maxSafeInteger(), fc.constant(null)), { maxLength: 200 }),
      (keys) => {
        const set = new IntegerSet();
        const expected = new Set<number | null>();
        for (const key of keys) {
          assert.equal(set.add(key), !expected.has(key));
          expected.add(key);
        }
        assert.equal(set.size, expected.size);
      },
    ),
  );
});

test('rows are joined on a node, and null or another value with none', () => {
  const table = new NodeJoinTable();
  table.insert(7, ['a']);
  table.insert(9, ['b']);
  table.insert(7, ['c']);
  table.insert(-1, ['d']);
  assert.deepEqual([table.find(7), table.find(8), table.find(-1)], [[['a'], ['c']], [], []]);
  assert.deepEqual([table.findValue(new NodeValue(9)), table.findValue(9), table.findValue(null)], [[['b']], [], []]);
});

test('rows of nothing but the node that they are joined on are counted, null and other values not', () => {
  const counts = new NodeJoinCounts();
  for (const ordinal of [7, 9, -1, 7]) counts.insert(ordinal);
  assert.deepEqual(
    [7, 8, -1].map((ordinal) => counts.find(ordinal)),
    [2, 0, 0],
  );
  assert.deepEqual(
    [new NodeValue(9), 9, null].map((value) => counts.findValue(value)),
    [1, 0, 0],
  );
});

test('parts of a mean are exact where their sum is not safe', () => {
  const mean = new Averages(new IntegerSums());
  mean.addPart(0, Number.MAX_SAFE_INTEGER, 2);
  mean.addPart(0, Number.MAX_SAFE_INTEGER, 2);
  mean.add(0, 2);
  assert.deepEqual(mean.get(0), makeFloat(2 ** 54 / 5));
});
