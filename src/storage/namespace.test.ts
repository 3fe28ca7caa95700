/** The protocol of a namespace, one situation at a time. Many at once: schedules.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FaultKind, type ObjectStore, type StoreOperation, storeUnavailable, withFaults, withMetrics } from '../object-store/index.ts';
import type { Namespace } from './api.ts';
import { openNamespace } from './open-namespace.ts';
import { isDamageReport } from './testing/damage.ts';
import { sampleTable } from './testing/sample-table.ts';
import { appendAll, commit, freshStore, TestClock, textOf } from './testing/test-store.ts';
import { encodeWalObject } from './wal/wal-object.ts';

const clock = new TestClock();
const DAY_MS = 24 * 3_600_000;

function open(store: ObjectStore, writerId?: string): Promise<Namespace> {
  return openNamespace(store, { name: 'test', clock, ...(writerId === undefined ? {} : { writerId }) });
}

function read(store: ObjectStore, version?: number): Promise<Namespace> {
  return openNamespace(store, { name: 'test', clock, readOnly: true, ...(version === undefined ? {} : { version }) });
}

/** A store that does these faults to the requests of one kind, in turn; null: none. */
function scripted(store: ObjectStore, operation: StoreOperation, prefix: string, faults: (FaultKind | null)[]): ObjectStore {
  return withFaults(store, {
    random: () => 0,
    clock,
    onRequest: (request) => (request.operation === operation && request.key.startsWith(prefix) ? (faults.shift() ?? null) : null),
  });
}

test('what is committed is there after reopening', async () => {
  const store = freshStore();
  const first = await open(store);
  assert.deepEqual([first.role, first.epoch, first.durableSequence, first.recovered], ['writer', 1, 0, []]);
  await Promise.all([first.append(commit(1)), first.append(commit(2))]);
  await first.append(commit(3));
  assert.equal(first.durableSequence, 3);
  await first.close();
  const second = await open(store);
  assert.deepEqual(second.recovered.map(textOf), ['commit 1', 'commit 2', 'commit 3']);
  assert.deepEqual([second.epoch, second.durableSequence, second.manifest.version], [2, 3, 2]);
  await appendAll(second, 4, 4);
});

test('commits that arrive while a put is under way share the next one', async () => {
  const inner = freshStore();
  const { store, metrics } = withMetrics(inner);
  const namespace = await open(store);
  const before = metrics.operations.putIfAbsent.requests;
  const first = namespace.append(commit(1));
  await null;
  await null;
  await Promise.all([first, ...[2, 3, 4, 5].map((sequence) => namespace.append(commit(sequence)))]);
  assert.equal(metrics.operations.putIfAbsent.requests - before, 2);
});

test('sequences are dense', async () => {
  const namespace = await open(freshStore());
  await assert.rejects(namespace.append(commit(2)), { code: 'INTERNAL', message: /B2/ });
  await namespace.append(commit(1));
  await assert.rejects(namespace.append(commit(1)), { code: 'INTERNAL', message: /B2/ });
});

test('B3: a former writer is fenced at its next commit, and reads on', async () => {
  const store = freshStore();
  const former = await open(store, 'former');
  await appendAll(former, 1, 2);
  const latter = await open(store, 'latter');
  await appendAll(latter, 3, 4, 'by the latter');
  await assert.rejects(former.append(commit(3)), { code: 'WRITER_FENCED' });
  await assert.rejects(former.append(commit(3)), { code: 'WRITER_FENCED' });
  await assert.rejects(former.publish({ add: [], remove: [] }), { code: 'WRITER_FENCED' });
  assert.equal(former.role, 'reader');
  assert.equal(former.durableSequence, 2);
  const polled = await former.poll();
  assert.deepEqual([polled.rebase, polled.manifest.epoch], [false, 2]);
  assert.deepEqual(
    polled.commits.map((it) => [it.sequence, textOf(it)]),
    [
      [3, 'by the latter'],
      [4, 'by the latter'],
    ],
  );
  await appendAll(latter, 5, 5);
  assert.deepEqual((await former.poll()).commits.map(textOf), ['commit 5']);
  assert.equal(former.durableSequence, 5);
});

test('a commit that reaches the bucket during a take-over is kept', async () => {
  const store = freshStore();
  const former = await open(store, 'former');
  await former.append(commit(1));
  let raced = false;
  const racing = withFaults(store, {
    random: () => 0,
    onRequest: async ({ operation, key }) => {
      // Between the latter's reading of the WAL and its epoch start.
      if (!raced && operation === 'putIfAbsent' && key.startsWith('wal/')) {
        raced = true;
        await former.append(commit(2));
      }
      return null;
    },
  });
  const latter = await open(racing, 'latter');
  assert.ok(raced);
  assert.deepEqual(latter.recovered.map(textOf), ['commit 1', 'commit 2']);
  await assert.rejects(former.append(commit(3)), { code: 'WRITER_FENCED' });
});

test('publishing against a successor fences as well', async () => {
  const store = freshStore();
  const former = await open(store);
  await open(store);
  await assert.rejects(former.publish({ add: [], remove: [] }), { code: 'WRITER_FENCED' });
  await assert.rejects(former.append(commit(1)), { code: 'WRITER_FENCED' });
});

