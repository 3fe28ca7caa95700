import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_STEPS, Limits } from './limits.ts';

/** However long they take, so many steps lie between two looks. */
const LEAST_STEPS = 64;

function begun(): Limits {
  return new Limits({ deadline: Number.POSITIVE_INFINITY, signal: null }, performance.now());
}

function passMs(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a statement whose steps take long looks up after fewer of them, and the work that it did is the same', () => {
  const limits = begun();
  assert.equal(limits.quantum, FIRST_STEPS);
  let steps = 0;
  for (let look = 0; look < 2; look++) {
    const before = limits.quantum;
    steps += before;
    passMs(4);
    limits.tick();
    assert.ok(limits.quantum <= Math.max(LEAST_STEPS, before / 4), `${limits.quantum} steps after ${before}`);
  }
  assert.equal(limits.ticks, steps / 65_536);
});
