import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImageMemory } from './image-memory.ts';

test('memory that is given back is used again, zeroed; what is in use is not, and what is too small is replaced', () => {
  const told: SharedArrayBuffer[] = [];
  const pool = new ImageMemory((place, buffer) => (told[place] = buffer));
  const first = pool.take(1000).fill(1);
  const second = pool.take(500);
  assert.notEqual(second.buffer, first.buffer);
  assert.deepEqual([pool.placeOf(first), pool.placeOf(second), pool.placeOf(new Uint8Array(1))], [0, 1, undefined]);
  pool.giveBack(first);
  const again = pool.take(900);
  assert.equal(again.buffer, first.buffer);
  assert.equal(
    again.findIndex((byte) => byte !== 0),
    -1,
  );
  pool.giveBack(again);
  const larger = pool.take(2 ** 21);
  assert.deepEqual([larger.length, pool.placeOf(larger), told.length], [2 ** 21, 0, 2]);
  assert.equal(told[0], larger.buffer);
});