test('a rival that is faster while we open makes us the former one', async () => {
  const store = freshStore();
  await open(store);
  let raced = false;
  const racing = withFaults(store, {
    random: () => 0,
    onRequest: async ({ operation, key }) => {
      if (!raced && operation === 'list' && key === 'wal/') {
        raced = true;
        await open(store);
      }
      return null;
    },
  });
  await assert.rejects(open(racing), { code: 'WRITER_FENCED' });
});

test('a writer that starts its epoch under a number that its successor has freed is fenced, and told of no damage', async () => {
  const store = freshStore({ now: () => clock.now() });
  const former = await open(store);
  await appendAll(former, 1, 1);
  let hasStarted = false;
  const sleepy = withFaults(store, {
    random: () => 0,
    onRequest: async ({ operation, key }) => {
      if (hasStarted || operation !== 'putIfAbsent' || !key.startsWith('wal/')) return null;
      hasStarted = true;
      await appendAll(former, 2, 6);
      const successor = await open(store);
      await appendAll(successor, 7, 7);
      await successor.publish({ add: [], remove: [], sequence: 7 });
      await successor.collectGarbage({ graceMs: 0, retainVersions: 1 });
      return null;
    },
  });
  // Its own start is where the former writer's first commit was, and has room behind it: it must not begin to answer.
  await assert.rejects(open(sleepy), { code: 'WRITER_FENCED' });
  assert.ok((await store.list('wal/')).some(({ key }) => key.endsWith('3.wal')));
});

for (const fault of ['answer-lost', 'own-write-lost', 'refused'] as const) {
  test(`a commit survives: ${fault}`, async () => {
    const store = freshStore();
    const namespace = await open(scripted(store, 'putIfAbsent', 'wal/', [null, fault]));
    await namespace.append(commit(1));
    await namespace.append(commit(2));
    await namespace.close();
    assert.deepEqual((await read(store)).recovered.map(textOf), ['commit 1', 'commit 2']);
  });

  test(`a manifest survives: ${fault}`, async () => {
    const store = freshStore();
    const namespace = await open(scripted(store, 'putIfAbsent', 'manifest/', [fault, null, fault]));
    assert.equal(namespace.epoch, 1);
    await namespace.publish({ add: [], remove: [], nextNodeOrdinal: 7 });
    await namespace.publish({ add: [], remove: [], nextNodeOrdinal: 8 });
    assert.deepEqual([(await read(store)).manifest.version, (await read(store)).manifest.nextNodeOrdinal], [3, 8]);
  });
}

test('an unanswered put is settled by reading, however long that fails', async () => {
  const store = freshStore();
  const reads: (FaultKind | null)[] = Array.from({ length: 50 }, () => 'refused');
  const puts = scripted(store, 'putIfAbsent', 'wal/', [null, 'answer-lost']);
  const namespace = await open(scripted(puts, 'get', 'wal/', reads));
  await namespace.append(commit(1));
  assert.equal(reads.length, 0);
  await namespace.append(commit(2));
  assert.deepEqual((await read(store)).recovered.map(textOf), ['commit 1', 'commit 2']);
});

test('a commit that cannot be stored fails with all that build on it, and the namespace goes on', async () => {
  const store = freshStore();
  let full = false;
  const filling = withFaults(store, {
    random: () => 0,
    clock,
    onRequest: ({ operation }) => (full && operation === 'putIfAbsent' ? 'refused' : null),
  });
  const namespace = await open(filling);
  await namespace.append(commit(1));
  full = true;
  const answers = await Promise.allSettled([2, 3, 4].map((sequence) => namespace.append(commit(sequence))));
  assert.deepEqual(
    answers.map((answer) => answer.status === 'rejected' && answer.reason.code),
    ['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'],
  );
  assert.deepEqual([namespace.durableSequence, namespace.role], [1, 'writer']);
  await assert.rejects(namespace.append(commit(5)), { code: 'STORE_UNAVAILABLE', message: /builds on/ });
  full = false;
  await namespace.append(commit(2, 'again'));
  await namespace.append(commit(3));
  assert.deepEqual((await read(store)).recovered.map(textOf), ['commit 1', 'again', 'commit 3']);
});

/** Refuses puts (so many, or all from now on), and keeps the first of them: the store completes it when the test says so. */
function haunted(store: ObjectStore): { store: ObjectStore; abandon: (on: boolean | number) => void; complete: () => Promise<boolean> } {
  let abandoning = 0;
  let first: { key: string; bytes: Uint8Array } | null = null;
  return {
    store: {
      ...withMetrics(store).store,
      async putIfAbsent(key, bytes) {
        if (abandoning === 0) return store.putIfAbsent(key, bytes);
        abandoning--;
        first ??= { key, bytes: bytes.slice() };
        throw storeUnavailable('no answer', { transient: true });
      },
    },
    abandon: (on) => {
      abandoning = on === true ? Number.POSITIVE_INFINITY : Number(on);
      if (abandoning > 0) first = null;
    },
    complete: () => store.putIfAbsent(first!.key, first!.bytes),
  };
}

/** One commit is there, and a reader who has seen it; from now on puts can be abandoned. */
async function hauntedNamespace(): Promise<ReturnType<typeof haunted> & { inner: ObjectStore; namespace: Namespace; reader: Namespace }> {
  const inner = freshStore();
  const spooks = haunted(inner);
  const namespace = await open(spooks.store);
  await namespace.append(commit(1));
  return { ...spooks, inner, namespace, reader: await read(inner) };
}

