import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ObjectInfo, type ObjectStore, type StoreRequest, withFaults, withMetrics } from '../../object-store/index.ts';
import type { GarbageOptions, GarbageOutcome, Namespace } from '../api.ts';
import { manifestKey } from '../keys.ts';
import { encodeManifest } from '../manifest/manifest-codec.ts';
import { openNamespace } from '../open-namespace.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { appendAll, commit, freshStore, TestClock, textOf } from '../testing/test-store.ts';
import { copyNamespace } from './copy-namespace.ts';
import { inspectNamespace, listOrphans } from './inspect-namespace.ts';

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

test('a manifest whose put took long does not make others look older than they are', async () => {
  const { clock, store } = setting();
  let isSlow = false;
  const slow = withFaults(store, {
    random: () => 0.999,
    clock,
    maxDelayMs: HOUR_MS,
    onRequest: ({ operation, key }) => (isSlow && operation === 'putIfAbsent' && key.startsWith('manifest/') ? 'slow' : null),
  });
  const writer = await openNamespace(slow, { name: 'test', clock });
  await appendAll(writer, 1, 1);
  await writer.publish({ add: [sampleTable(5)], remove: [], sequence: 1 });
  isSlow = true;
  await removeAll(writer);
  isSlow = false;
  const garbage = { graceMs: HOUR_MS / 2, retainVersions: 1 };
  // What was replaced a moment ago stays, however long ago its successor was made.
  clock.advance(1_000);
  await writer.collectGarbage(garbage);
  assert.equal((await store.list('data/')).length, 1);
  clock.advance(HOUR_MS);
  await writer.collectGarbage(garbage);
  assert.equal((await store.list('data/')).length, 0);
});

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

test('B6: a leased version stays readable until its lease ends by itself, and then goes with the lease', async () => {
  const { store, clock, open } = setting(-3 * HOUR_MS);
  const writer = await open('w');
  await writer.publish({ add: [sampleTable(5)], remove: [] });
  const leased = writer.manifest;
  await store.put(`lease/${String(leased.version).padStart(20, '0')}-${2 * HOUR_MS}-a1`, new Uint8Array(1));
  await store.put('lease/of-nobody', new Uint8Array(1));
  await removeAll(writer);
  await writer.publish({ add: [sampleTable(6)], remove: [] });
  clock.advance(HOUR_MS);
  assert.deepEqual(
    (await inspectNamespace(store)).leases.map(({ version, durationMs }) => [version, durationMs]),
    [[leased.version, 2 * HOUR_MS]],
  );
  const outcome = await writer.collectGarbage(NOW);
  assert.deepEqual([...counts(outcome), outcome.leased], [2, 0, 0, 1]);
  const sst = await writer.openSst(leased.tables[0]!.files[0]!);
  assert.equal((await sst.readColumn('day'))!.values.length, 5);
  assert.notEqual(await store.get(manifestKey(leased.version)), null);
  assert.deepEqual(await listOrphans(store), [{ ...(await store.list('lease/of'))[0]! }]);
  clock.advance(HOUR_MS);
  const after = await writer.collectGarbage(NOW);
  assert.deepEqual([...counts(after), after.leased], [1, 0, 1, 0]);
  assert.equal(await store.get(leased.tables[0]!.files[0]!.key), null);
  assert.deepEqual(
    (await store.list('lease/')).map(({ key }) => key),
    ['lease/of-nobody'],
  );
});

test('no lease lasts longer than a week', async () => {
  const { store, clock, open } = setting();
  const writer = await open('w');
  await writer.publish({ add: [sampleTable(5)], remove: [] });
  await store.put(`lease/${String(writer.manifest.version).padStart(20, '0')}-999999999999-a1`, new Uint8Array(1));
  await store.put('lease/of-nobody', new Uint8Array(1));
  await removeAll(writer);
  clock.advance(7 * 24 * HOUR_MS - 1);
  assert.equal((await writer.collectGarbage(NOW)).files, 0);
  clock.advance(1);
  assert.equal((await writer.collectGarbage(NOW)).files, 1);
  assert.deepEqual(await store.list('lease/'), []);
});

