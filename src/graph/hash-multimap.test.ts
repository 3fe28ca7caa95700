import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HashMultimap } from './hash-multimap.ts';

test('values of a hash stand in the order in which they came', () => {
  const map = new HashMultimap();
  for (const value of [5, 3, 9, 7, 1, 8]) map.add(42, value);
  assert.deepEqual(valuesOf(map, 42), [5, 3, 9, 7, 1, 8]);
  assert.deepEqual(valuesOf(map, 43), []);
});

test('what is added again does not make a short list longer', () => {
  const map = new HashMultimap();
  for (let i = 0; i < 1_000; i++) for (const value of [1, 2]) map.add(7, value);
  assert.deepEqual(valuesOf(map, 7), [1, 2]);
  assert.equal(map.size, 2);
});

function valuesOf(map: HashMultimap, hash: number): number[] {
  const values: number[] = [];
  for (let entry = map.first(hash); entry >= 0; entry = map.next(entry)) values.push(map.value(entry));
  return values;
}