test('an abandoned put that the store completes later does not come back', async () => {
  const { inner, namespace, reader, abandon, complete } = await hauntedNamespace();
  abandon(true);
  await assert.rejects(Promise.all([namespace.append(commit(2, 'lost')), namespace.append(commit(3, 'lost'))]), {
    code: 'STORE_UNAVAILABLE',
    outcomeUnknown: true,
    message: /cannot be told/,
  });
  abandon(false);
  assert.ok(await complete());
  assert.deepEqual((await reader.poll()).commits.map(textOf), ['lost', 'lost']);
  await namespace.append(commit(2, 'answered'));
  await namespace.append(commit(3, 'answered too'));
  assert.deepEqual((await read(inner)).recovered.map(textOf), ['commit 1', 'answered', 'answered too']);
  const polled = await reader.poll();
  assert.deepEqual([polled.rebase, polled.commits.map(textOf)], [true, ['commit 1', 'answered', 'answered too']]);
  await namespace.publish({ add: [], remove: [], sequence: 2 });
  assert.deepEqual((await open(inner)).recovered.map(textOf), ['answered too']);
});

test('a seal takes back what the store has completed under the number before it', async () => {
  const { inner, namespace, reader, abandon, complete } = await hauntedNamespace();
  abandon(true);
  await assert.rejects(namespace.append(commit(2, 'in doubt')), { code: 'STORE_UNAVAILABLE', outcomeUnknown: true });
  abandon(false);
  assert.ok(await complete());
  assert.deepEqual((await reader.poll()).commits.map(textOf), ['in doubt']);
  // The next one finds its number taken, and fails four times at the one behind it.
  abandon(5);
  await assert.rejects(namespace.append(commit(2, 'refused')), { code: 'STORE_UNAVAILABLE', outcomeUnknown: false });
  assert.deepEqual((await read(inner)).recovered.map(textOf), ['commit 1']);
  const polled = await reader.poll();
  assert.deepEqual([polled.rebase, polled.commits.map(textOf)], [true, ['commit 1']]);
  await namespace.append(commit(2, 'answered'));
  assert.deepEqual((await reader.poll()).commits.map(textOf), ['answered']);
  assert.deepEqual((await open(inner)).recovered.map(textOf), ['commit 1', 'answered']);
});

test('a commit that is refused cannot come back: its number is sealed', async () => {
  const { inner, namespace, reader, abandon, complete } = await hauntedNamespace();
  abandon(4);
  const outcomes = await Promise.allSettled([namespace.append(commit(2, 'refused')), namespace.append(commit(3, 'refused'))]);
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected');
    assert.deepEqual([outcome.reason.code, outcome.reason.outcomeUnknown], ['STORE_UNAVAILABLE', false]);
  }
  assert.equal(await complete(), false);
  assert.deepEqual((await reader.poll()).commits, []);
  await namespace.append(commit(2, 'answered'));
  assert.deepEqual((await reader.poll()).commits.map(textOf), ['answered']);
  assert.deepEqual((await open(inner)).recovered.map(textOf), ['commit 1', 'answered']);
});

test('a commit that the store makes while its number is being sealed is answered', async () => {
  const inner = freshStore();
  const { store, abandon, complete } = haunted(inner);
  let puts = Number.NEGATIVE_INFINITY;
  const late: ObjectStore = {
    ...store,
    async putIfAbsent(key, bytes) {
      if (++puts === 5) assert.equal(await complete(), true);
      return store.putIfAbsent(key, bytes);
    },
  };
  const namespace = await open(late);
  puts = 0;
  abandon(4);
  await namespace.append(commit(1));
  await namespace.append(commit(2));
  assert.deepEqual((await read(inner)).recovered.map(textOf), ['commit 1', 'commit 2']);
});

test('an abandoned publication that the store completes later is taken back', async () => {
  const inner = freshStore();
  const { store, abandon, complete } = haunted(inner);
  const namespace = await open(store);
  const reader = await read(inner);
  await appendAll(namespace, 1, 2);
  abandon(true);
  await assert.rejects(namespace.publish({ add: [], remove: [], sequence: 2, nextNodeOrdinal: 5, newContent: true }), {
    code: 'STORE_UNAVAILABLE',
  });
  abandon(false);
  assert.ok(await complete());
  const early = await reader.poll();
  assert.deepEqual([early.manifest.nextNodeOrdinal, early.rebase], [5, true]);
  await assert.rejects(namespace.collectGarbage({ graceMs: 0, retainVersions: 1 }), { code: 'STORE_UNAVAILABLE' });
  // Nor when taking it back has failed.
  abandon(true);
  await assert.rejects(namespace.publish({ add: [], remove: [], sequence: 1 }), { code: 'STORE_UNAVAILABLE' });
  abandon(false);
  await assert.rejects(namespace.collectGarbage({ graceMs: 0, retainVersions: 1 }), { code: 'STORE_UNAVAILABLE' });
  const { manifest } = await namespace.publish({ add: [], remove: [], sequence: 1 });
  assert.deepEqual([manifest.version, manifest.sequence, manifest.nextNodeOrdinal], [3, 1, 0]);
  const late = await reader.poll();
  assert.deepEqual([late.manifest.nextNodeOrdinal, late.rebase, late.commits.map(textOf)], [0, true, ['commit 2']]);
});

