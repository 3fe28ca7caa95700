import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CypherDate, CypherFloat, isIn, type Value } from '../../../value/index.ts';
import { inList } from './list-membership.ts';

const uncounted = { countElements: () => undefined, keepMembers: () => true };

const values = fc.oneof(
  fc.constantFrom<Value>(null, true, false, '', '1', 0, 1, 1.5, Number.NaN, 2 ** 60, 2n ** 60n, 2n ** 60n + 1n, new CypherFloat(1)),
  fc.constantFrom<Value>(new CypherFloat(-0), new CypherFloat(Number.NaN), new CypherDate(1), [1], [null], new Map([['a', 1]])),
  fc.integer({ min: -3, max: 3 }),
  fc.string({ maxLength: 1 }),
);

test('a long list that is asked again answers as it did the first time, and as a search does', () => {
  fc.assert(
    fc.property(fc.array(values, { minLength: 30, maxLength: 60 }), fc.array(values, { minLength: 4, maxLength: 12 }), (list, asked) => {
      for (const value of asked) {
        assert.equal(inList(value, list, uncounted), isIn(value, list));
        assert.equal(inList(value, [...list], { ...uncounted, keepMembers: () => false }), isIn(value, list));
      }
    }),
    { numRuns: 500 },
  );
});

test('a list has no hash sets where there is no memory for them', () => {
  const list: Value[] = Array.from({ length: 40 }, (_, i) => i);
  const asked: number[] = [];
  const counter = { countElements: () => undefined, keepMembers: (count: number) => asked.push(count) < 0 };
  for (let round = 0; round < 3; round++) {
    assert.equal(inList(39, list, counter), true);
    assert.equal(inList(40, list, counter), false);
  }
  assert.deepEqual(new Set(asked), new Set([40]));
});

test('a list that has grown is known anew', () => {
  const list: Value[] = Array.from({ length: 40 }, (_, i) => i);
  assert.equal(inList('x', list, uncounted), false);
  assert.equal(inList('x', list, uncounted), false);
  list.push('x');
  assert.equal(inList('x', list, uncounted), true);
});
