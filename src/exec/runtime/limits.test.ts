import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Limits } from './limits.ts';

/** Until the first look, and however long they take. */
const LEAST_STEPS = 64;
const MOST_STEPS = 16_384;

/** A signal that counts how often a statement asks whether it was cancelled, which it does at each look. */
function watched(): { readonly signal: AbortSignal; looks(): number } {
  let looks = 0;
  const signal = {
    get aborted() {
      looks++;
      return false;
    },
  };
  return { signal: signal as unknown as AbortSignal, looks: () => looks };
}

function begun(signal: AbortSignal | null = null): Limits {
  return new Limits({ deadline: Number.POSITIVE_INFINITY, signal }, performance.now());
}

function passMs(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('the first look at the clock comes after 64 steps, in a generator and in a function', () => {
  for (const count of [(limits: Limits) => limits.worked(1), (limits: Limits) => limits.count(1)]) {
    const { signal, looks } = watched();
    const limits = begun(signal);
    const before = looks();
    for (let step = 0; step < LEAST_STEPS; step++) count(limits);
    assert.equal(looks(), before);
    count(limits);
    assert.equal(looks(), before + 1);
  }
});

test('steps that take long are followed by a look soon, quick steps by one after more of them; the work is the same', () => {
  const limits = begun();
  let steps = 0;
  const untilLook = (): number => {
    const most = limits.left + 1;
    limits.worked(most);
    steps += most;
    return limits.left;
  };
  for (let look = 0; look < 12; look++) assert.ok(untilLook() <= MOST_STEPS);
  passMs(40);
  assert.ok(untilLook() <= MOST_STEPS / 8, `${limits.left} steps until the next look`);
  assert.equal(limits.ticks, steps / 65_536);
});

test('work that is counted at once is preceded by a look', () => {
  const { signal, looks } = watched();
  const limits = begun(signal);
  for (let look = 0; look < 3; look++) {
    const before = looks();
    limits.count(10_000_000);
    assert.equal(looks(), before + 1);
  }
});

test('a function that used up the slice of time makes the next step of its generator give way', () => {
  const limits = new Limits({ deadline: Number.POSITIVE_INFINITY, signal: null, sliceMs: 1 }, performance.now());
  passMs(2);
  limits.count(LEAST_STEPS + 1);
  assert.equal(limits.worked(1), true);
});