for (const sleeperAheadMs of [0, -365 * DAY_MS, 365 * DAY_MS]) {
  test(
    'B10: a writer that slept through a take-over and its garbage collection is fenced, by a clock ' +
      `${sleeperAheadMs / DAY_MS} days ahead`,
    async () => {
      const store = freshStore({ now: () => clock.now() });
      const sleeper = await open(store);
      await sleeper.append(commit(1));
      const slept = clock.now();
      // By the clock of the store and of the successor a year passes, and two more writers come and go without closing.
      const successors = [await open(store), await open(store), await open(store)];
      await appendAll(successors[2]!, 2, 3);
      for (let round = 0; round < 3; round++) {
        await successors[2]!.publish({ add: [], remove: [], sequence: 3 });
        clock.advance(120 * DAY_MS);
        await successors[2]!.collectGarbage({ graceMs: 0, walGraceMs: 0, retainVersions: 1 });
      }
      clock.set(slept + sleeperAheadMs);
      await assert.rejects(sleeper.append(commit(2)), { code: 'WRITER_FENCED' });
      await assert.rejects(successors[0]!.append(commit(2)), { code: 'WRITER_FENCED' });
      await assert.rejects(successors[1]!.append(commit(2)), { code: 'WRITER_FENCED' });
      const reopened = await open(store);
      assert.deepEqual([reopened.durableSequence, reopened.recovered], [3, []]);
    },
  );
}

test('B10: a writer that closed leaves nothing that fences it', async () => {
  const store = freshStore({ now: () => clock.now() });
  for (let round = 1; round <= 20; round++) {
    const writer = await open(store);
    await writer.append(commit(round));
    await writer.publish({ add: [], remove: [], sequence: round });
    await writer.close();
  }
  const last = await open(store);
  clock.advance(DAY_MS);
  await last.publish({ add: [], remove: [], sequence: 20 });
  await last.collectGarbage({ graceMs: 0, retainVersions: 1 });
  assert.deepEqual(await store.list('wal/'), []);
});

test('B10: a number whose commit was given up is settled before it is used again, and its seal stays', async () => {
  const inner = freshStore({ now: () => clock.now() });
  let isDown = false;
  let late: Uint8Array | null = null;
  const store = withFaults(inner, {
    random: () => 0,
    clock,
    onRequest: ({ operation, key, bytes }) => {
      if (!isDown || operation !== 'putIfAbsent' || !key.startsWith('wal/')) return null;
      late ??= bytes!.slice();
      return 'refused';
    },
  });
  const writer = await open(store, 'writer');
  await writer.append(commit(1));
  const reader = await read(inner);
  isDown = true;
  await assert.rejects(writer.append(commit(2, 'given up')), { code: 'STORE_UNAVAILABLE', outcomeUnknown: true });
  isDown = false;
  await writer.append(commit(2, 'instead'));
  await writer.publish({ add: [], remove: [], sequence: 2 });
  clock.advance(DAY_MS);
  await writer.collectGarbage({ graceMs: 0, retainVersions: 1 });
  // The request that was given up arrives a day later; a follower slept as long.
  assert.equal(await inner.putIfAbsent('wal/00000000000000000003.wal', late!), false);
  assert.deepEqual((await reader.poll({ search: true })).commits.map(textOf), []);
  assert.equal(reader.durableSequence, 2);
});

test('a write that changed nothing is confirmed by the bucket', async () => {
  const inner = freshStore();
  const { store, metrics } = withMetrics(inner);
  const writer = await open(store);
  const before = metrics.operations.size.requests;
  await Promise.all([writer.confirmWriter(), writer.confirmWriter()]);
  assert.equal(metrics.operations.size.requests - before, 1);
  // A commit that is put meanwhile tells as much.
  await Promise.all([writer.append(commit(1)), writer.confirmWriter()]);
  assert.equal(metrics.operations.size.requests - before, 1);
  const reader = await read(inner);
  await assert.rejects(reader.confirmWriter(), { code: 'READ_ONLY' });
  const successor = await open(inner);
  await assert.rejects(writer.confirmWriter(), { code: 'WRITER_FENCED' });
  assert.equal(writer.role, 'reader');
  await successor.confirmWriter();
  await successor.close();
  await assert.rejects(successor.confirmWriter(), { code: 'SHUTTING_DOWN' });
});

test('a write that changed nothing is not confirmed by a store that does not answer', async () => {
  const faults: (FaultKind | null)[] = [];
  const store = scripted(freshStore(), 'size', 'wal/', faults);
  const writer = await open(store);
  faults.push(...Array.from({ length: 4 }, () => 'refused' as const));
  await assert.rejects(writer.confirmWriter(), { code: 'STORE_UNAVAILABLE' });
  await writer.confirmWriter();
  faults.push('refused', 'refused');
  await writer.confirmWriter();
});

