import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlushMode } from './flush-mode.ts';

/** Flushes `count` times; returns for each whether it was in place. */
function flush(mode: FlushMode, count: number, times: { inPlaceMs: number; poolMs: number }): boolean[] {
  return Array.from({ length: count }, () => {
    const inPlace = mode.chooseInPlace();
    mode.note(inPlace ? times.inPlaceMs : times.poolMs, { inPlace });
    return inPlace;
  });
}

test('a fast disk is found out, however long the way through the pool takes; then the event loop has its turns', async () => {
  const mode = new FlushMode();
  const first = flush(mode, 8, { inPlaceMs: 0.2, poolMs: 0.9 });
  assert.deepEqual(first, [false, false, false, false, false, false, false, true]);
  const then = flush(mode, 40, { inPlaceMs: 0.2, poolMs: 0.9 });
  assert.deepEqual(then, [...Array(11).fill(true), ...Array(29).fill(false)]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(flush(mode, 3, { inPlaceMs: 0.2, poolMs: 0.9 }), [true, true, true]);
});

test('a slow disk never holds up the event loop', async () => {
  const mode = new FlushMode();
  flush(mode, 16, { inPlaceMs: 4, poolMs: 4 });
  assert.ok(flush(mode, 100, { inPlaceMs: 4, poolMs: 4 }).every((inPlace) => !inPlace));
});

test('a disk that becomes slow, and fast again', async () => {
  const mode = new FlushMode();
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const flushes = async (count: number, times: { inPlaceMs: number; poolMs: number }): Promise<void> => {
    for (let done = 0; done < count; done++) {
      flush(mode, 1, times);
      await turn();
    }
  };
  await flushes(20, { inPlaceMs: 0.2, poolMs: 0.3 });
  assert.ok(mode.chooseInPlace());
  await flushes(20, { inPlaceMs: 3, poolMs: 3 });
  assert.ok(!mode.chooseInPlace());
  await flushes(200, { inPlaceMs: 0.2, poolMs: 0.3 });
  assert.ok(mode.chooseInPlace());
});
