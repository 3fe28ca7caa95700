import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadPool } from './read-pool.ts';

test('memory that is given back is used again for reads of about its length, by one at a time', () => {
  const pool = new ReadPool();
  const first = pool.take(100_000);
  const second = pool.take(100_000);
  assert.notEqual(first.buffer, second.buffer);
  assert.ok(first.buffer instanceof SharedArrayBuffer);
  pool.giveBack(first);
  const again = pool.take(70_000);
  assert.deepEqual([again.length, again.buffer === first.buffer], [70_000, true]);
  assert.notEqual(pool.take(100_000).buffer, first.buffer);
  pool.giveBack(again);
  assert.notEqual(pool.take(5_000).buffer, first.buffer);
  assert.notEqual(pool.take(1_000_000).buffer, first.buffer);
});
