/** Several puts of the log in flight: who is answered when, and what counts of what was put behind a number that is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ObjectStore, storeUnavailable, withMetrics } from '../../object-store/index.ts';
import type { Namespace } from '../api.ts';
import { walKey } from '../keys.ts';
import { inspectNamespace } from '../maintenance/inspect-namespace.ts';
import { openNamespace } from '../open-namespace.ts';
import { appendAll, commit, freshStore, TestClock, textOf } from '../testing/test-store.ts';
import { decodeWalObject, encodeWalObject, type WalObject } from './wal-object.ts';
import { WalReplay } from './wal-replay.ts';

const WINDOW = { puts: 4, isPaced: false };
const NOW = { graceMs: 0, retainVersions: 1 };

interface HeldPut {
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Lets the store make it and answer. */
  readonly make: () => Promise<void>;
  /** The store makes nothing, and says that it failed. */
  readonly fail: () => void;
}

/** A store whose puts to the log are held as long as `isHolding`. */
function holding(inner: ObjectStore): { readonly store: ObjectStore; readonly held: HeldPut[]; isHolding: boolean } {
  const state = {
    held: [] as HeldPut[],
    isHolding: false,
    store: {
      ...withMetrics(inner).store,
      putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
        if (!state.isHolding || !key.startsWith('wal/')) return inner.putIfAbsent(key, bytes);
        const { promise, resolve, reject } = Promise.withResolvers<boolean>();
        const number = Number(key.slice(4, -4));
        const make = async (): Promise<void> => resolve(await inner.putIfAbsent(key, bytes));
        state.held.push({ number, bytes: bytes.slice(), make, fail: () => reject(storeUnavailable('held', { transient: true })) });
        return promise;
      },
    },
  };
  return state;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Appends with some turns between, so that each commit has a put of its own. Returns the texts of those that are
 * answered, and the codes of those that are refused, as they are.
 */
async function appendApart(writer: Namespace, from: number, to: number): Promise<string[]> {
  const fates: string[] = [];
  for (let sequence = from; sequence <= to; sequence++) {
    writer.append(commit(sequence)).then(
      () => fates.push(`commit ${sequence}`),
      (error) => fates.push(`${sequence} ${error.code}${error.outcomeUnknown ? ' unknown' : ''}`),
    );
    await turns();
  }
  return fates;
}

const clock = new TestClock();

class Setting {
  readonly inner = freshStore({ now: () => clock.now() });
  readonly gate = holding(this.inner);

  open(writerId: string): Promise<Namespace> {
    return openNamespace(this.gate.store, { name: 'test', clock, writerId, logWindow: WINDOW });
  }

  read(): Promise<Namespace> {
    return openNamespace(this.inner, { name: 'test', clock, readOnly: true });
  }

  async recovered(): Promise<string[]> {
    return (await this.read()).recovered.map(textOf);
  }

  put(number: number): HeldPut {
    return this.gate.held.find((each) => each.number === number)!;
  }
}

/** A writer with commits 1 to 5 in flight or waiting: numbers 2 to 5 are held. */
async function fourInFlight(setting: Setting): Promise<{ readonly writer: Namespace; readonly fates: string[] }> {
  const writer = await setting.open('former');
  setting.gate.isHolding = true;
  const fates = await appendApart(writer, 1, 5);
  assert.deepEqual(
    setting.gate.held.map(({ number, bytes }) => [number, decodeWalObject(number, bytes).depth]),
    [2, 3, 4, 5].map((number, depth) => [number, depth]),
  );
  return { writer, fates };
}

test('four puts are in flight; answers wait for all lower numbers, and nobody reads behind a gap', async () => {
  const setting = new Setting();
  const { writer, fates } = await fourInFlight(setting);
  const follower = await setting.read();
  for (const number of [5, 3, 4]) await setting.put(number).make();
  await turns();
  assert.deepEqual([fates, await setting.recovered(), (await follower.poll()).commits], [[], [], []]);
  assert.deepEqual((await inspectNamespace(setting.inner)).problems, []);
  await setting.put(2).make();
  await turns();
  assert.deepEqual(fates, ['commit 1', 'commit 2', 'commit 3', 'commit 4']);
  assert.deepEqual((await follower.poll()).commits.map(textOf), fates);
  await setting.put(6).make();
  await turns();
  assert.deepEqual([fates.at(-1), writer.durableSequence], ['commit 5', 5]);
});

