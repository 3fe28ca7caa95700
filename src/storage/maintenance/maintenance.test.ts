import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectStore } from '../../object-store/index.ts';
import type { GarbageOptions, GarbageOutcome, Namespace } from '../api.ts';
import { openNamespace } from '../open-namespace.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { appendAll, commit, freshStore, TestClock, textOf } from '../testing/test-store.ts';

const HOUR_MS = 3_600_000;
const NOW: GarbageOptions = { graceMs: 0, retainVersions: 1 };

interface Setting {
  readonly store: ObjectStore;
  readonly clock: TestClock;
  readonly open: (writerId?: string) => Promise<Namespace>;
  readonly read: (version?: number) => Promise<Namespace>;
}

/** `skewMs`: how far the store's clock is ahead of ours. */
function setting(skewMs = 0): Setting {
  const clock = new TestClock();
  const store = freshStore({ now: () => clock.now() + skewMs });
  const options = { name: 'test', clock };
  return {
    store,
    clock,
    open: (writerId) => openNamespace(store, writerId === undefined ? options : { ...options, writerId }),
    read: (version) => openNamespace(store, version === undefined ? { ...options, readOnly: true } : { ...options, version }),
  };
}

async function keys(store: ObjectStore): Promise<string[]> {
  return (await store.list('')).map(({ key }) => key.replace(/0{10,}/, '…'));
}

async function removeAll(namespace: Namespace): Promise<void> {
  const remove = namespace.manifest.tables.flatMap((table) => table.files.map(({ key }) => key));
  await namespace.publish({ add: [], remove });
}

function counts({ manifests, walObjects, files }: GarbageOutcome): number[] {
  return [manifests, walObjects, files];
}

test('what nothing needs goes, what is needed stays', async () => {
  const { store, clock, open, read } = setting();
  const writer = await open('w');
  await appendAll(writer, 1, 3);
  await writer.publish({ add: [sampleTable(5)], remove: [], sequence: 2 });
  await removeAll(writer);
  await writer.publish({ add: [sampleTable(6)], remove: [], sequence: 3 });
  await appendAll(writer, 4, 5);
  await store.put('probe/left-behind', new Uint8Array(1));
  clock.advance(HOUR_MS);
  assert.deepEqual(counts(await writer.collectGarbage(NOW)), [3, 4, 1]);
  assert.deepEqual(await keys(store), ['data/w-2.arrow', 'manifest/…4.json', 'wal/…5.wal', 'wal/…6.wal']);
  await appendAll(writer, 6, 6);
  assert.deepEqual((await read()).recovered.map(textOf), ['commit 4', 'commit 5', 'commit 6']);
  assert.deepEqual(counts(await writer.collectGarbage(NOW)), [0, 0, 0]);
});

for (const skewMs of [0, -5 * HOUR_MS, 5 * HOUR_MS]) {
  test(`what was in force within the grace time stays, by a clock that is ${skewMs / HOUR_MS} hours ahead`, async () => {
    const { clock, open, read } = setting(skewMs);
    const writer = await open();
    await writer.append(commit(1));
    await writer.publish({ add: [sampleTable(5)], remove: [], sequence: 1 });
    clock.advance(10 * HOUR_MS);
    const reader = await read();
    await removeAll(writer);
    clock.advance(HOUR_MS);
    assert.deepEqual(counts(await writer.collectGarbage({ graceMs: 2 * HOUR_MS, retainVersions: 1 })), [1, 2, 0]);
    const sst = await reader.openSst(reader.manifest.tables[0]!.files[0]!);
    assert.equal((await sst.readColumn('day'))!.values.length, 5);
    clock.advance(HOUR_MS);
    assert.deepEqual(counts(await writer.collectGarbage({ graceMs: 2 * HOUR_MS, retainVersions: 1 })), [1, 0, 1]);
  });
}

test('retained versions stay readable', async () => {
  const { clock, open, read } = setting();
  const writer = await open();
  for (const rows of [1, 2, 3, 4]) {
    await removeAll(writer);
    await writer.publish({ add: [sampleTable(rows)], remove: [] });
  }
  clock.advance(HOUR_MS);
  await writer.collectGarbage({ graceMs: 0, retainVersions: 5 });
  const past = await read(5);
  const [file] = past.manifest.tables[0]!.files;
  assert.equal(file!.rows, 2);
  assert.equal((await (await past.openSst(file!)).readColumn('day'))!.values.length, 2);
  await assert.rejects(read(4), { code: 'NOT_FOUND' });
});

test('an upload that may still be published is no garbage; one that never will be is', async () => {
  const { store, clock, open } = setting();
  const former = await open('former');
  const lost = former.createSstWriter({ kind: 'nodes', labels: [] });
  await lost.add(sampleTable(3));
  await lost.finish();
  const writer = await open('writer');
  const growing = writer.createSstWriter({ kind: 'nodes', labels: ['Person'] });
  await growing.add(sampleTable(4));
  const uploaded = await growing.finish();
  const given = writer.createSstWriter({ kind: 'nodes', labels: ['Person'] });
  await given.add(sampleTable(5));
  await given.finish();
  await given.abandon();
  clock.advance(HOUR_MS);
  await writer.collectGarbage(NOW);
  assert.deepEqual((await keys(store)).filter((key) => key.startsWith('data/')), ['data/writer-1.arrow']);
  await writer.publish({ add: [], addUploaded: uploaded, remove: [] });
  clock.advance(HOUR_MS);
  assert.deepEqual(counts(await writer.collectGarbage(NOW)), [1, 0, 0]);
});

test('what stops a sleeping writer is kept for ten minutes, whatever the grace time', async () => {
  const { clock, open } = setting();
  const sleeper = await open();
  const successor = await open();
  await appendAll(successor, 1, 2);
  await successor.publish({ add: [], remove: [], sequence: 2 });
  clock.advance(4 * 60_000);
  await successor.collectGarbage(NOW);
  await assert.rejects(sleeper.append(commit(1)), { code: 'WRITER_FENCED' });
  clock.advance(7 * 60_000);
  assert.deepEqual(counts(await successor.collectGarbage(NOW)), [0, 2, 0]);
});

test('a fenced writer collects nothing', async () => {
  const { clock, store, open } = setting();
  const former = await open();
  await open();
  clock.advance(HOUR_MS);
  const before = await keys(store);
  await assert.rejects(former.collectGarbage(NOW), { code: 'WRITER_FENCED' });
  assert.equal(former.role, 'reader');
  assert.deepEqual(await keys(store), before);
});

test('a thousand small commits leave few objects', async () => {
  const { clock, store, open } = setting();
  const writer = await open();
  for (let round = 0; round < 20; round++) {
    const from = 50 * round + 1;
    await appendAll(writer, from, from + 49);
    await writer.publish({ add: [sampleTable(3)], remove: [], sequence: from + 49 });
    await writer.compact();
  }
  clock.advance(HOUR_MS);
  await writer.collectGarbage(NOW);
  assert.ok((await keys(store)).length <= 8, String(await keys(store)));
});
