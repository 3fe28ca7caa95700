/** GRAPHDB_SST_CACHE: what it says, and that engines which open the same namespace share what they have read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openObjectStore, parseStorageUri, withMetrics } from '../../object-store/index.ts';
import { SstCache } from '../../storage/index.ts';
import { openEngine } from '../index.ts';
import { parseSstCacheBudget } from './sst-cache.ts';

const none = new Map();

test('the flag: off, on, or a size', () => {
  const budgets = ['0', 'OFF', 'off', undefined, '', '1', 'ON', 'yes', '2', '512MiB', '1GiB'].map((text) => parseSstCacheBudget(text));
  const [mebibyte, standard] = [2 ** 20, 128 * 2 ** 20];
  assert.deepEqual(budgets, [0, 0, 0, ...Array<number>(6).fill(standard), 512 * mebibyte, 1024 * mebibyte]);
});

test('two versions of one namespace fetch what they share once', async () => {
  const uri = 'memory://sst-cache';
  const writer = await openEngine(uri, {}, { sstCache: null });
  await writer.execute("UNWIND range(1, 30000) AS i CREATE (:A {k: i, s: 'text ' + i})", none);
  await writer.flush();
  const version = writer.status().manifestVersion;
  await writer.execute('CREATE (:A {k: 0})', none);
  await writer.flush();
  const requests = async (sstCache: SstCache | null): Promise<number[]> => {
    const counts: number[] = [];
    for (const at of [version, undefined, version]) {
      const { store, metrics } = withMetrics(await openObjectStore(parseStorageUri(uri)));
      const engine = await openEngine(uri, { readOnly: true, version: at }, { sstCache, decorateStore: () => store });
      const before = metrics.operations.get.requests;
      const [[sum, texts] = []] = (await engine.execute('MATCH (a:A) RETURN sum(a.k), count(a.s)', none)).rows;
      assert.deepEqual([sum, texts], [450_015_000, 30_000]);
      counts.push(metrics.operations.readInto.requests + metrics.operations.get.requests - before);
      await engine.close();
    }
    return counts;
  };
  const [first, newer, again] = await requests(new SstCache(2 ** 26));
  assert.ok(first! > newer! && newer! > 0 && again === 0, `${first}, ${newer}, ${again} requests`);
  const [firstOff, , againOff] = await requests(null);
  assert.deepEqual([firstOff, againOff], [first, first]);
  await writer.close();
});