test('a put that fails takes all behind it down, stored or not; a seal keeps them from counting', async () => {
  const setting = new Setting();
  const { writer, fates } = await fourInFlight(setting);
  const follower = await setting.read();
  const late = setting.put(3);
  await setting.put(2).make();
  for (const number of [4, 5]) await setting.put(number).make();
  setting.gate.isHolding = false;
  // The other three attempts fail as well.
  const { putIfAbsent } = setting.gate.store;
  let refused = 0;
  Object.assign(setting.gate.store, {
    putIfAbsent: (key: string, bytes: Uint8Array) =>
      key === walKey(3) && ++refused <= 3 ? Promise.reject(storeUnavailable('down', { transient: true })) : putIfAbsent(key, bytes),
  });
  late.fail();
  await turns();
  assert.deepEqual(fates, ['commit 1', '2 STORE_UNAVAILABLE', '3 STORE_UNAVAILABLE', '4 STORE_UNAVAILABLE', '5 STORE_UNAVAILABLE']);
  assert.equal(await setting.inner.putIfAbsent(walKey(3), late.bytes), false);
  assert.deepEqual((await follower.poll()).commits.map(textOf), ['commit 1']);
  // The floor never lies between the seal and what must not count.
  assert.equal((await writer.publish({ add: [], remove: [], sequence: 1 })).manifest.walFloor, 3);
  assert.deepEqual(await setting.recovered(), []);
  await writer.append(commit(2, 'instead'));
  assert.deepEqual([await setting.recovered(), (await follower.poll()).commits.map(textOf)], [['instead'], ['instead']]);
  assert.equal((await writer.publish({ add: [], remove: [], sequence: 1 })).manifest.walFloor, 7);
  await writer.collectGarbage(NOW);
  assert.deepEqual([await setting.recovered(), (await inspectNamespace(setting.inner)).problems], [['instead'], []]);
  const successor = await setting.open('latter');
  assert.deepEqual(successor.recovered.map(textOf), ['instead']);
});

test('where the seal fails too all that was in flight is in doubt, and taken back by what comes next', async () => {
  const setting = new Setting();
  const { writer, fates } = await fourInFlight(setting);
  const late = [2, 3].map((number) => setting.put(number));
  for (const number of [4, 5]) await setting.put(number).make();
  setting.gate.isHolding = false;
  let isDown = true;
  const { putIfAbsent } = setting.gate.store;
  Object.assign(setting.gate.store, {
    putIfAbsent: (key: string, bytes: Uint8Array) =>
      isDown && key.startsWith('wal/') ? Promise.reject(storeUnavailable('down', { transient: true })) : putIfAbsent(key, bytes),
  });
  for (const { fail } of late) fail();
  await turns();
  const unknown = [1, 2, 3, 4].map((sequence) => `${sequence} STORE_UNAVAILABLE unknown`);
  assert.deepEqual(fates, [...unknown, '5 STORE_UNAVAILABLE']);
  // The store makes the first two after all: then all count until the writer goes on.
  for (const { number, bytes } of late) assert.ok(await setting.inner.putIfAbsent(walKey(number), bytes));
  assert.deepEqual((await setting.recovered()).length, 4);
  isDown = false;
  await writer.append(commit(1, 'instead'));
  assert.deepEqual(await setting.recovered(), ['instead']);
  await writer.publish({ add: [], remove: [], sequence: 1 });
  assert.deepEqual((await setting.open('latter')).recovered, []);
});

test('a successor starts at the first absent number, and nothing of the former writer behind it counts, whenever it comes', async () => {
  const setting = new Setting();
  const { fates, writer } = await fourInFlight(setting);
  const follower = await setting.read();
  await setting.put(2).make();
  await setting.put(4).make();
  const [lost, later] = [setting.put(3), setting.put(5)];
  await turns();
  setting.gate.isHolding = false;
  const successor = await setting.open('latter');
  assert.deepEqual(successor.recovered.map(textOf), ['commit 1']);
  const kinds = await Promise.all([3, 4, 5, 6].map(async (number) => decodeWalObject(number, (await setting.inner.get(walKey(number)))!)));
  assert.deepEqual(
    kinds.map(({ kind, epoch }) => `${kind} ${epoch}`),
    ['epoch-start 2', 'commits 1', 'seal 2', 'seal 2'],
  );
  // What the former writer had asked of the store comes too late, and it is told.
  for (const put of [lost, later, setting.put(6)]) await put.make();
  await turns();
  assert.deepEqual(fates.slice(0, 4), ['commit 1', ...[2, 3, 4].map((sequence) => `${sequence} WRITER_FENCED`)]);
  await assert.rejects(writer.append(commit(2)), { code: 'WRITER_FENCED' });
  await appendAll(successor, 2, 3, 'latter');
  assert.deepEqual(await setting.recovered(), ['commit 1', 'latter', 'latter']);
  assert.deepEqual((await follower.poll()).commits.map(textOf), ['commit 1', 'latter', 'latter']);
  // Removed as nobody needs it, and made again by the same request.
  const sleeper = await setting.read();
  await successor.publish({ add: [], remove: [], sequence: 3 });
  clock.advance(3_600_000);
  await successor.collectGarbage(NOW);
  assert.equal(await setting.inner.get(walKey(4)), null);
  assert.ok(await setting.inner.putIfAbsent(walKey(4), kinds[1]!.commits.length > 0 ? encodeWalObject(kinds[1]!) : new Uint8Array()));
  assert.deepEqual([(await sleeper.poll({ search: true })).commits, sleeper.durableSequence], [[], 3]);
  assert.deepEqual(await setting.recovered(), []);
});

