/** The journal: what a crash of the system may do to files that were not synced, done by hand, and what must be there afterwards. */

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { link, mkdtemp, readdir, readFile, rename, rm, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ObjectStore } from '../object-store.ts';
import { testConformance } from '../testing/conformance.ts';
import { type FileStoreTuning, openFileStore } from './file-store.ts';
import { durableName, pendingName } from './internal-names.ts';
import { decodeJournal } from './journal-format.ts';

const FIRST_START = '11111111-1111-4111-8111-111111111111';
const SECOND_START = '22222222-2222-4222-8222-222222222222';
const STORE_ID = 'abcdef012345';

let directory: string;
let count = 0;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'graphdb-journal-'));
});
after(() => rm(directory, { recursive: true, force: true }));

interface Place {
  readonly root: string;
  open(tuning?: FileStoreTuning): ObjectStore;
}

function fresh(): Place {
  const namespace = `n${count++}`;
  const open = (tuning?: FileStoreTuning): ObjectStore =>
    openFileStore({ scheme: 'file', directory, namespace }, { bootId: FIRST_START, ordersNames: true, journalAfterPuts: 0, ...tuning });
  return { root: join(directory, namespace), open };
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

/** A store that uses its journal: the puts until it is made are synced by themselves. */
async function withJournal(place: Place, tuning?: FileStoreTuning): Promise<ObjectStore> {
  const store = place.open(tuning);
  for (let index = 0; (await journaledKeys(place)).length === 0; index++) {
    assert.ok(index < 1_000, 'no journal was made');
    await store.putIfAbsent(`warm/${index}`, text('x'));
  }
  return store;
}

async function journalsOf({ root }: Place): Promise<string[]> {
  const names = await readdir(join(root, '.journal')).catch(() => []);
  return names.map((name) => join(root, '.journal', name));
}

async function journaledKeys(place: Place): Promise<string[]> {
  const contents = await Promise.all((await journalsOf(place)).map(async (path) => decodeJournal(await readFile(path))));
  return contents.flatMap((content) => content?.records.filter(({ kind }) => kind === 'created').map(({ key }) => key) ?? []);
}

testConformance('file, with a small journal', async () => {
  const place = fresh();
  return { open: async () => place.open({ journalBytes: 8_192 }), dispose: async () => {} };
});

test('small objects go through the journal, which a clean close leaves empty-handed', async () => {
  const place = fresh();
  const store = await withJournal(place);
  assert.equal(await store.putIfAbsent('wal/1', text('one')), true);
  assert.equal(await store.putIfAbsent('wal/1', text('two')), false);
  assert.equal(await store.putIfAbsent('data/big', new Uint8Array(100_000)), true);
  assert.deepEqual(
    (await journaledKeys(place)).filter((key) => !key.startsWith('warm/')),
    ['wal/1'],
  );
  assert.deepEqual(await readdir(join(place.root, '.tmp')), []);
  assert.equal(statSync(join(place.root, 'wal/1')).nlink, 1);
  await store.close();
  assert.deepEqual(await readdir(join(place.root, '.journal')), []);
});

test('a file system that does not order names gets no journal, nor does a short command', async () => {
  for (const tuning of [{ ordersNames: false }, { bootId: null }, { journalAfterPuts: 100 }]) {
    const place = fresh();
    const store = place.open(tuning);
    for (let index = 0; index < 20; index++) await store.putIfAbsent(`wal/${index}`, text('x'));
    await store.close();
    await assert.rejects(readdir(join(place.root, '.journal')), { code: 'ENOENT' });
  }
});

test('full journals give way to new ones, and nothing is lost on the way', async () => {
  const place = fresh();
  const store = await withJournal(place, { journalBytes: 4_096 });
  const keys = Array.from({ length: 300 }, (_, index) => `wal/${index}`);
  for (const key of keys) assert.equal(await store.putIfAbsent(key, text(`content of ${key}`)), true);
  assert.ok((await journalsOf(place)).length <= 40);
  await store.close();
  assert.deepEqual(await readdir(join(place.root, '.journal')), []);
  for (const key of keys) assert.deepEqual(await store.get(key), text(`content of ${key}`));
});

test('a crash of the system: whatever became of the unsynced files, all that was answered for is there', async () => {
  const place = fresh();
  const store = await withJournal(place);
  const keys = Array.from({ length: 40 }, (_, index) => `wal/${index}`);
  await Promise.all(keys.map((key) => store.putIfAbsent(key, text(`content of ${key}`))));
  const journaled = new Set(await journaledKeys(place));
  assert.ok(keys.every((key) => journaled.has(key)));
  for (const [index, key] of keys.entries()) {
    const path = join(place.root, key);
    // The removal of the temporary name may or may not have reached the disk.
    const temporary = join(place.root, '.tmp', pendingName(FIRST_START, `${STORE_ID}-${index}`, key));
    if (index % 8 >= 4) await link(path, temporary);
    if (index % 4 === 1) await unlink(path);
    if (index % 4 === 2) await truncate(path, 0);
    if (index % 4 === 3) await truncate(path, 5);
  }
  for (let round = 0; round < 2; round++) {
    const reopened = place.open({ bootId: SECOND_START });
    for (const key of keys) assert.deepEqual(await reopened.get(key), text(`content of ${key}`), key);
    assert.deepEqual(
      (await reopened.list('wal/')).map(({ key }) => key),
      [...keys].sort(),
    );
    assert.deepEqual(await readdir(join(place.root, '.tmp')), []);
    assert.deepEqual(await readdir(join(place.root, '.journal')), []);
  }
});

test('a crash of the system: what was visible but not answered for is gone', async () => {
  const place = fresh();
  const store = await withJournal(place);
  await store.putIfAbsent('wal/1', text('answered'));
  const torn = join(place.root, '.tmp', pendingName(FIRST_START, `${STORE_ID}-1`, 'wal/2'));
  await writeFile(torn, 'to');
  await link(torn, join(place.root, 'wal/2'));
  const unlinked = join(place.root, '.tmp', pendingName(FIRST_START, `${STORE_ID}-2`, 'wal/1'));
  await writeFile(unlinked, 'lost the race for wal/1');
  const reopened = place.open({ bootId: SECOND_START });
  assert.equal(await reopened.get('wal/2'), null);
  assert.deepEqual(await reopened.get('wal/1'), text('answered'));
  assert.equal(await reopened.putIfAbsent('wal/2', text('anew')), true);
  assert.deepEqual(await place.open({ bootId: SECOND_START }).get('wal/2'), text('anew'));
});

test('a crash of the system: what was read by another process stays, though it was not answered for', async () => {
  const place = fresh();
  await place.open().put('wal/0', text('x'));
  const temporary = join(place.root, '.tmp', pendingName(FIRST_START, `${STORE_ID}-1`, 'wal/1'));
  await writeFile(temporary, 'content');
  await link(temporary, join(place.root, 'wal/1'));
  assert.deepEqual(await place.open().get('wal/1'), text('content'));
  assert.deepEqual(await readdir(join(place.root, '.tmp')), [durableName(basename(temporary))]);
  assert.deepEqual(await place.open({ bootId: SECOND_START }).get('wal/1'), text('content'));
});

test('the loser of a put, told that the object exists, has made it durable as well', async () => {
  const place = fresh();
  await place.open().put('wal/0', text('x'));
  const temporary = join(place.root, '.tmp', pendingName(FIRST_START, `${STORE_ID}-1`, 'wal/1'));
  await writeFile(temporary, 'content');
  await link(temporary, join(place.root, 'wal/1'));
  assert.equal(await place.open().putIfAbsent('wal/1', text('mine')), false);
  assert.deepEqual(await place.open({ bootId: SECOND_START }).get('wal/1'), text('content'));
});

test('a crash of the system does not bring back what was deleted or replaced', async () => {
  const place = fresh();
  const store = await withJournal(place);
  for (const key of ['wal/1', 'wal/2', 'wal/3']) await store.putIfAbsent(key, text('old'));
  await store.delete('wal/1');
  await store.put('wal/2', text('new'));
  await store.put('wal/2', text('newest'));
  const reopened = place.open({ bootId: SECOND_START });
  assert.equal(await reopened.get('wal/1'), null);
  assert.deepEqual(await reopened.get('wal/2'), text('newest'));
  assert.deepEqual(await reopened.get('wal/3'), text('old'));
});

test('what a full journal answers for and was deleted never comes in the way of what has its name now', async () => {
  const place = fresh();
  const store = await withJournal(place, { journalBytes: 4_096 });
  const keys = Array.from({ length: 100 }, (_, index) => `wal/${index}`);
  const old = 'old'.padEnd(120);
  for (const key of keys) await store.putIfAbsent(key, text(old));
  assert.ok((await journalsOf(place)).length >= 3);
  for (const key of keys.slice(0, 90)) await store.delete(key);
  // While the next journal is being made, objects are synced by themselves: those are not at stake here.
  const anew: string[] = [];
  for (const key of keys.slice(0, 90)) {
    await store.putIfAbsent(key, text('new'));
    if ((await journaledBodies(place)).some(([journaled, body]) => journaled === key && body === 'new')) anew.push(key);
  }
  assert.ok(anew.length > 10, `${anew.length} of 90`);
  for (const key of anew) await unlink(join(place.root, key));
  const reopened = place.open({ bootId: SECOND_START });
  for (const key of anew) assert.deepEqual(await reopened.get(key), text('new'), key);
  assert.deepEqual(await reopened.get(keys[95]!), text(old));
});

async function journaledBodies(place: Place): Promise<[key: string, body: string][]> {
  const contents = await Promise.all((await journalsOf(place)).map(async (path) => decodeJournal(await readFile(path))));
  return contents.flatMap(
    (content) => content?.records.map(({ key, body }): [string, string] => [key, Buffer.from(body).toString()]) ?? [],
  );
}

test('a full journal goes with its last object', async () => {
  const place = fresh();
  const store = await withJournal(place, { journalBytes: 4_096 });
  for (let index = 0; index < 100; index++) await store.putIfAbsent(`wal/${index}`, text('x'.padEnd(120)));
  assert.ok((await journalsOf(place)).length >= 3);
  for (const { key } of await store.list('')) await store.delete(key);
  for (let turn = 0; (await journalsOf(place)).length > 2; turn++) {
    assert.ok(turn < 1_000, 'journals without objects stay');
    await setImmediate();
  }
});

test('a recovery cut off anywhere is finished by the next one', async () => {
  const place = fresh();
  const store = await withJournal(place);
  await store.putIfAbsent('wal/1', text('content'));
  const [journal] = await journalsOf(place);
  await rename(journal!, `${journal}.sealed`);
  await unlink(join(place.root, 'wal/1'));
  await writeFile(join(place.root, '.tmp', `${STORE_ID}-recovery`), 'cont');
  assert.deepEqual(await place.open({ bootId: SECOND_START }).get('wal/1'), text('content'));
});

test('many stores race for each object through their journals: one winner, no doubt', async () => {
  const place = fresh();
  const stores = await Promise.all(Array.from({ length: 4 }, () => withJournal(place)));
  for (let round = 0; round < 100; round++) {
    const created = await Promise.all(stores.map((store, racer) => store.putIfAbsent(`race/${round}`, text(`racer ${racer}`))));
    assert.equal(created.filter(Boolean).length, 1);
    assert.deepEqual(await stores[0]!.get(`race/${round}`), text(`racer ${created.indexOf(true)}`));
  }
  assert.deepEqual(await readdir(join(place.root, '.tmp')), []);
  await Promise.all(stores.map((store) => store.close()));
});

test('a process whose journal was taken goes on, and answers for nothing that could be lost', async () => {
  const place = fresh();
  const store = await withJournal(place);
  const hourAgo = Date.now() / 1_000 - 3_600;
  for (const path of await journalsOf(place)) await utimes(path, hourAgo, hourAgo);
  const other = await withNewJournal(place);
  assert.equal(await store.putIfAbsent('after/1', text('x')), true);
  assert.ok(!(await journaledKeys(place)).includes('after/1'), 'synced by itself');
  assert.equal(statSync(join(place.root, 'after/1')).nlink, 1);
  for (let index = 0; index < 50; index++) assert.equal(await store.putIfAbsent(`later/${index}`, text('x')), true);
  await Promise.all([store.close(), other.close()]);
  assert.deepEqual(await readdir(join(place.root, '.journal')), []);
  assert.equal((await store.list('later/')).length, 50);
});

async function withNewJournal(place: Place): Promise<ObjectStore> {
  const [old] = readdirSync(join(place.root, '.journal'));
  const other = place.open();
  for (let index = 0; readdirSync(join(place.root, '.journal')).some((name) => name.startsWith(old!)); index++) {
    assert.ok(index < 1_000, 'the old journal was not taken');
    await other.putIfAbsent(`other/${index}`, text('x'));
  }
  return other;
}

test('the namespace is removed under our feet: the journal notices', async () => {
  const place = fresh();
  const store = await withJournal(place);
  await store.putIfAbsent('wal/1', text('x'));
  await rm(place.root, { recursive: true, maxRetries: 10 }); // Files may be made in it meanwhile.
  for (let index = 0; index < 30; index++) assert.equal(await store.putIfAbsent(`wal/${index}`, text(`${index}`)), true);
  await store.close();
  assert.equal((await store.list('wal/')).length, 30);
  assert.deepEqual(await place.open({ bootId: SECOND_START }).get('wal/29'), text('29'));
});