for (const [what, object, expected] of [
  [
    'of the same epoch',
    { kind: 'commits', epoch: 1, commits: [commit(3, 'foreign')] },
    /put by writer foreign, and epoch 1 belongs to writer ours/,
  ],
  ['of a later epoch', { kind: 'epoch-start', epoch: 2, commits: [] }, /epoch 2, which no manifest knows/],
] as const) {
  test(`B2: a log object of another namespace is damage that is named, ${what}`, async () => {
    const store = freshStore();
    const writer = await open(store, 'ours');
    await appendAll(writer, 1, 2);
    const follower = await read(store);
    const key = 'wal/00000000000000000004.wal';
    const named = { code: 'CORRUPTION', message: new RegExp(`${key}.*${expected.source}`) };
    await store.put(key, encodeWalObject({ ...object, number: 4, depth: 0, writerId: 'foreign', firstSequence: 3 }));
    await assert.rejects(read(store), named);
    await assert.rejects(follower.poll(), named);
    await assert.rejects(writer.append(commit(3)), { code: 'CORRUPTION', message: new RegExp(key) });
    await assert.rejects(writer.confirmWriter(), { code: 'CORRUPTION', message: new RegExp(key) });
    if (object.epoch === 1) await assert.rejects(open(store), named);
  });
}

test('B2: so it is in the epoch of a former writer, of which the manifest tells', async () => {
  const store = freshStore();
  await appendAll(await open(store, 'former'), 1, 2);
  const successor = await open(store, 'latter');
  await appendAll(successor, 3, 3);
  const key = 'wal/00000000000000000002.wal';
  await store.put(
    key,
    encodeWalObject({ kind: 'commits', number: 2, epoch: 1, depth: 0, writerId: 'foreign', firstSequence: 1, commits: [commit(1)] }),
  );
  const named = { code: 'CORRUPTION', message: /wal\/00000000000000000002.*put by writer foreign, and epoch 1 belongs to writer former/ };
  await assert.rejects(read(store), named);
  await assert.rejects(open(store), named);
  assert.deepEqual(successor.manifest.writers, [
    { epoch: 1, writerId: 'former' },
    { epoch: 2, writerId: 'latter' },
  ]);
});

test('a manifest tells of the writers that the log may hold objects of', async () => {
  const store = freshStore();
  await appendAll(await open(store, 'first'), 1, 1);
  await appendAll(await open(store, 'second'), 2, 2);
  const third = await open(store, 'third');
  assert.deepEqual(
    third.manifest.writers.map(({ writerId }) => writerId),
    ['first', 'second', 'third'],
  );
  await third.publish({ add: [], remove: [] });
  assert.equal(third.manifest.writers.length, 3);
  await third.publish({ add: [], remove: [], sequence: 2 });
  assert.deepEqual(third.manifest.writers, [{ epoch: 3, writerId: 'third' }]);
});

test('the same for publishing', async () => {
  const store = freshStore();
  const sleeper = await open(store);
  const successor = await open(store);
  await successor.publish({ add: [], remove: [] });
  for (const version of [1, 2]) await store.delete(`manifest/${String(version).padStart(20, '0')}.json`);
  await assert.rejects(sleeper.publish({ add: [], remove: [] }), { code: 'WRITER_FENCED' });
});

test('published files hold their rows, and the WAL floor moves', async () => {
  const store = freshStore();
  const namespace = await open(store);
  await appendAll(namespace, 1, 3);
  const { manifest, ssts } = await namespace.publish({
    add: [sampleTable(100)],
    remove: [],
    sequence: 2,
    nextNodeOrdinal: 100,
    liveRows: [{ kind: 'nodes', labels: ['Person', 'Ärztin'], liveRows: 100 }],
  });
  assert.deepEqual([manifest.version, manifest.sequence, manifest.walFloor, manifest.nextNodeOrdinal], [2, 2, 4, 100]);
  const [table] = manifest.tables;
  assert.deepEqual([table!.kind, table!.labels, table!.liveRows, table!.files], ['nodes', ['Person', 'Ärztin'], 100, ssts]);
  const day = await (await namespace.openSst(ssts[0]!)).readColumn('day');
  assert.equal(day!.values[10], -990);
  const reader = await read(store);
  assert.deepEqual(reader.manifest, manifest);
  assert.deepEqual(reader.recovered.map(textOf), ['commit 3']);
});

test('a file that replaces others takes their place', async () => {
  const namespace = await open(freshStore());
  const published = await namespace.publish({ add: [sampleTable(1), sampleTable(2), sampleTable(3)], remove: [] });
  const keys = published.ssts.map(({ key }) => key);
  const { manifest } = await namespace.publish({ add: [sampleTable(5)], remove: keys.slice(0, 2) });
  assert.deepEqual(
    manifest.tables[0]!.files.map(({ rows }) => rows),
    [5, 3],
  );
  await assert.rejects(namespace.publish({ add: [], remove: keys.slice(0, 1) }), { code: 'STORE_UNAVAILABLE' });
  assert.equal((await namespace.publish({ add: [], remove: manifest.tables[0]!.files.map(({ key }) => key) })).manifest.tables.length, 0);
});

test('publications at once do not lose each other', async () => {
  const namespace = await open(freshStore());
  await Promise.all([1, 2, 3, 4].map((rows) => namespace.publish({ add: [sampleTable(rows)], remove: [] })));
  assert.deepEqual(namespace.manifest.tables[0]!.files.map(({ rows }) => rows).sort(), [1, 2, 3, 4]);
});

test('a table in batches becomes files that make up the whole', async () => {
  const namespace = await open(freshStore());
  const writer = namespace.createSstWriter({ kind: 'nodes', labels: ['Person'] });
  const batch = sampleTable(10);
  await writer.add(batch);
  await writer.add({ ...batch, columns: batch.columns.filter(({ name }) => name !== 'text') });
  await writer.add({ ...batch, columns: batch.columns.map((column) => (column.name === 'day' ? { ...column, kind: 'int32' } : column)) });
  const uploaded = await writer.finish();
  const { manifest } = await namespace.publish({ add: [], addUploaded: uploaded, remove: [] });
  const [table] = manifest.tables;
  assert.deepEqual([table!.labels, table!.files.map(({ rows }) => rows)], [['Person'], [20, 10]]);
  assert.equal(table!.files[0]!.columns.find(({ name }) => name === 'text')!.nullCount, 2 + 10);
});

