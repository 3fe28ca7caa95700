/** Commits as a cursor gives them out: in order, once, and none that its writer takes back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../../base/index.ts';
import { type ObjectStore, openMemoryStore } from '../../object-store/index.ts';
import type { LoggedCommit, LogPosition } from '../api.ts';
import { walKey } from '../keys.ts';
import { encodeWalObject, type WalObject } from '../wal/wal-object.ts';
import { WalLogCursor } from './log-cursor.ts';

const BEGINNING: LogPosition = { sequence: 0, walNumber: 1, epoch: 0, crc32: 0 };
let stores = 0;

const freshStore = (): ObjectStore => openMemoryStore({ scheme: 'memory', name: `log-cursor-${++stores}`, namespace: 'n' });

interface Put {
  readonly kind?: WalObject['kind'];
  readonly epoch?: number;
  readonly depth?: number;
  readonly first: number;
  /** The changes of each commit, as a number. */
  readonly commits?: readonly number[];
}

async function put(
  store: ObjectStore,
  number: number,
  { kind = 'commits', epoch = 1, depth = 0, first, commits = [] }: Put,
): Promise<void> {
  const logged = commits.map((changes, index) => ({ sequence: first + index, changes: new Uint8Array([changes]) }));
  await store.putIfAbsent(
    walKey(number),
    encodeWalObject({ kind, number, epoch, writerId: `w${epoch}`, depth, firstSequence: first, commits: logged }),
  );
}

const told = (commits: readonly LoggedCommit[]): number[][] =>
  commits.map(({ sequence, changes, walNumber }) => [sequence, changes[0]!, walNumber]);

const isGone = (error: unknown): boolean => error instanceof GraphDBError && error.code === 'GONE';

test('what a writer takes back is not given out, and what it puts in its place is', async () => {
  const store = freshStore();
  await put(store, 1, { kind: 'epoch-start', first: 1 });
  await put(store, 2, { first: 1, commits: [10] });
  await put(store, 3, { first: 2, commits: [20, 30] });
  await put(store, 4, { kind: 'seal', first: 4 });
  await put(store, 5, { first: 2, commits: [21] });
  await put(store, 6, { first: 3, commits: [31] });
  const cursor = new WalLogCursor(store, BEGINNING);
  const whole = [
    [1, 10, 2],
    [2, 21, 5],
    [3, 31, 6],
  ];
  assert.deepEqual(told(await cursor.read(3)), whole);
  assert.deepEqual(await cursor.read(3), []);
});

test('who has read what is taken back later is told', async () => {
  const store = freshStore();
  await put(store, 1, { first: 1, commits: [10] });
  await put(store, 2, { first: 2, commits: [20] });
  const cursor = new WalLogCursor(store, BEGINNING);
  assert.deepEqual(told(await cursor.read(2)).length, 2);
  await put(store, 3, { kind: 'seal', first: 3 });
  await put(store, 4, { first: 2, commits: [21, 31] });
  await assert.rejects(cursor.read(3), isGone);
  const again = new WalLogCursor(store, { ...BEGINNING, sequence: 2, walNumber: 2, epoch: 1 });
  await assert.rejects(again.read(3), isGone);
});

test('commits behind the limit wait; objects of a former epoch, and those beside a number that is no commit, do not count', async () => {
  const store = freshStore();
  await put(store, 1, { first: 1, commits: [10, 20] });
  await put(store, 2, { kind: 'epoch-start', epoch: 2, first: 3 });
  await put(store, 3, { first: 3, commits: [99] });
  await put(store, 4, { kind: 'seal', epoch: 2, first: 3 });
  await put(store, 5, { epoch: 2, depth: 1, first: 3, commits: [98] });
  await put(store, 6, { epoch: 2, first: 3, commits: [30, 40] });
  const cursor = new WalLogCursor(store, BEGINNING);
  assert.deepEqual(told(await cursor.read(1)), [[1, 10, 1]]);
  assert.deepEqual(told(await cursor.read(3)), [
    [2, 20, 1],
    [3, 30, 6],
  ]);
  assert.deepEqual(told(await cursor.read(4)), [[4, 40, 6]]);
  // The start is not read: its epoch is known.
  const behind = new WalLogCursor(store, { ...BEGINNING, sequence: 2, walNumber: 3, epoch: 2 });
  assert.deepEqual(
    told(await behind.read(4)).map(([sequence]) => sequence),
    [3, 4],
  );
});

test('a commit that is durable and not there is gone; a long log comes in parts', async () => {
  const store = freshStore();
  for (let number = 1; number <= 60; number++) await put(store, number, { first: number, commits: [number] });
  const cursor = new WalLogCursor(store, BEGINNING);
  const parts: number[][] = [];
  for (let part = await cursor.read(60); part.length > 0; part = await cursor.read(60)) parts.push(part.map(({ sequence }) => sequence));
  assert.deepEqual(
    parts.flat(),
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  assert.ok(parts.length > 1);
  await assert.rejects(cursor.read(61), isGone);
  await assert.rejects(new WalLogCursor(store, { ...BEGINNING, walNumber: 5 }).read(10), isGone, 'what comes first is missing');
});
