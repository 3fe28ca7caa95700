/** The cache of SST data: what it holds, what it drops, and that it never stands in for something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MeteredStore, withMetrics } from '../../object-store/index.ts';
import type { SstFile } from '../api.ts';
import { openWriterNamespace } from '../open-namespace.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { appendAll, freshStore } from '../testing/test-store.ts';
import { SstCache } from './sst-cache.ts';
import { openSstReader } from './sst-reader.ts';

test('what was used least recently goes first, within the budget', () => {
  const cache = new SstCache(100);
  for (const name of ['a', 'b', 'c', 'd', 'e']) cache.put(name, new Uint8Array(20).fill(name.charCodeAt(0)));
  assert.equal(cache.get('a')?.[0], 97);
  cache.put('f', new Uint8Array(10));
  assert.deepEqual(
    ['a', 'b', 'c', 'f'].map((name) => cache.get(name)?.length),
    [20, undefined, 20, 10],
  );
  assert.deepEqual([cache.bytes, cache.hits, cache.misses], [90, 4, 1]);
});

test('what is large beside the budget is not kept, and the caller’s array not either', () => {
  const cache = new SstCache(100);
  cache.put('large', new Uint8Array(26));
  assert.equal(cache.get('large'), undefined);
  const bytes = Uint8Array.of(1, 2, 3);
  cache.put('a', bytes);
  bytes[0] = 9;
  cache.put('a', bytes);
  assert.deepEqual([cache.get('a'), cache.bytes], [Uint8Array.of(1, 2, 3), 3]);
});

/** A file that is read whole, and one that is read by column. */
async function twoFiles(): Promise<{ metered: MeteredStore; files: readonly SstFile[] }> {
  const metered = withMetrics(freshStore());
  const writer = await openWriterNamespace(metered.store, { name: 'cache' });
  await appendAll(writer, 1, 1);
  const { ssts } = await writer.publish({
    add: [sampleTable(100), { ...sampleTable(20_000), labels: ['Large'] }],
    remove: [],
    sequence: 1,
  });
  await writer.close();
  assert.ok(ssts[0]!.bytes < 100_000 && ssts[1]!.bytes > 500_000, 'a small file and a large one');
  return { metered, files: ssts };
}

async function readAll({ store }: MeteredStore, files: readonly SstFile[], entries: SstCache | null): Promise<unknown[]> {
  const cache = entries && { entries, location: store.location };
  const read: unknown[] = [];
  for (const file of files) {
    const reader = openSstReader(store, file, cache);
    for (const { name } of file.columns) read.push(await reader.readColumn(name));
  }
  return read;
}

function requestsOf({ metrics }: MeteredStore): number {
  return metrics.operations.get.requests + metrics.operations.readInto.requests;
}

test('what was read once needs no second request, and is the same; of any size of the cache', async () => {
  const { metered, files } = await twoFiles();
  const expected = await readAll(metered, files, null);
  const once = requestsOf(metered);
  for (const [budget, again] of [
    [2 ** 30, 0],
    [300_000, once],
    [1, once],
  ] as const) {
    const cache = new SstCache(budget);
    assert.deepEqual(await readAll(metered, files, cache), expected);
    const before = requestsOf(metered);
    assert.deepEqual(await readAll(metered, files, cache), expected);
    const requests = requestsOf(metered) - before;
    assert.ok(again === 0 ? requests === 0 : requests > 0, `${requests} requests with ${budget} bytes`);
    assert.ok(cache.bytes <= budget);
  }
});

test('damage is not kept, nor does a file pass for another one in its place', async () => {
  const { metered, files } = await twoFiles();
  const { store } = metered;
  const [, large] = files;
  const name = large!.columns[1]!.name;
  const whole = (await store.get(large!.key))!;
  const entries = new SstCache(2 ** 30);
  const cache = { entries, location: store.location };
  await store.put(
    large!.key,
    whole.map((byte) => byte ^ 1),
  );
  await assert.rejects(openSstReader(store, large!, cache).readColumn(name), { code: 'CORRUPTION' });
  assert.equal(entries.bytes, 0);
  await store.put(large!.key, whole);
  const column = await openSstReader(store, large!, cache).readColumn(name);
  assert.ok(entries.bytes > 0);
  const layout = await openSstReader(store, large!, cache).readLayout();
  const blocks = layout.blocks.map((block) => ({
    ...block,
    buffers: block.buffers.map(([at, length, crc]) => [at, length, crc ^ 1] as const),
  }));
  const other = { ...large!, layout: { ...layout, blocks } };
  await assert.rejects(openSstReader(store, other, cache).readColumn(name), { code: 'CORRUPTION' });
  assert.deepEqual(await openSstReader(store, large!, cache).readColumn(name), column);
});