test('a reader follows commits, manifests and garbage collection', async () => {
  const store = freshStore();
  const writer = await open(store);
  await appendAll(writer, 1, 2);
  const reader = await read(store);
  assert.deepEqual([reader.role, reader.recovered.length, reader.durableSequence], ['reader', 2, 2]);
  assert.deepEqual(await reader.poll(), { manifest: reader.manifest, commits: [], rebase: false });
  await appendAll(writer, 3, 4);
  const polled = await reader.poll();
  assert.deepEqual([polled.commits.map(({ sequence }) => sequence), polled.rebase], [[3, 4], false]);
  await writer.publish({ add: [], remove: [], sequence: 4 });
  await appendAll(writer, 5, 5);
  const afterFlush = await reader.poll();
  assert.deepEqual([afterFlush.commits.map(textOf), afterFlush.manifest.sequence, afterFlush.rebase], [['commit 5'], 4, false]);
  await appendAll(writer, 6, 7);
  await writer.publish({ add: [], remove: [], sequence: 6 });
  for (const { key } of (await store.list('wal/')).slice(0, -1)) await store.delete(key);
  const afterLoss = await reader.poll();
  assert.deepEqual([afterLoss.commits.map(textOf), afterLoss.manifest.sequence, afterLoss.rebase], [['commit 7'], 6, true]);
});

/**
 * A follower that read the first commit; the second was flushed and collected, and a seal that its writer had tried to
 * put came late under its number.
 */
async function withLateSeal(
  during: (collect: () => Promise<void>) => Promise<void>,
  follow: (store: ObjectStore) => ObjectStore,
): Promise<Namespace> {
  const store = freshStore({ now: () => clock.now() });
  const writer = await open(store, 'writer');
  await appendAll(writer, 1, 1);
  const follower = await read(follow(store));
  await appendAll(writer, 2, 2);
  await during(async () => {
    await writer.publish({ add: [], remove: [], sequence: 2 });
    await writer.collectGarbage({ graceMs: 0, retainVersions: 1 });
    const late = { kind: 'seal', number: 3, epoch: 1, depth: 0, writerId: 'writer', firstSequence: 2, commits: [] } as const;
    assert.ok(await store.putIfAbsent('wal/00000000000000000003.wal', encodeWalObject(late)));
  });
  return follower;
}

test('a follower that meets a late seal in the place of a commit begins again with the files', async () => {
  const follower = await withLateSeal(
    (collect) => collect(),
    (store) => store,
  );
  const { rebase, manifest } = await follower.poll();
  assert.deepEqual([rebase, manifest.sequence, follower.durableSequence], [true, 2, 2]);
});

test('a follower that looked at the manifests before the commit was collected does so again when it meets the late seal', async () => {
  let collectNow: (() => Promise<void>) | null = null;
  const follower = await withLateSeal(
    async (collect) => void (collectNow = collect),
    (store) =>
      withFaults(store, {
        random: () => 0,
        onRequest: async ({ operation, key }) => {
          if (operation !== 'get' || key !== 'wal/00000000000000000003.wal') return null;
          const collect = collectNow;
          collectNow = null;
          await collect?.();
          return null;
        },
      }),
  );
  const { rebase, manifest } = await follower.poll();
  assert.deepEqual([rebase, manifest.sequence, follower.durableSequence], [true, 2, 2]);
});

test('a reader that opens while the log is collected, and a freed number is taken by a put that comes late, begins again', async () => {
  const store = freshStore({ now: () => clock.now() });
  const former = await open(store, 'former');
  await appendAll(former, 1, 7);
  let isCollected = false;
  const slow = withFaults(store, {
    random: () => 0,
    onRequest: async ({ operation, key }) => {
      if (isCollected || operation !== 'get' || key !== 'wal/00000000000000000003.wal') return null;
      isCollected = true;
      const successor = await open(store);
      await appendAll(successor, 8, 8);
      await successor.publish({ add: [], remove: [], sequence: 8 });
      await successor.collectGarbage({ graceMs: 0, retainVersions: 1 });
      // The same request, made again.
      const late = { kind: 'commits', number: 3, epoch: 1, depth: 0, writerId: 'former', firstSequence: 2, commits: [commit(2)] } as const;
      assert.ok(await store.putIfAbsent(key, encodeWalObject(late)));
      return null;
    },
  });
  const reader = await read(slow);
  assert.deepEqual([reader.durableSequence, reader.manifest.epoch, reader.manifest.sequence], [8, 2, 8]);
});

test('B10: a reader that sleeps while opening begins again when commits behind its manifest were flushed and collected', async () => {
  const store = freshStore({ now: () => clock.now() });
  const writer = await open(store);
  await appendAll(writer, 1, 2);
  let isAsleep = true;
  const sleepy = withFaults(store, {
    random: () => 0,
    onRequest: async ({ operation, key }) => {
      if (!isAsleep || operation !== 'list' || key !== 'wal/') return null;
      isAsleep = false;
      await writer.publish({ add: [], remove: [], sequence: 2 });
      await writer.collectGarbage({ graceMs: 0, retainVersions: 1 });
      return null;
    },
  });
  const reader = await read(sleepy);
  assert.deepEqual([reader.durableSequence, reader.manifest.sequence], [2, 2]);
});

