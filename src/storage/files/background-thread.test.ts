import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { allocateBytes, pieces } from './background-thread.ts';

const MODULE = new URL('./background-thread.ts', import.meta.url).href;

test('pieces follow each other and cover the range', () => {
  assert.deepEqual(
    [...pieces(3, 10, 3)],
    [
      { from: 3, to: 6 },
      { from: 6, to: 9 },
      { from: 9, to: 10 },
    ],
  );
  assert.deepEqual([...pieces(4, 4, 3)], []);
});

test('a background thread has memory of its own, and sleeps between pieces of work; another thread does neither', async () => {
  assert.ok(allocateBytes(8) instanceof SharedArrayBuffer);
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     import('${MODULE}').then(({ allocateBytes, becomeBackgroundThread, pauseIfDue }) => {
       let pauses = 0;
       Atomics.wait = () => { pauses++; };
       const work = () => { const start = performance.now(); while (performance.now() < start + 2); pauseIfDue(); };
       work();
       const asOthers = [allocateBytes(8).constructor.name, pauses];
       becomeBackgroundThread();
       work();
       parentPort.postMessage([asOthers, [allocateBytes(8).constructor.name, pauses]]);
     });`,
    { eval: true },
  );
  const [told] = await once(worker, 'message');
  await worker.terminate();
  assert.deepEqual(told, [
    ['SharedArrayBuffer', 0],
    ['ArrayBuffer', 1],
  ]);
});