test('a version that a sleeping writer puts under a number that had been removed is none', async () => {
  const { store, clock, open, read } = setting();
  const sleeper = await open('sleeper');
  await sleeper.publish({ add: [sampleTable(1)], remove: [] });
  const writer = await open('writer');
  for (let rows = 2; rows <= 5; rows++) await writer.publish({ add: [sampleTable(rows)], remove: [] });
  clock.advance(HOUR_MS);
  await writer.collectGarbage({ graceMs: 0, retainVersions: 3 });
  const versions = async (): Promise<string[]> => (await keys(store)).filter((key) => key.startsWith('manifest'));
  assert.deepEqual(await versions(), ['manifest/…5.json', 'manifest/…6.json', 'manifest/…7.json']);
  // Beside what is kept, and with a gap behind it.
  for (const late of [4, 3]) {
    assert.ok(await store.putIfAbsent(manifestKey(late), encodeManifest({ ...sleeper.manifest, version: late })));
    await assert.rejects(read(late), {
      code: 'NOT_FOUND',
      message: new RegExp(`no manifest version ${late} .any more.; .* to 7 are there`),
    });
    assert.equal(await writer.isRetained(late), false);
    if (late === 4) await store.delete(manifestKey(late));
  }
  // Two of them, of which the second takes back the first.
  await store.delete(manifestKey(3));
  const first = { ...sleeper.manifest, version: 3 };
  const second = { ...first, version: 4, generation: first.generation + 1 };
  for (const late of [first, second]) await store.put(manifestKey(late.version), encodeManifest(late));
  for (const late of [3, 4]) await assert.rejects(read(late), { code: 'NOT_FOUND' });
  for (const kept of [5, 6, 7]) assert.equal((await read(kept)).manifest.version, kept);
  clock.advance(HOUR_MS);
  await writer.collectGarbage({ graceMs: 0, retainVersions: 3 });
  assert.deepEqual(await versions(), ['manifest/…5.json', 'manifest/…6.json', 'manifest/…7.json']);
});

test('the first version of an epoch continues the one before; a late one with other content does not', async () => {
  const { store, open, read } = setting();
  const former = await open('former');
  await former.publish({ add: [sampleTable(1)], remove: [] });
  await open('successor');
  assert.equal((await read(2)).manifest.writerId, 'former');
  await store.delete(manifestKey(2));
  await store.put(manifestKey(2), encodeManifest({ ...former.manifest, nextNodeOrdinal: 77 }));
  await assert.rejects(read(2), { code: 'NOT_FOUND' });
});

test('versions are readable and retained in a copy of the bucket, whatever the times of its objects', async () => {
  const { store, clock, open } = setting();
  const writer = await open();
  for (let rows = 1; rows <= 4; rows++) await writer.publish({ add: [sampleTable(rows)], remove: [] });
  const copy = freshStore({ now: () => clock.now() });
  for (const { key } of (await store.list('')).toReversed()) {
    clock.advance(HOUR_MS);
    await copy.put(key, (await store.get(key))!);
  }
  const options = { name: 'test', clock };
  for (let version = 1; version <= 5; version++) {
    assert.equal((await openNamespace(copy, { ...options, version })).manifest.version, version);
  }
  const successor = await openNamespace(copy, options);
  await successor.collectGarbage({ graceMs: 0, retainVersions: 4 });
  for (let version = 3; version <= 6; version++) assert.ok(await successor.isRetained(version));
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
  assert.deepEqual(
    (await keys(store)).filter((key) => key.startsWith('data/')),
    ['data/writer-1.arrow'],
  );
  await writer.publish({ add: [], addUploaded: uploaded, remove: [] });
  clock.advance(HOUR_MS);
  assert.deepEqual(counts(await writer.collectGarbage(NOW)), [1, 0, 0]);
});