test('B10: a writer that slept with four puts on their way meets what it put, or its successor, after any collection', async () => {
  for (const made of [[], [2], [2, 3], [2, 3, 4], [2, 3, 4, 5]]) {
    const setting = new Setting();
    const { fates } = await fourInFlight(setting);
    // The store has made them; the writer has not heard of it.
    for (const number of made) assert.ok(await setting.inner.putIfAbsent(walKey(number), setting.put(number).bytes));
    setting.gate.isHolding = false;
    const successor = await setting.open('latter');
    await appendAll(successor, made.length + 1, made.length + 9);
    await successor.publish({ add: [], remove: [], sequence: made.length + 9 });
    clock.advance(365 * 86_400_000);
    await successor.collectGarbage(NOW);
    for (const { fail } of setting.gate.held) fail();
    await turns();
    const answered = made.map((_, index) => `commit ${index + 1}`);
    const fenced = [1, 2, 3, 4, 5].slice(made.length).map((sequence) => `${sequence} WRITER_FENCED`);
    assert.deepEqual(fates, [...answered, ...fenced], `${made}`);
  }
});

test('a successor that never finds a free number in time is not kept out: the manifests are asked every 64 puts', async () => {
  const setting = new Setting();
  const former = await setting.open('former');
  setting.gate.isHolding = true;
  const opening = setting.open('latter');
  await turns();
  setting.gate.isHolding = false;
  await appendAll(former, 1, 63);
  await turns();
  await assert.rejects(former.append(commit(64)), { code: 'WRITER_FENCED' });
  await setting.put(2).make();
  assert.equal((await opening).recovered.length, 63);
});

test('looks that end close to each other leave nothing to wait for', async () => {
  for (let apart = 0; apart < 12; apart++) {
    const inner = freshStore();
    const held: (() => void)[] = [];
    const store: ObjectStore = {
      ...withMetrics(inner).store,
      async size(key, options) {
        if (key.startsWith('wal/')) await new Promise<void>((resolve) => held.push(resolve));
        return inner.size(key, options);
      },
    };
    const writer = await openNamespace(store, { name: 'test', clock, logWindow: WINDOW });
    const looks = [writer.confirmWriter()];
    await turns();
    looks.push(writer.confirmWriter());
    await turns();
    held[0]!();
    for (let turn = 0; turn < apart; turn++) await null;
    held[1]!();
    await Promise.all(looks);
    let isClosed = false;
    const closing = writer.close().then(() => {
      isClosed = true;
    });
    await turns();
    assert.ok(isClosed, `${apart} microtasks apart`);
    await closing;
  }
});

test('an object counts if all that were in flight before it do', () => {
  const object = (number: number, kind: WalObject['kind'], depth: number): WalObject => {
    const commits = kind === 'commits' ? [{ sequence: firstSequence, changes: Uint8Array.of(number) }] : [];
    return { kind, number, epoch: 1, writerId: 'w', depth, firstSequence, commits };
  };
  let firstSequence = 1;
  const replay = new WalReplay(0, []);
  const read: number[] = [];
  for (const [kind, depth, counts] of [
    ['epoch-start', 0, true],
    ['commits', 0, true],
    ['commits', 1, true],
    ['seal', 0, true],
    ['commits', 1, false],
    ['commits', 2, false],
    ['commits', 0, true],
    ['commits', 1, true],
    ['commits', 2, true],
  ] as const) {
    const number = read.push(1);
    replay.add(object(number, kind, depth));
    assert.equal(replay.commits.at(-1)?.changes[0] === number, counts && kind === 'commits', `${number}`);
    if (counts && kind === 'commits') firstSequence++;
  }
});

test('a commit that cannot be made an object leaves no gap in the log, whether others are in flight or not', async () => {
  const setting = new Setting();
  const writer = await setting.open('w');
  const changes = new Uint8Array(8);
  structuredClone(changes.buffer, { transfer: [changes.buffer] });
  await assert.rejects(writer.append({ sequence: 1, changes }), TypeError);
  await writer.append(commit(1));
  setting.gate.isHolding = true;
  const fates = await appendApart(writer, 2, 2);
  await assert.rejects(writer.append({ sequence: 3, changes }), TypeError);
  setting.gate.isHolding = false;
  await setting.put(3).make();
  await turns();
  assert.deepEqual(fates, ['commit 2']);
  await writer.append(commit(3));
  assert.deepEqual(await setting.recovered(), ['commit 1', 'commit 2', 'commit 3']);
  await writer.close();
});

test('a commit of more bytes than an object of the log can tell is refused, with what builds on it', async () => {
  const setting = new Setting();
  const writer = await setting.open('w');
  const changes = Object.defineProperty(new Uint8Array(0), 'length', { value: 2 ** 32 });
  await Promise.all([
    assert.rejects(writer.append({ sequence: 1, changes }), { code: 'UNSUPPORTED', message: /4294967296 bytes of changes/ }),
    assert.rejects(writer.append(commit(2)), { code: 'STORE_UNAVAILABLE', message: /builds on one that could not be stored/ }),
  ]);
  await writer.append(commit(1));
  assert.deepEqual(await setting.recovered(), ['commit 1']);
  await writer.close();
});
