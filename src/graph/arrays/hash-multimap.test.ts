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

test('many at once are the same as one after the other, with room made before or not', () => {
  const entries = Array.from(
    { length: 5_000 },
    (_, i) => [i % 11 === 0 ? 0xffffffff - (i % 3) : Math.imul(i % 3_000, 0x9e3779b1) >>> 0, i % 1_000] as const,
  );
  const single = new HashMultimap();
  for (const [hash, value] of entries) single.add(hash, value);
  for (const reserved of [0, 5_000]) {
    const together = new HashMultimap();
    together.reserve(reserved, reserved);
    for (let from = 0; from < entries.length; from += 700) {
      const some = entries.slice(from, from + 700);
      together.addAll(
        Uint32Array.from(some, ([hash]) => hash),
        Uint32Array.from(some, ([, value]) => value),
        some.length,
      );
    }
    assert.equal(together.size, single.size);
    for (const [hash] of entries) assert.deepEqual(valuesOf(together, hash), valuesOf(single, hash));
    assert.deepEqual([...together.valuesBeforeOthers()], [...single.valuesBeforeOthers()]);
  }
});

test('values before others are those of lists with several', () => {
  const map = new HashMultimap();
  for (const [hash, value] of [
    [1, 10],
    [2, 20],
    [1, 11],
    [3, 30],
    [1, 12],
    [2, 20],
  ] as const)
    map.add(hash, value);
  assert.deepEqual([...map.valuesBeforeOthers()], [10, 11]);
});

function valuesOf(map: HashMultimap, hash: number): number[] {
  const values: number[] = [];
  for (let entry = map.first(hash); entry >= 0; entry = map.next(entry)) values.push(map.value(entry));
  return values;
}