test('B10: what fences a writer that did not close stays, and is read once', async () => {
  const { clock, store, open } = setting();
  const sleeper = await open();
  await appendAll(sleeper, 1, 5);
  const { store: counting, metrics } = withMetrics(store);
  const successor = await openNamespace(counting, { name: 'test', clock });
  await appendAll(successor, 6, 7);
  await successor.publish({ add: [], remove: [], sequence: 7 });
  clock.advance(1_000 * HOUR_MS);
  assert.deepEqual(counts(await successor.collectGarbage(NOW)), [2, 4, 0]);
  // What the sleeper may have in flight, the start of the next epoch, and the numbers behind it that the sleeper may have in flight.
  const lasting = [3, 4, 5, 6, 7, 8, 9];
  assert.deepEqual(await keys(store), ['manifest/…3.json', ...lasting.map((number) => `wal/…${number}.wal`), 'wal/…10.wal']);
  const { requests } = metrics.operations.get;
  assert.deepEqual(counts(await successor.collectGarbage(NOW)), [0, 0, 0]);
  assert.equal(metrics.operations.get.requests, requests);
  await assert.rejects(sleeper.append(commit(6)), { code: 'WRITER_FENCED' });
  assert.deepEqual((await inspectNamespace(store)).orphans, []);
});

test('B10: an object of the log that cannot be read stays, and does not keep others', async () => {
  const { clock, store, open } = setting();
  await appendAll(await open(), 1, 6);
  const successor = await open();
  await successor.publish({ add: [], remove: [], sequence: 6 });
  await store.put('wal/00000000000000000002.wal', new Uint8Array(50));
  clock.advance(HOUR_MS);
  assert.deepEqual(counts(await successor.collectGarbage(NOW)), [2, 2, 0]);
  assert.ok((await keys(store)).includes('wal/…2.wal'));
});

test('a put that was given up, and that the store completed late, keeps its number from being used twice', async () => {
  const { clock, store, open } = setting();
  const late: StoreRequest[] = [];
  let failing = false;
  const losing = withFaults(store, {
    random: () => 0,
    onRequest: (request) => {
      if (!failing || request.operation !== 'putIfAbsent') return null;
      late.push(request);
      return 'refused';
    },
  });
  const former = await openNamespace(losing, { name: 'test', clock, writerId: 'former' });
  failing = true;
  await assert.rejects(former.append(commit(1, 'given up')), { code: 'STORE_UNAVAILABLE' });
  failing = false;
  assert.ok(await store.putIfAbsent(late[0]!.key, late[0]!.bytes!));
  const successor = await open('successor');
  await appendAll(successor, 2, 3);
  await successor.publish({ add: [], remove: [], sequence: 3 });
  await successor.collectGarbage(NOW);
  await assert.rejects(former.append(commit(1, 'again')), { code: 'WRITER_FENCED' });
});

