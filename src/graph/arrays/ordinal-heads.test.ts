import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RandomSource } from '../testing/random-source.ts';
import { OrdinalHeads } from './ordinal-heads.ts';

const LARGEST = 0xfffffffd;

test('it answers as a Map does, for keys that are scattered, close together, changed and removed', () => {
  const random = new RandomSource(19);
  const heads = new OrdinalHeads();
  const model = new Map<number, number>();
  const set = (key: number, value: number): void => {
    heads.set(key, value);
    model.set(key, value);
  };
  for (let i = 0; i < 5_000; i++) set(i, 3 * i);
  for (let i = 0; i < 3_000; i++) set(random.below(1_000_000), i);
  for (let i = 0; i < 3_000; i++) set(random.below(20_000), random.below(4) === 0 ? -1 : i);
  for (let i = 9_000; i > 7_000; i--) set(i, -2);
  for (const [key, value] of model) assert.equal(heads.get(key), value);
  for (let i = 0; i < 20_000; i++) assert.equal(heads.get(i), model.get(i) ?? -1);
  assert.equal(heads.get(LARGEST), -1);
});

test('a key that is removed and comes again is one key', () => {
  const heads = new OrdinalHeads();
  for (let i = 0; i < 1_000; i++) {
    heads.set(7, i);
    assert.equal(heads.get(7), i);
    heads.set(7, -1);
    assert.equal(heads.get(7), -1);
  }
});
