/** Wrong tokens and how long their answers wait. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../clock.ts';
import { type Logger, silentLogger } from '../logging.ts';
import { GuessDelays } from './guess-delays.ts';

function bench() {
  let nowMs = 1_000_000;
  let warnings = 0;
  const slept: number[] = [];
  const wakeUps: (() => void)[] = [];
  let isHeld = false;
  const clock: Clock = {
    now: () => nowMs,
    sleep: (ms) => {
      slept.push(ms);
      return isHeld ? new Promise((resolve) => wakeUps.push(resolve)) : Promise.resolve();
    },
  };
  const logger: Logger = { ...silentLogger, warn: () => void warnings++ };
  return {
    delays: new GuessDelays(clock, logger),
    slept,
    warnings: () => warnings,
    pass: (ms: number) => {
      nowMs += ms;
    },
    hold: () => {
      isHeld = true;
      return () => wakeUps.splice(0).forEach((wake) => wake());
    },
  };
}

async function guess(delays: GuessDelays, count: number, address = '10.0.0.1'): Promise<void> {
  for (let i = 0; i < count; i++) assert.equal(await delays.wrong(address), true);
}

test('answers to one address wait longer and longer, up to a limit, and one line is logged', async () => {
  const { delays, slept, warnings } = bench();
  await guess(delays, 10);
  assert.deepEqual(slept, []);
  await guess(delays, 9);
  assert.deepEqual(slept, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  await guess(delays, 10, '10.0.0.2');
  assert.equal(slept.length, 9, 'others are not held up');
  assert.equal(warnings(), 1);
});

test('a right token, and a minute without a wrong one, are a new beginning', async () => {
  const { delays, slept, pass } = bench();
  await guess(delays, 10);
  delays.right('10.0.0.1');
  await guess(delays, 10);
  pass(60_000);
  await guess(delays, 10);
  assert.deepEqual(slept, []);
  await guess(delays, 1);
  assert.deepEqual(slept, [100]);
});

test('few answers wait at a time, and addresses that are known are bounded', async () => {
  const { delays, hold } = bench();
  await guess(delays, 10);
  const release = hold();
  const waiting = Array.from({ length: 16 }, () => delays.wrong('10.0.0.1'));
  assert.equal(await delays.wrong('10.0.0.1'), false);
  release();
  assert.deepEqual(await Promise.all(waiting), Array(16).fill(true));
  for (let i = 0; i < 10_000; i++) await delays.wrong(`host-${i}`);
  await guess(delays, 10);
});

test('an IPv6 network is one address, and so are the two forms of one of IPv4', async () => {
  const { delays, slept } = bench();
  for (let i = 0; i < 5; i++) {
    await delays.wrong(`2001:db8:1:2::${i}`);
    await delays.wrong(`2001:db8:1:2:${i}:6:7:8`);
    await delays.wrong('192.0.2.7');
    await delays.wrong('::ffff:192.0.2.7');
  }
  assert.deepEqual(slept, []);
  await delays.wrong('2001:db8:1:2::abcd');
  await delays.wrong('192.0.2.7');
  await delays.wrong('2001:db8:1:3::1');
  assert.deepEqual(slept, [100, 100]);
});