test('a commit that was given up, and made all the same, stays readable until its writer takes it back', async () => {
  const inner = freshStore({ now: () => clock.now() });
  let isDown = false;
  const puts: { key: string; bytes: Uint8Array }[] = [];
  const store = withFaults(inner, {
    random: () => 0,
    clock,
    onRequest: ({ operation, key, bytes }) => {
      if (!isDown || operation !== 'putIfAbsent' || !key.startsWith('wal/')) return null;
      puts.push({ key, bytes: bytes!.slice() });
      return 'refused';
    },
  });
  const writer = await open(store, 'writer');
  await writer.append(commit(1));
  const follower = await read(inner);
  isDown = true;
  await assert.rejects(writer.append(commit(2, 'given up')), { code: 'STORE_UNAVAILABLE', outcomeUnknown: true });
  assert.ok(await inner.putIfAbsent(puts[0]!.key, puts[0]!.bytes));
  // The writer goes past it, and cannot write behind it either.
  await assert.rejects(writer.append(commit(2, 'nor this')), { code: 'STORE_UNAVAILABLE', outcomeUnknown: true });
  assert.deepEqual((await follower.poll()).commits.map(textOf), ['given up']);
  isDown = false;
  const { manifest } = await writer.publish({ add: [], remove: [], sequence: 1 });
  assert.equal(manifest.walFloor, 3);
  const successor = await open(inner, 'successor');
  assert.deepEqual(successor.recovered.map(textOf), ['given up']);
  await successor.append(commit(3));
  assert.deepEqual((await follower.poll()).commits.map(textOf), ['commit 3']);
});

test('B10: a follower whose clock was set back lists the manifests nevertheless', async () => {
  const store = freshStore({ now: () => clock.now() });
  const writer = await open(store);
  await appendAll(writer, 1, 1);
  const follower = await read(store);
  clock.set(clock.now() - DAY_MS);
  for (let sequence = 2; sequence <= 3; sequence++) {
    await appendAll(writer, sequence, sequence);
    await writer.publish({ add: [], remove: [], sequence });
  }
  clock.advance(2 * DAY_MS);
  await writer.collectGarbage({ graceMs: 0, retainVersions: 1 });
  clock.advance(-2 * DAY_MS);
  const { manifest } = await follower.poll();
  assert.deepEqual([manifest.version, follower.durableSequence], [3, 3]);
});

test('B10: a follower that slept does not believe a manifest that a paused writer has put under a freed version', async () => {
  const store = freshStore({ now: () => clock.now() });
  const former = await open(store, 'former');
  await appendAll(former, 1, 1);
  const follower = await read(store);
  const successor = await open(store, 'latter');
  await appendAll(successor, 2, 2);
  await successor.publish({ add: [sampleTable(3)], remove: [], sequence: 2 });
  await successor.publish({ add: [], remove: [], sequence: 2 });
  await successor.collectGarbage({ graceMs: 0, retainVersions: 1 });
  // The former writer has gone on: its manifest is version 2, and nobody was told of it.
  await assert.rejects(former.publish({ add: [sampleTable(9)], remove: [], newContent: true }), { code: 'WRITER_FENCED' });
  assert.equal((await store.list('manifest/')).length, 2);
  const { manifest } = await follower.poll();
  assert.deepEqual([manifest.version, manifest.epoch, manifest.tables[0]!.files[0]!.rows], [4, 2, 3]);
});

test('a reader learns of new content also when the poll that met it failed', async () => {
  const inner = freshStore();
  const writer = await open(inner);
  await appendAll(writer, 1, 1);
  const faults: (FaultKind | null)[] = [null, null, 'refused'];
  const store = scripted(inner, 'get', 'wal/', faults);
  const reader = await read(store);
  await writer.publish({ add: [sampleTable(3)], remove: [], sequence: 1, newContent: true });
  await assert.rejects(reader.poll(), { code: 'STORE_UNAVAILABLE' });
  const { rebase, manifest } = await reader.poll();
  assert.deepEqual([rebase, manifest.tables.length], [true, 1]);
});

test('a writer that searches learns that it was fenced, and follows', async () => {
  const store = freshStore();
  const former = await open(store);
  assert.deepEqual(await former.poll({ search: true }), { manifest: former.manifest, commits: [], rebase: false });
  const successor = await open(store);
  await appendAll(successor, 1, 1);
  assert.deepEqual([(await former.poll()).commits, former.role], [[], 'writer']);
  assert.deepEqual([(await former.poll({ search: true })).commits.map(textOf), former.role], [['commit 1'], 'reader']);
  await assert.rejects(former.append(commit(1)), { code: 'WRITER_FENCED' });
});

test('a fenced writer that has lost what it knew gets everything again with its first poll', async () => {
  const store = freshStore();
  const former = await open(store);
  await appendAll(former, 1, 1);
  await open(store);
  await assert.rejects(former.append(commit(2)), { code: 'WRITER_FENCED' });
  const { commits, rebase } = await former.poll({ anew: true });
  assert.deepEqual([commits.map(textOf), rebase], [['commit 1'], true]);
});

