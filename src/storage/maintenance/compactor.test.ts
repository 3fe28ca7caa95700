/** Merges and artefacts whose files another edit removes meanwhile are given up, and the others are done. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ObjectStore, withFaults } from '../../object-store/index.ts';
import type { Namespace } from '../api.ts';
import { openNamespace } from '../open-namespace.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { freshStore, TestClock } from '../testing/test-store.ts';
import { valueListKind } from '../testing/value-list-kind.ts';

const KIND = valueListKind(['small']);

/** Returns a store that calls `onUpload`, once it is set, before the next upload of a file. */
function watched(inner: ObjectStore) {
  const watch = { store: inner, onUpload: null as (() => Promise<void>) | null };
  watch.store = withFaults(inner, {
    random: () => 0,
    onRequest: async ({ operation, key }) => {
      const { onUpload } = watch;
      if (onUpload === null || operation !== 'putIfAbsent' || !key.startsWith('data/')) return null;
      watch.onUpload = null;
      await onUpload();
      return null;
    },
  });
  return watch;
}

function filesOf({ manifest: { tables } }: Namespace, label: string): string[] {
  return tables.filter(({ labels }) => labels?.includes(label)).flatMap(({ files }) => files.map(({ key }) => key));
}

async function addFiles(namespace: Namespace): Promise<void> {
  const labelled = (label: string) => ({ ...sampleTable(20), labels: [label] });
  for (let round = 0; round < 2; round++) await namespace.publish({ add: [labelled('A'), labelled('B')], remove: [] });
}

test('a merge whose files have left the manifest meanwhile is given up, and the next one is done', async () => {
  const watch = watched(freshStore());
  const namespace = await openNamespace(watch.store, { name: 'test', clock: new TestClock() });
  await addFiles(namespace);
  watch.onUpload = async () => {
    await namespace.publish({ add: [], remove: filesOf(namespace, 'A') });
  };
  let merged = 0;
  const outcome = await namespace.compact({ everything: true, onMerged: () => merged++ });
  assert.deepEqual([outcome.tablesMerged, outcome.filesRemoved, merged], [1, 2, 1]);
  assert.deepEqual([filesOf(namespace, 'A').length, filesOf(namespace, 'B').length], [0, 1]);
});

test('a merge that has not begun is given up too', async () => {
  const watch = watched(freshStore());
  const namespace = await openNamespace(watch.store, { name: 'test', clock: new TestClock() });
  await addFiles(namespace);
  watch.onUpload = async () => {
    await namespace.publish({ add: [], remove: filesOf(namespace, 'B') });
  };
  assert.equal((await namespace.compact({ everything: true })).tablesMerged, 1);
  assert.deepEqual([filesOf(namespace, 'A').length, filesOf(namespace, 'B').length], [1, 0]);
});

test('a merge that cannot be stored fails, while its files are needed', async () => {
  const inner = freshStore();
  let isDown = false;
  const store = withFaults(inner, {
    random: () => 0,
    onRequest: ({ operation, key }) => (isDown && operation === 'putIfAbsent' && key.startsWith('data/') ? 'refused' : null),
  });
  const namespace = await openNamespace(store, { name: 'test', clock: new TestClock() });
  await addFiles(namespace);
  isDown = true;
  await assert.rejects(namespace.compact({ everything: true }), { code: 'STORE_UNAVAILABLE' });
});

test('an artefact whose files have left the manifest meanwhile is given up, and the next one is made', async () => {
  const inner = freshStore();
  const without = await openNamespace(inner, { name: 'test', clock: new TestClock(), artefactKinds: [] });
  await addFiles(without);
  await without.compact({ everything: true });
  await without.close();
  const watch = watched(inner);
  const namespace = await openNamespace(watch.store, { name: 'test', clock: new TestClock(), artefactKinds: [KIND], artefactsFromRows: 0 });
  watch.onUpload = async () => {
    await namespace.publish({ add: [], remove: filesOf(namespace, 'A') });
  };
  await namespace.compact();
  assert.deepEqual(
    namespace.manifest.artefacts.map(({ covers }) => covers.files),
    [filesOf(namespace, 'B')],
  );
});
