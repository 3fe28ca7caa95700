/** Mutual exclusion: order, failures, and waiting that is given up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mutex } from './mutex.ts';
import { nextTurn } from './timers.ts';

test('tasks run one after the other, in the order of asking, whatever becomes of them', async () => {
  const mutex = new Mutex();
  const events: string[] = [];
  const task = (name: string, fails = false): Promise<void> =>
    mutex.with(async () => {
      events.push(`${name} begins`);
      await nextTurn();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
    });
  const outcomes = await Promise.allSettled([task('a'), task('b', true), task('c')]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(events, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  assert.equal(mutex.tryAcquire(), true);
});

test('one that gives up waiting is passed over', async () => {
  const mutex = new Mutex('no turn for you');
  await mutex.acquire();
  assert.equal(mutex.tryAcquire(), false);
  const impatience = new AbortController();
  const first = mutex.acquire(impatience.signal);
  const second = mutex.acquire();
  assert.equal(mutex.waiting, 2);
  impatience.abort();
  await assert.rejects(first, { code: 'CANCELLED', message: 'no turn for you' });
  await assert.rejects(mutex.acquire(impatience.signal), { code: 'CANCELLED' });
  mutex.release();
  await second;
  mutex.release();
  assert.equal(mutex.tryAcquire(), true);
});
