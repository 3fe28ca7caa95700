import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monotonicMs, scheduleAt, startTimer } from './index.ts';

/** Keeps the process alive until the work is done: the timers of the tests do not. */
async function alive<T>(work: Promise<T>): Promise<T> {
  const cancel = startTimer(60_000, () => {});
  try {
    return await work;
  } finally {
    cancel();
  }
}

test('work at a time begins when the clock has reached it, whatever the fraction of a millisecond', async () => {
  const now = monotonicMs();
  const early = await alive(
    Promise.all(
      Array.from({ length: 200 }, (_, i) => {
        const timeMs = now + i / 10;
        return new Promise<number>((resolve) => scheduleAt(timeMs, () => resolve(timeMs - monotonicMs())));
      }),
    ),
  );
  assert.deepEqual(
    early.filter((milliseconds) => milliseconds > 0),
    [],
  );
});

test('work at a time that is over begins in another turn; what is called off does not begin', async () => {
  const begun: string[] = [];
  await alive(
    new Promise<void>((resolve) => {
      scheduleAt(monotonicMs() + 2, () => begun.push('called off'))();
      scheduleAt(Number.POSITIVE_INFINITY, () => begun.push('never'));
      scheduleAt(monotonicMs() - 1, () => begun.push('late'));
      scheduleAt(monotonicMs() + 4, resolve);
      begun.push('first');
    }),
  );
  assert.deepEqual(begun, ['first', 'late']);
});
