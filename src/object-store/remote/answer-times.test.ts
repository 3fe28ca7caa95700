import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerTimes } from './answer-times.ts';

const LONGEST_MS = 30_000;

function after(...answersMs: number[]): AnswerTimes {
  const times = new AnswerTimes({ longestMs: LONGEST_MS });
  for (const ms of answersMs) times.answered(ms);
  return times;
}

test('a store that answers soon is given a second, one that has shown nothing yet more', () => {
  assert.equal(after(30, 31, 29, 30).deadlineMs, 1_000);
  assert.equal(after().deadlineMs, 5_000);
});

test('a store that is slow throughout is given several times what it takes', () => {
  const { deadlineMs } = after(3_000, 3_100, 2_900, 3_000);
  assert.ok(deadlineMs > 3_300 && deadlineMs < 9_000, String(deadlineMs));
});

test('deadlines that pass double the next one, up to the longest; an answer ends that', () => {
  const times = after(30);
  const deadlines: number[] = [];
  for (let round = 0; round < 8; round++) {
    deadlines.push(times.deadlineMs);
    times.expired(times.deadlineMs);
  }
  assert.deepEqual(deadlines, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  times.answered(30);
  assert.equal(times.deadlineMs, 1_000);
});

test('requests that were sent with one deadline and are all unanswered double it once', () => {
  const times = after(30);
  for (let request = 0; request < 64; request++) times.expired(1_000);
  assert.equal(times.deadlineMs, 2_000);
});

test('at most a tenth of all requests is sent twice, but for the first ten', () => {
  const times = after();
  const take = (): number => {
    let taken = 0;
    while (times.takeHedge()) taken++;
    return taken;
  };
  assert.equal(take(), 10);
  for (let request = 0; request < 35; request++) times.answered(30);
  assert.equal(take(), 3);
});

test('what is no longer than usual is not asked twice', () => {
  assert.equal(after(30, 30, 30).hedgeMs, 100);
  const { hedgeMs } = after(200, 300, 200, 300, 200, 300);
  assert.ok(hedgeMs > 300 && hedgeMs < 1_000, String(hedgeMs));
});
