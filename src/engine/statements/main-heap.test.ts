import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Runtime } from '../../exec/index.ts';
import { type HeapHolder, MainHeap } from './main-heap.ts';

/** Enough looks at the clock for one at the heap. */
const LOOKS = 16;

function holderOf(bytes: number): HeapHolder {
  return { runtime: { memory: { used: bytes } } as Runtime, isKnown: false, mustEnd: false }; // as: nothing else of it is looked at
}

function lookOften(heap: MainHeap, holder: HeapHolder): void {
  for (let look = 0; look < LOOKS; look++) heap.look(holder);
}

test('a heap that is full after a collection ends the statement that holds most, whichever looks', () => {
  let usedBytes = 100;
  const heap = new MainHeap(() => ({ usedBytes, limitBytes: 1000 }));
  const [small, large] = [holderOf(10), holderOf(500)];
  lookOften(heap, small);
  lookOften(heap, large);
  usedBytes = 900;
  lookOften(heap, small);
  assert.throws(() => heap.look(large), { code: 'MEMORY_LIMIT' });
  usedBytes = 400;
  lookOften(heap, small);
});

test('while the largest does not end the next one is chosen, and at last the one that looks', () => {
  const heap = new MainHeap(() => ({ usedBytes: 900, limitBytes: 1000 }));
  const [large, looking] = [holderOf(500), holderOf(10)];
  heap.look(large);
  lookOften(heap, looking);
  assert.ok(large.mustEnd);
  const lookOn = (): void => {
    for (let round = 0; round < 100; round++) lookOften(heap, looking);
  };
  assert.throws(lookOn, { code: 'MEMORY_LIMIT' });
});

test('garbage ends nobody', () => {
  let measured = 0;
  const heap = new MainHeap(() => ({ usedBytes: measured++ % 2 === 0 ? 900 : 100, limitBytes: 1000 }));
  lookOften(heap, holderOf(10));
  assert.ok(measured >= 2);
});
