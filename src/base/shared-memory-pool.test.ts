import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SharedMemoryPool } from './shared-memory-pool.ts';

const STEP = 1024;

function poolOf(mostSpareBytes: number): SharedMemoryPool {
  return new SharedMemoryPool({
    sizeFor: (bytes) => Math.ceil(bytes / STEP) * STEP,
    largestFor: (bytes) => 4 * bytes,
    mostSpareBytes,
  });
}

test('what is given back serves again, the smallest that fits, by one at a time', () => {
  const pool = poolOf(Number.POSITIVE_INFINITY);
  const large = pool.take(3000);
  const small = pool.take(2000);
  assert.deepEqual([large.byteLength, small.byteLength], [3072, 2048]);
  pool.giveBack(large);
  pool.giveBack(small);
  assert.equal(pool.take(1900), small);
  assert.equal(pool.take(1900), large);
  assert.equal(pool.takeSpare(1900), null);
  assert.equal(pool.take(1900).byteLength, 2048);
});

test('a buffer that is much larger than what is asked for stays spare', () => {
  const pool = poolOf(Number.POSITIVE_INFINITY);
  const large = pool.take(8 * STEP);
  pool.giveBack(large);
  assert.equal(pool.takeSpare(2 * STEP - 1), null);
  assert.equal(pool.takeSpare(2 * STEP), large);
});

test('beyond the most spare bytes those given back first are dropped', () => {
  const pool = poolOf(3 * STEP);
  const buffers = [STEP, STEP, STEP, STEP].map((bytes) => pool.take(bytes));
  for (const buffer of buffers) pool.giveBack(buffer);
  const kept = [pool.takeSpare(STEP), pool.takeSpare(STEP), pool.takeSpare(STEP)];
  assert.deepEqual(new Set(kept), new Set(buffers.slice(1)));
  assert.equal(pool.takeSpare(STEP), null);
  pool.giveBack(pool.take(4 * STEP));
  assert.equal(pool.takeSpare(4 * STEP), null);
});

test('nothing is given back twice', () => {
  const pool = poolOf(Number.POSITIVE_INFINITY);
  const buffer = pool.take(1);
  pool.giveBack(buffer);
  assert.throws(() => pool.giveBack(buffer), { code: 'INTERNAL' });
});

test('whatever is taken and given back, nobody gets what another one has, and each gets enough', () => {
  const step = fc.oneof(fc.record({ take: fc.integer({ min: 1, max: 20 * STEP }) }), fc.record({ giveBack: fc.nat() }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const pool = poolOf(40 * STEP);
      const taken: SharedArrayBuffer[] = [];
      for (const each of steps) {
        if ('take' in each) {
          const buffer = pool.take(each.take);
          assert.ok(buffer.byteLength >= each.take && !taken.includes(buffer));
          taken.push(buffer);
        } else if (taken.length > 0) pool.giveBack(taken.splice(each.giveBack % taken.length, 1)[0]!);
      }
    }),
  );
});
