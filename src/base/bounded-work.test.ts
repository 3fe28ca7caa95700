import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptWork, boundedPieces, boundedWork, countWork } from './bounded-work.ts';

const FOR_EVER = Number.POSITIVE_INFINITY;

function endless(): never {
  for (;;) countWork(100);
}

test('work beyond the deadline ends', () => {
  assert.throws(() => boundedWork(0, endless), { code: 'QUERY_TIMEOUT' });
});

test('work without a deadline ends too', () => {
  assert.throws(() => boundedWork(FOR_EVER, endless), { code: 'UNSUPPORTED', message: /too large/ });
  assert.throws(() => boundedWork(FOR_EVER, () => countWork(Number.MAX_SAFE_INTEGER)), { code: 'UNSUPPORTED' });
});

test('what was done before, or outside, does not count', () => {
  const much = (): void => countWork(2_000_000);
  for (let i = 0; i < 5; i++) boundedWork(FOR_EVER, much);
  for (let i = 0; i < 5; i++) much();
  boundedWork(FOR_EVER, much);
});

test('pieces of one work count together', () => {
  const within = boundedPieces(FOR_EVER, { mostSteps: 100_000 });
  for (let i = 0; i < 9; i++) within(() => countWork(10_000));
  assert.throws(() => within(() => countWork(20_000)), { code: 'UNSUPPORTED' });
  boundedWork(FOR_EVER, () => countWork(90_000), { mostSteps: 100_000 });
});

test('work inside of work counts with it, and a stack that is full is the fault of the statement', () => {
  assert.throws(
    () =>
      boundedWork(FOR_EVER, () => {
        for (;;) boundedWork(FOR_EVER, () => countWork(100_000));
      }),
    { code: 'UNSUPPORTED', message: /too large/ },
  );
  const deeper = (): number => deeper() + 1;
  assert.throws(() => boundedWork(FOR_EVER, deeper), { code: 'UNSUPPORTED', message: /too deeply nested/ });
});

test('a text that is too long for V8 is a matter of memory', () => {
  assert.throws(() => boundedWork(FOR_EVER, () => 'x'.repeat(2 ** 30)), { code: 'MEMORY_LIMIT' });
});

test('work that is attempted is given up beyond its steps, and fails as other work does', () => {
  assert.equal(attemptWork(FOR_EVER, 10_000, endless), null);
  const done = {};
  const little = (): object => {
    countWork(5_000);
    return done;
  };
  assert.equal(attemptWork(FOR_EVER, 10_000, little), done);
  assert.throws(() => attemptWork(0, 10_000, endless), { code: 'QUERY_TIMEOUT' });
  assert.throws(() => boundedWork(FOR_EVER, endless, { mostSteps: 10_000 }), { code: 'UNSUPPORTED', message: /too large/ });
});