test('an idle poll costs two gets', async () => {
  const inner = freshStore();
  await open(inner);
  const { store, metrics } = withMetrics(inner);
  const reader = await read(store);
  metrics.trace = [];
  await reader.poll();
  assert.deepEqual(metrics.trace, ['get manifest/00000000000000000002.json: absent', 'get wal/00000000000000000002.wal: absent']);
});

test('a retained version is read without the WAL', async () => {
  const store = freshStore();
  const writer = await open(store);
  await appendAll(writer, 1, 1);
  await writer.publish({ add: [sampleTable(3)], remove: [], sequence: 1 });
  await appendAll(writer, 2, 2);
  await writer.publish({ add: [], remove: [writer.manifest.tables[0]!.files[0]!.key], sequence: 2 });
  const past = await read(store, 2);
  assert.deepEqual([past.durableSequence, past.recovered, past.manifest.tables[0]!.files.length], [1, [], 1]);
  assert.deepEqual(await past.poll(), { manifest: past.manifest, commits: [], rebase: false });
  await assert.rejects(read(store, 9), { code: 'NOT_FOUND' });
});

test('reading writes nothing and needs a namespace', async () => {
  const inner = freshStore();
  const { store, metrics } = withMetrics(inner);
  await assert.rejects(read(store), { code: 'NOT_FOUND', message: /"test" does not exist/ });
  await open(inner);
  const reader = await read(store);
  await assert.rejects(reader.append(commit(1)), { code: 'READ_ONLY' });
  await assert.rejects(reader.publish({ add: [], remove: [] }), { code: 'READ_ONLY' });
  assert.throws(() => reader.createSstWriter({ kind: 'nodes', labels: [] }), { code: 'READ_ONLY' });
  const { putIfAbsent, put, delete: deletes } = metrics.operations;
  assert.equal(putIfAbsent.requests + put.requests + deletes.requests, 0);
});

test('closing waits for what was given, and nothing is written afterwards', async () => {
  const namespace = await open(freshStore());
  const last = namespace.append(commit(1));
  await namespace.close();
  await last;
  await assert.rejects(namespace.append(commit(2)), { code: 'SHUTTING_DOWN' });
  await assert.rejects(namespace.publish({ add: [], remove: [] }), { code: 'SHUTTING_DOWN' });
});

test('damage is reported with the name of the object, on every way in', async () => {
  const store = freshStore();
  const writer = await open(store);
  await appendAll(writer, 1, 3);
  await writer.close();
  const damage = async (key: string, change: (bytes: Uint8Array) => Uint8Array | null): Promise<void> => {
    const original = await store.get(key);
    const changed = change(original!.slice());
    if (changed === null) await store.delete(key);
    else await store.put(key, changed);
    for (const way of [open, read]) await assert.rejects(way(store), (error) => isDamageReport(error, key), key);
    await store.put(key, original!);
    for (const { key: created } of await store.list('manifest/', { startAfter: 'manifest/00000000000000000001.json' }))
      await store.delete(created);
  };
  await damage('manifest/00000000000000000001.json', (bytes) => bytes.subarray(0, 40));
  await damage('wal/00000000000000000002.wal', (bytes) => bytes.fill(0, 40, 42));
  await damage('wal/00000000000000000004.wal', (bytes) => bytes.subarray(0, -3));
  await damage('wal/00000000000000000004.wal', () => new Uint8Array(0));
  await damage('wal/00000000000000000003.wal', () => null);
  await damage('wal/00000000000000000001.wal', () => null);
  const gap = { kind: 'commits', number: 4, epoch: 1, depth: 0, writerId: 'w', firstSequence: 9, commits: [commit(9)] } as const;
  await damage('wal/00000000000000000004.wal', () => encodeWalObject(gap));
});

test('objects without a manifest are not taken for a new namespace', async () => {
  const store = freshStore();
  const writer = await open(store);
  await writer.close();
  await store.delete('manifest/00000000000000000001.json');
  await assert.rejects(open(store), (error) => isDamageReport(error, 'wal/00000000000000000001.wal'));
});

test('a store that ignores conditions is refused', async () => {
  const inner = freshStore();
  const careless: ObjectStore = {
    ...withMetrics(inner).store,
    async putIfAbsent(key, bytes) {
      await inner.put(key, bytes);
      return true;
    },
  };
  await assert.rejects(open(careless), { code: 'UNSUPPORTED' });
  assert.deepEqual(await inner.list(''), []);
});

test('a reader that was away goes past what a sleeping writer has put under a number that it would have read next', async () => {
  const store = freshStore({ now: () => clock.now() });
  const former = await open(store, 'former');
  await appendAll(former, 1, 2);
  const reader = await read(store);
  const successor = await open(store, 'successor');
  await appendAll(successor, 3, 5);
  await successor.publish({ add: [], remove: [], sequence: 5 });
  clock.advance(3_600_000);
  await successor.collectGarbage({ graceMs: 0, retainVersions: 1 });
  const commits = [commit(7)];
  await store.put(
    'wal/00000000000000000004.wal',
    encodeWalObject({ kind: 'commits', number: 4, epoch: 1, depth: 0, writerId: 'former', firstSequence: 7, commits }),
  );
  const news = await reader.poll({ search: true });
  assert.deepEqual([news.rebase, news.manifest.sequence, news.commits], [true, 5, []]);
});