test('the WAL may go before the files', async () => {
  const { clock, store, open, read } = setting();
  const writer = await open();
  await appendAll(writer, 1, 5);
  await writer.publish({ add: [sampleTable(5)], remove: [], sequence: 5 });
  const reader = await read(2);
  await removeAll(writer);
  clock.advance(11 * 60_000);
  await appendAll(writer, 6, 7);
  await writer.publish({ add: [sampleTable(6)], remove: [], sequence: 7 });
  assert.deepEqual(counts(await writer.collectGarbage({ graceMs: HOUR_MS, walGraceMs: 0, retainVersions: 1 })), [0, 8, 0]);
  assert.equal((await (await reader.openSst(reader.manifest.tables[0]!.files[0]!)).readColumn('day'))!.values.length, 5);
  assert.equal((await read()).durableSequence, 7);
  assert.ok((await store.list('wal/')).length === 0);
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

test('a writer that finds files gone when it merges, because its successor has merged them, is fenced', async () => {
  const { open, clock } = setting();
  const former = await filled(open);
  const successor = await open();
  await successor.compact({ everything: true });
  clock.advance(HOUR_MS);
  await successor.collectGarbage(NOW);
  await assert.rejects(former.compact({ everything: true }), { code: 'WRITER_FENCED' });
  assert.equal(former.role, 'reader');
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

/** Everything that a reader would get. */
async function contentOf(namespace: Namespace): Promise<unknown> {
  const { tables, catalog, nextNodeOrdinal } = namespace.manifest;
  const files = await Promise.all(
    tables.map(async ({ files: all, labels, liveRows }) => {
      const columns = await Promise.all(all.map(async (file) => (await namespace.openSst(file)).readColumn('text')));
      return { labels, liveRows, columns };
    }),
  );
  return { files, catalog, nextNodeOrdinal, commits: namespace.recovered.map(textOf) };
}

async function filled(open: Setting['open']): Promise<Namespace> {
  const writer = await open('source');
  await appendAll(writer, 1, 3);
  const table = sampleTable(50);
  const catalog = { ...writer.manifest.catalog, labels: ['Person', 'Ärztin'] };
  await writer.publish({
    add: [table, sampleTable(7)],
    remove: [],
    sequence: 2,
    nextNodeOrdinal: 99,
    catalog,
    liveRows: [{ ...table, liveRows: 57 }],
  });
  await appendAll(writer, 4, 5);
  return writer;
}

test('a copy has the same content', async () => {
  const from = setting();
  const to = setting();
  await filled(from.open);
  const progress: number[] = [];
  const outcome = await copyNamespace({
    source: { store: from.store, name: 'test' },
    target: { store: to.store, name: 'test' },
    clock: to.clock,
    onProgress: ({ files }) => progress.push(files),
  });
  assert.deepEqual([outcome.files, outcome.commits, progress], [2, 3, [1, 2]]);
  assert.deepEqual(await contentOf(await to.read()), await contentOf(await from.read()));
  assert.deepEqual((await inspectNamespace(to.store, { verify: true })).problems, []);
});

test('a copy begins again when the source merges its files meanwhile', async () => {
  const from = setting();
  const to = setting();
  const writer = await filled(from.open);
  let merged = false;
  const source = withFaults(from.store, {
    random: () => 0,
    onRequest: async ({ operation, key }) => {
      if (merged || operation !== 'get' || !key.startsWith('data/')) return null;
      merged = true;
      await writer.compact({ everything: true });
      from.clock.advance(HOUR_MS);
      await writer.collectGarbage(NOW);
      return null;
    },
  });
  const options = { source: { store: source, name: 'test' }, target: { store: to.store, name: 'test' }, clock: to.clock };
  const outcome = await copyNamespace(options);
  assert.deepEqual([merged, outcome.files, outcome.sourceVersion], [true, 1, writer.manifest.version]);
  assert.deepEqual(await contentOf(await to.read()), await contentOf(await from.read()));
});

test('a copy replaces nothing unless told so; then it fences who wrote there', async () => {
  const from = setting();
  const to = setting();
  await filled(from.open);
  const former = await to.open('former');
  await appendAll(former, 1, 9);
  await former.publish({ add: [{ ...sampleTable(3), labels: ['Gone'] }], remove: [], sequence: 8 });
  const options = { source: { store: from.store, name: 'test', version: 2 }, target: { store: to.store, name: 'test' }, clock: to.clock };
  await assert.rejects(copyNamespace(options), { code: 'ARGUMENT_ERROR', message: /has content/ });
  await former.append(commit(10));
  await copyNamespace({ ...options, replace: true });
  await assert.rejects(former.append(commit(11)), { code: 'WRITER_FENCED' });
  assert.deepEqual(await contentOf(await to.read()), await contentOf(await from.read(2)));
});

test('damage in the source ends a copy before anything is replaced', async () => {
  const from = setting();
  const to = setting();
  const writer = await filled(from.open);
  const { key } = writer.manifest.tables[0]!.files[1]!;
  const bytes = await from.store.get(key);
  bytes![100]! ^= 1;
  await from.store.put(key, bytes!);
  const options = { source: { store: from.store, name: 'test' }, target: { store: to.store, name: 'test' }, clock: to.clock };
  await assert.rejects(copyNamespace(options), { code: 'CORRUPTION', message: new RegExp(key) });
  assert.deepEqual((await to.read()).manifest.tables, []);
});

test('an inspection describes everything and changes nothing', async () => {
  const { store, open } = setting();
  const writer = await filled(open);
  await store.put('data/orphan.arrow', new Uint8Array(5));
  const before = await keys(store);
  const found = await inspectNamespace(store, { verify: true });
  assert.deepEqual(await keys(store), before);
  assert.deepEqual([found.manifestVersions, found.manifest!.version, found.lastSequence, found.totals.rows], [[1, 2], 2, 5, 57]);
  assert.deepEqual(
    found.tables[0]!.files.map((file) => [file.rows, file.blocks, file.columns.length]),
    [
      [50, 1, 12],
      [7, 1, 12],
    ],
  );
  assert.deepEqual(
    found.wal.map((object) => [object.number, object.kind, object.firstSequence, object.commits]),
    [
      [1, 'epoch-start', 1, 0],
      [2, 'commits', 1, 1],
      [3, 'commits', 2, 1],
      [4, 'commits', 3, 1],
      [5, 'commits', 4, 1],
      [6, 'commits', 5, 1],
    ],
  );
  assert.deepEqual([found.orphans.map(({ key }) => key), found.problems, found.verified], [['data/orphan.arrow'], [], 2 + 6 + 2]);
  assert.deepEqual(found.orphans, await listOrphans(store));
  JSON.stringify(found);
  await writer.close();
});

test('an inspection reports all damage and goes on', async () => {
  const { store, open } = setting();
  const writer = await filled(open);
  const [first, second] = writer.manifest.tables[0]!.files;
  const damage = async (key: string): Promise<void> => {
    const bytes = await store.get(key);
    bytes![50]! ^= 1;
    await store.put(key, bytes!);
  };
  await damage(first!.key);
  await store.delete(second!.key);
  await damage('wal/00000000000000000005.wal');
  await damage('manifest/00000000000000000001.json');
  const { problems } = await inspectNamespace(store, { verify: true });
  assert.deepEqual(problems.map(({ object }) => object).sort(), [
    first!.key,
    second!.key,
    'manifest/00000000000000000001.json',
    'wal/00000000000000000005.wal',
    'wal/00000000000000000005.wal',
  ]);
  await damage('manifest/00000000000000000002.json');
  await assert.rejects(listOrphans(store), { code: 'CORRUPTION' });
  await assert.rejects(listOrphans(setting().store), { code: 'NOT_FOUND' });
});

test('what somebody else has put into the namespace, under a name that no key has, stays and keeps nothing else', async () => {
  const { store, clock } = setting();
  const foreign: ObjectInfo[] = [];
  const others = ['data/', 'data/copy (1).arrow', 'lease/a lease', 'probe/a probe'].map((key) => ({ key, size: 1, lastModifiedMs: 0 }));
  const shared: ObjectStore = {
    ...withMetrics(store).store,
    list: async (prefix, options) =>
      [...foreign.filter(({ key }) => key.startsWith(prefix)), ...(await store.list(prefix, options))].sort((a, b) =>
        a.key < b.key ? -1 : 1,
      ),
  };
  const writer = await openNamespace(shared, { name: 'test', clock });
  foreign.push(...others);
  await appendAll(writer, 1, 2);
  await writer.publish({ add: [sampleTable(5)], remove: [], sequence: 2 });
  await removeAll(writer);
  clock.advance(HOUR_MS);
  assert.deepEqual(counts(await writer.collectGarbage(NOW)), [2, 3, 1]);
  assert.deepEqual(counts(await writer.collectGarbage(NOW)), [0, 0, 0]);
  await writer.close();
});
