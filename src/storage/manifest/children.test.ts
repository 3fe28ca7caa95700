/** Manifests with children through a namespace: what is put and read, and when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ObjectStore, withFaults, withMetrics } from '../../object-store/index.ts';
import type { Manifest, Namespace } from '../api.ts';
import { inspectNamespace } from '../maintenance/inspect-namespace.ts';
import { type OpenNamespaceOptions, openNamespace } from '../open-namespace.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { freshStore, TestClock } from '../testing/test-store.ts';

function open(store: ObjectStore, options: Partial<OpenNamespaceOptions> = {}): Promise<Namespace> {
  return openNamespace(store, { name: 'test', clock: new TestClock(), manifestOwnBytes: 4_000, ...options });
}

/** Each flush adds a file to a table of its own. */
async function flush(writer: Namespace, from: number, to: number): Promise<void> {
  for (let id = from; id <= to; id++) await writer.publish({ add: [{ ...sampleTable(3), labels: [`L${id}`] }], remove: [] });
}

function contentOf({ tables, catalog, artefacts }: Manifest): unknown {
  return { tables, catalog, artefacts };
}

test('a namespace with children is opened, followed and written on as one without', async () => {
  const store = freshStore();
  const first = await open(store);
  const reader = await open(store, { readOnly: true });
  for (let id = 1; id <= 12; id++) {
    await flush(first, id, id);
    assert.deepEqual(contentOf((await reader.poll()).manifest), contentOf(first.manifest));
    assert.deepEqual(reader.manifest.children, first.manifest.children);
  }
  assert.ok(first.manifest.children.length > 0);
  const before = first.manifest;
  const second = await open(store);
  assert.deepEqual(contentOf(second.manifest), contentOf(before));
  await flush(second, 13, 14);
  assert.equal(second.manifest.tables.length, 14);
  const fresh = await open(store, { readOnly: true });
  assert.deepEqual(fresh.manifest, second.manifest);
  const older = await open(store, { version: before.version });
  assert.deepEqual(older.manifest, before);
  const { problems, orphans, children } = await inspectNamespace(store, { verify: true });
  assert.deepEqual(problems, []);
  assert.deepEqual(
    children.map(({ key }) => key),
    second.manifest.children.map(({ key }) => key),
  );
  assert.ok(!orphans.some(({ key }) => second.manifest.children.some((child) => child.key === key)));
});

test('a child is put before the manifest that names it, and a follower reads only children that it does not have', async () => {
  const bucket = freshStore();
  const put = withMetrics(bucket);
  const got = withMetrics(bucket);
  const writer = await open(put.store);
  const reader = await open(got.store, { readOnly: true });
  let read = 0;
  for (let id = 1; id <= 12; id++) {
    const known = new Set(reader.manifest.children.map(({ key }) => key));
    put.metrics.trace = [];
    got.metrics.trace = [];
    await flush(writer, id, id);
    await reader.poll();
    const added = writer.manifest.children.filter(({ key }) => !known.has(key));
    const puts = put.metrics.trace.filter((line) => line.startsWith('putIfAbsent'));
    for (const { key } of added) assert.ok(puts.at(-2)!.includes(key) && puts.at(-1)!.includes('manifest/'), puts.join('\n'));
    const gets = got.metrics.trace.filter((line) => line.includes('.manifest'));
    assert.deepEqual(gets.length, added.length, gets.join('\n'));
    read += gets.length;
  }
  assert.ok(read > 1);
});

test('the files of unchanged entries stay the same objects in memory', async () => {
  const store = freshStore();
  const writer = await open(store);
  await flush(writer, 1, 8);
  const reader = await open(store, { readOnly: true });
  const inChild = (manifest: Manifest): unknown => manifest.children[0]!.changes.tables[0]!.add[0]!.files[0];
  const before = reader.manifest;
  await flush(writer, 9, 9);
  await reader.poll();
  assert.notEqual(reader.manifest, before);
  assert.equal(inChild(reader.manifest), inChild(before));
  assert.equal(reader.manifest.tables[0]!.files[0], before.tables[0]!.files[0]);
});

test('collecting keeps the children of retained manifests, and removes those that none names', async () => {
  const store = freshStore();
  const writer = await open(store);
  await flush(writer, 1, 12);
  const childrenThere = async (): Promise<string[]> =>
    (await store.list('data/')).map(({ key }) => key).filter((key) => key.endsWith('.manifest'));
  const all = await childrenThere();
  await writer.collectGarbage({ graceMs: 0, retainVersions: 1 });
  const named = writer.manifest.children.map(({ key }) => key);
  assert.ok(named.length > 0 && all.length > named.length);
  assert.deepEqual(await childrenThere(), named.toSorted());
  // Another writer has made none of the manifests, and reads what they name.
  const { version } = writer.manifest;
  const second = await open(store);
  await flush(second, 13, 20);
  await second.collectGarbage({ graceMs: 0, retainVersions: 100 });
  assert.deepEqual((await open(store, { version })).manifest.tables.length, 12);
});

test('a missing or damaged child is an error that names it', async () => {
  const store = freshStore();
  const writer = await open(store);
  await flush(writer, 1, 12);
  const [{ key } = assert.fail()] = writer.manifest.children;
  const bytes = (await store.get(key))!;
  const message = new RegExp(key);
  await store.delete(key);
  for (const readOnly of [true, false]) await assert.rejects(open(store, { readOnly }), { code: 'CORRUPTION', message });
  assert.ok((await inspectNamespace(store)).problems.some(({ object }) => object === key));
  await store.put(key, bytes.with(100, bytes[100]! ^ 1));
  for (const readOnly of [true, false]) await assert.rejects(open(store, { readOnly }), { code: 'CORRUPTION', message });
  assert.ok((await inspectNamespace(store)).problems.some(({ object }) => object === key));
  await store.put(key, bytes);
  assert.equal((await open(store, { readOnly: true })).manifest.tables.length, 12);
});

test('when a manifest cannot be put, its child stays for as long as a store may still make it', async () => {
  const bucket = freshStore();
  let refusing = false;
  const failing = withFaults(bucket, {
    random: () => 0,
    onRequest: ({ operation, key }) => (refusing && operation === 'putIfAbsent' && key.startsWith('manifest/') ? 'refused' : null),
  });
  const writer = await open(failing, { manifestOwnBytes: 0 });
  await flush(writer, 1, 2);
  refusing = true;
  await assert.rejects(flush(writer, 3, 3), { code: 'STORE_UNAVAILABLE' });
  refusing = false;
  const orphan = (await inspectNamespace(bucket)).orphans.map(({ key }) => key).find((key) => key.endsWith('.manifest'));
  assert.ok(orphan !== undefined);
  await writer.collectGarbage({ graceMs: 0, retainVersions: 100 });
  assert.notEqual(await bucket.get(orphan), null);
  await flush(writer, 3, 3);
  await writer.collectGarbage({ graceMs: 0, retainVersions: 100 });
  assert.equal(await bucket.get(orphan), null);
  assert.deepEqual((await inspectNamespace(bucket, { verify: true })).problems, []);
});
