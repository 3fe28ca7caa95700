/** Reads of one turn that lie near each other are one request; what each gets is the same as alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withMetrics } from '../../object-store/index.ts';
import { freshStore } from '../testing/test-store.ts';
import { JoinedReads } from './joined-reads.ts';

const FILE_BYTES = 2_000_000;

function pseudorandom(seed: number) {
  let state = seed;
  const between = (low: number, high: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return low + Math.floor((state / 2 ** 32) * (high - low + 1));
  };
  return { between };
}

async function metered() {
  const { store, metrics } = withMetrics(freshStore());
  const bytes = Uint8Array.from({ length: FILE_BYTES }, (_, at) => (at * 7 + (at >> 8)) & 255);
  await store.put('data/a', bytes);
  await store.put('data/b', bytes.toReversed());
  return { store, bytes, reads: metrics.operations.readInto };
}

test('ranges side by side, near each other and one within another are one request', async () => {
  const { store, bytes, reads } = await metered();
  const joined = new JoinedReads(store);
  const ranges = [
    [1_000, 500],
    [0, 1_000],
    [200, 100],
    [50_000, 10],
    [600_000, 1_000],
    [700_000, 1_000],
  ] as const;
  const targets = ranges.map(([, length]) => new Uint8Array(length));
  const counts = await Promise.all(ranges.map(([offset], i) => joined.readInto('data/a', offset, targets[i]!)));
  assert.deepEqual(
    counts,
    ranges.map(([, length]) => length),
  );
  for (const [i, [offset, length]] of ranges.entries()) assert.deepEqual(targets[i], bytes.slice(offset, offset + length));
  assert.deepEqual([reads.requests, reads.bytesRead], [3, 50_010 + 2_000]);
});

test('reads of other files, of other turns, and those too large together are requests of their own', async () => {
  const { store, reads } = await metered();
  const joined = new JoinedReads(store);
  await Promise.all(['data/a', 'data/b'].map((key) => joined.readInto(key, 0, new Uint8Array(10))));
  assert.equal(reads.requests, 2);
  for (const offset of [0, 10]) await joined.readInto('data/a', offset, new Uint8Array(10));
  assert.equal(reads.requests, 4);
  await store.put('data/large', new Uint8Array(9 * 2 ** 20));
  await Promise.all(Array.from({ length: 9 }, (_, i) => joined.readInto('data/large', i * 2 ** 20, new Uint8Array(2 ** 20))));
  assert.equal(reads.requests, 7, 'four, four and one MiB');
});

test('each gets what a read by itself gets: at the end of a file, of none, and where the store fails', async () => {
  const { store, bytes } = await metered();
  const joined = new JoinedReads(store);
  const random = pseudorandom(5);
  for (let round = 0; round < 50; round++) {
    const ranges = Array.from({ length: random.between(1, 20) }, () => ({
      offset: random.between(random.between(0, 1) === 0 ? 0 : FILE_BYTES - 100_000, FILE_BYTES - 1),
      target: new Uint8Array(random.between(1, 60_000)),
    }));
    const counts = await Promise.all(ranges.map(({ offset, target }) => joined.readInto('data/a', offset, target)));
    for (const [i, { offset, target }] of ranges.entries()) {
      assert.equal(counts[i], Math.min(target.length, FILE_BYTES - offset));
      assert.deepEqual(target.subarray(0, counts[i]!), bytes.subarray(offset, offset + counts[i]!));
    }
  }
  assert.deepEqual(await Promise.all([0, 10].map((offset) => joined.readInto('data/none', offset, new Uint8Array(10)))), [null, null]);
  const failing = new JoinedReads({ ...store, readInto: () => Promise.reject(new Error('down')) });
  const failed = await Promise.allSettled([0, 10].map((offset) => failing.readInto('data/a', offset, new Uint8Array(10))));
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});
