/**
 * Puts whose outcome a store refuses to tell, since credentials have expired or a folder is gone: they end, and what
 * they left open is settled later.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intercept, type ObjectStore, storeUnavailable } from '../object-store/index.ts';
import type { Namespace } from './api.ts';
import { openNamespace } from './open-namespace.ts';
import { sampleTable } from './testing/sample-table.ts';
import { appendAll, commit, freshStore, TestClock, textOf } from './testing/test-store.ts';

interface Setting {
  readonly bucket: ObjectStore;
  /** Refuses every request from the next put with this prefix on, which is carried out (`stores`) or not; '' lets all through. */
  readonly refuseFrom: (prefix: string, stores?: boolean) => void;
  readonly open: () => Promise<Namespace>;
}

function setting(): Setting {
  const bucket = freshStore();
  let from = '';
  let isStored = false;
  let isRefused = false;
  const store = intercept(bucket, async ({ operation, key }, proceed) => {
    const begins = from !== '' && operation === 'putIfAbsent' && key.startsWith(from);
    if (begins && !isRefused && isStored) await proceed();
    isRefused ||= begins;
    if (isRefused) throw storeUnavailable('access denied', { transient: false });
    return proceed();
  });
  return {
    bucket,
    refuseFrom: (prefix, stores = false) => {
      [from, isStored, isRefused] = [prefix, stores, false];
    },
    open: () => openNamespace(store, { name: 'test', clock: new TestClock() }),
  };
}

for (const stores of [false, true]) {
  const how = stores ? 'stored all the same' : 'not stored';
  for (const prefix of ['manifest/', 'wal/']) {
    test(`opening ends when the store refuses all from a put in ${prefix} on, ${how}`, async () => {
      const { refuseFrom, open } = setting();
      refuseFrom(prefix, stores);
      await assert.rejects(open(), { code: 'STORE_UNAVAILABLE' });
      refuseFrom('');
      const namespace = await open();
      await appendAll(namespace, 1, 2);
      await namespace.close();
    });
  }

  test(`B5: a commit ends in doubt when the store refuses to tell of it, and later ones go on, ${how}`, async () => {
    const { refuseFrom, open } = setting();
    const writer = await open();
    await appendAll(writer, 1, 2);
    refuseFrom('wal/', stores);
    await assert.rejects(writer.append(commit(3, 'in doubt')), { code: 'STORE_UNAVAILABLE', outcomeUnknown: true });
    refuseFrom('');
    await writer.append(commit(3, 'instead'));
    await writer.close();
    assert.deepEqual((await open()).recovered.map(textOf), ['commit 1', 'commit 2', 'instead']);
  });

  for (const prefix of ['data/', 'manifest/']) {
    test(`files are published again after the store refused all from a put in ${prefix} on, ${how}`, async () => {
      const { bucket, refuseFrom, open } = setting();
      const writer = await open();
      refuseFrom(prefix, stores);
      await assert.rejects(writer.publish({ add: [sampleTable(5)], remove: [] }), { code: 'STORE_UNAVAILABLE' });
      refuseFrom('');
      await writer.publish({ add: [sampleTable(6)], remove: [] });
      assert.deepEqual(rowsOf(writer), [6]);
      await writer.close();
      assert.deepEqual(rowsOf(await openNamespace(bucket, { name: 'test', readOnly: true })), [6]);
    });
  }
}

function rowsOf({ manifest }: Namespace): number[] {
  return manifest.tables.flatMap(({ files }) => files.map(({ rows }) => rows));
}
