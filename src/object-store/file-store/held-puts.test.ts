/**
 * Held names and journals: every step of the protocol cut off or met by a rival, and what a crash of the system may do
 * to names, done by hand.
 */

import assert from 'node:assert/strict';
import { closeSync, linkSync, lstatSync, openSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ObjectStore } from '../object-store.ts';
import { testConformance } from '../testing/conformance.ts';
import { type FileStoreTuning, openFileStore } from './file-store.ts';
import { markText, nameStateOf, OwnerPaths } from './internal-names.ts';
import { errorCode } from './io-errors.ts';
import { encodeRecord, type PlacedRecord, readRecords, recordBytes } from './journal-format.ts';
import { JournalOwners } from './journal-owners.ts';

const FIRST_START = '11111111-1111-4111-8111-111111111111';
const SECOND_START = '22222222-2222-4222-8222-222222222222';

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

function placeOf(namespace: string): Place {
  const open = (tuning?: FileStoreTuning): ObjectStore =>
    openFileStore({ scheme: 'file', directory, namespace }, { bootId: FIRST_START, allowsJournals: true, journalAfterPuts: 0, ...tuning });
  return { root: join(directory, namespace), open };
}

function fresh(): Place {
  return placeOf(`n${count++}`);
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

function key(number: number): string {
  return `wal/${String(number).padStart(6, '0')}.wal`;
}

async function contentOf(store: ObjectStore, name: string): Promise<string | null> {
  const bytes = await store.get(name);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

function ownerOf({ root }: Place, name: string): string | null {
  const state = nameStateOf(join(root, name));
  return typeof state === 'object' ? state.owner : null;
}

interface Writer {
  readonly store: ObjectStore;
  /** The first number whose name is held and not used. */
  readonly next: number;
  readonly paths: OwnerPaths;
}

/** A store that holds the next names; the puts until then went without a journal. */
async function writerIn(place: Place, tuning?: FileStoreTuning, from = 1): Promise<Writer> {
  const store = place.open(tuning);
  for (let number = from; ; number++) {
    assert.ok(number < from + 1_000, 'no names are held');
    assert.equal(await store.putIfAbsent(key(number), text(`early ${number}`)), true);
    await setImmediate();
    const id = ownerOf(place, key(number + 1));
    if (id !== null && (await openOwners(place)).includes(id)) return { store, next: number + 1, paths: new OwnerPaths(place.root, id) };
  }
}

async function openOwners({ root }: Place): Promise<string[]> {
  return (await readdir(join(root, '.journal'))).filter((name) => /^[0-9a-f]{12}$/.test(name));
}

async function recordsOf({ paths }: Writer): Promise<PlacedRecord[]> {
  const numbers = (await readdir(paths.folder)).filter((name) => name.startsWith(`${paths.id}-`));
  const found = await Promise.all(numbers.map((name) => readRecords(join(paths.folder, name))));
  return found.flatMap((records) => [...(records ?? [])]);
}

/** Appends to the journal as a owner would that dies or stops right after: a record that nobody has answered for. */
async function appendByHand({ paths }: Writer, name: string, content: string, cutOff = 0): Promise<void> {
  const at = (await readRecords(paths.journal(1)))!.at(-1)?.end ?? 64;
  const into = Buffer.alloc(at + recordBytes(name, text(content).length));
  encodeRecord({ kind: 'content', key: name, storedAtMs: Date.now(), body: text(content) }, { into, at, durableBytes: at });
  const record = into.subarray(at);
  const fd = openSync(paths.journal(1), 'r+');
  writeSync(fd, record, 0, record.length - cutOff, at);
  closeSync(fd);
}

async function keysOf(store: ObjectStore): Promise<string[]> {
  return (await store.list('')).map((info) => info.key);
}

testConformance('file, with a small journal', async () => {
  const place = fresh();
  return { open: async () => place.open({ journalBytes: 8_192 }), dispose: async () => {} };
});

test('held names are no objects until they are used; then they are like any other', async () => {
  const place = fresh();
  const { store, next, paths } = await writerIn(place);
  const other = place.open();
  for (const reader of [store, other]) {
    assert.equal(await reader.get(key(next)), null);
    assert.equal(await reader.size(key(next)), null);
    assert.equal((await keysOf(reader)).at(-1), key(next - 1));
  }
  const beforeMs = Date.now();
  assert.equal(await store.putIfAbsent(key(next), text('content')), true);
  assert.equal(await store.putIfAbsent(key(next), text('again')), false);
  assert.equal(ownerOf(place, key(next)), paths.id, 'it has no file');
  for (const reader of [store, other]) {
    assert.equal(await contentOf(reader, key(next)), 'content');
    assert.equal(await reader.size(key(next)), 7);
    assert.deepEqual(await reader.getRange(key(next), 3, 10), text('tent'));
    assert.deepEqual(await reader.getRange(key(next), 10, 10), text(''));
    const target = new Uint8Array(3);
    assert.equal(await reader.readInto(key(next), 5, target), 2);
    const [info] = await reader.list('wal/', { startAfter: key(next - 1) });
    assert.equal(info?.key, key(next));
    assert.equal(info?.size, 7);
    assert.ok(info!.lastModifiedMs >= beforeMs && info!.lastModifiedMs <= Date.now());
  }
  assert.deepEqual(await readdir(join(place.root, '.tmp')), []);
});

test('a clean close leaves plain files and no journal; the next writer goes on', async () => {
  const place = fresh();
  const writer = await writerIn(place);
  for (let number = writer.next; number < writer.next + 40; number++) await writer.store.putIfAbsent(key(number), text(`${number}`));
  assert.ok((await recordsOf(writer)).length >= 40);
  await writer.store.close();
  assert.deepEqual(await readdir(join(place.root, '.journal')), []);
  for (let number = 1; number < writer.next + 40; number++) assert.ok(lstatSync(join(place.root, key(number))).isFile());
  const again = place.open();
  assert.equal((await keysOf(again)).length, writer.next + 39);
  for (let number = writer.next + 40; number < writer.next + 80; number++)
    assert.equal(await again.putIfAbsent(key(number), text('later')), true);
  await again.close();
  for (let number = 1; number < writer.next + 80; number++) assert.ok(lstatSync(join(place.root, key(number))).isFile());
});

test('a file system that is on no disk of this machine gets no journal, nor do short commands and names without numbers', async () => {
  for (const tuning of [{ allowsJournals: false }, { bootId: null }, { journalAfterPuts: 100 }]) {
    const place = fresh();
    const store = place.open(tuning);
    for (let number = 1; number <= 30; number++) await store.putIfAbsent(key(number), text('x'));
    await store.close();
    await assert.rejects(readdir(join(place.root, '.journal')), { code: 'ENOENT' });
  }
  const place = fresh();
  const store = place.open();
  for (const name of ['data/a', 'data/b', 'data/c']) await store.putIfAbsent(name, text('x'));
  await store.close();
  await assert.rejects(readdir(join(place.root, '.journal')), { code: 'ENOENT' });
});

test('names of other sequences come between: the log stays held', async () => {
  const place = fresh();
  const { store, next } = await writerIn(place, { journalAfterPuts: 3 });
  for (let number = next; number < next + 60; number++) {
    assert.notEqual(ownerOf(place, key(number)), null);
    await store.putIfAbsent(key(number), text('x'));
    await store.putIfAbsent(`manifest/${String(number).padStart(4, '0')}.json`, text('x'));
  }
  await store.close();
});

test('a log that many writers have held one after the other, none of which closed: a listing holds the objects of all', async () => {
  const place = fresh();
  const written: string[] = [];
  for (let from = 1, writers = 0; writers < 12; writers++) {
    const { store, next } = await writerIn(place, {}, from);
    for (let number = from; number <= next + 1; number++) {
      if (number >= next) assert.equal(await store.putIfAbsent(key(number), text(`${number}`)), true);
      written.push(key(number));
    }
    from = next + 2;
  }
  const owners = new Set(written.map((name) => ownerOf(place, name)));
  owners.delete(null);
  assert.equal(owners.size, 12);
  assert.deepEqual(await keysOf(place.open()), written);
});

test('a rival takes a held name: the owner loses it, and all names that it holds, and goes on', async () => {
  const place = fresh();
  const writer = await writerIn(place);
  const { store, next } = writer;
  await store.putIfAbsent(key(next), text('of the owner'));
  const rival = place.open();
  assert.equal(await rival.putIfAbsent(key(next), text('of the rival')), false);
  assert.equal(await rival.putIfAbsent(key(next + 1), text('of the rival')), true);
  assert.equal(await store.putIfAbsent(key(next + 1), text('of the owner')), false);
  assert.ok(lstatSync(join(place.root, key(next + 1))).isFile());
  assert.equal(await store.putIfAbsent(key(next + 2), text('of the owner')), true);
  for (const reader of [store, rival, place.open()]) {
    assert.equal(await contentOf(reader, key(next)), 'of the owner');
    assert.equal(await contentOf(reader, key(next + 1)), 'of the rival');
    assert.equal(await contentOf(reader, key(next + 2)), 'of the owner');
  }
  for (let number = next + 3; number < next + 60; number++) assert.equal(await store.putIfAbsent(key(number), text('x')), true);
  await Promise.all([store.close(), rival.close()]);
  assert.deepEqual(await readdir(join(place.root, '.journal')), []);
});

test('a record that the owner had not answered for: the rival loses to it, and so it is in all eyes', async () => {
  const place = fresh();
  const writer = await writerIn(place);
  await appendByHand(writer, key(writer.next), 'not answered');
  const rival = place.open();
  assert.equal(await rival.putIfAbsent(key(writer.next), text('of the rival')), false);
  assert.equal(await contentOf(rival, key(writer.next)), 'not answered');
  assert.equal(await contentOf(place.open({ bootId: SECOND_START }), key(writer.next)), 'not answered');
});

test('a record that comes after the sign was taken away counts if it was there when the end was decided, else never', async () => {
  for (const order of ['sign, record, end', 'sign, end, record']) {
    const place = fresh();
    const writer = await writerIn(place);
    const { next, paths } = writer;
    await writer.store.putIfAbsent(key(next), text('answered'));
    renameSync(paths.open, paths.sealed);
    if (order === 'sign, record, end') await appendByHand(writer, key(next + 1), 'late');
    assert.equal(await contentOf(place.open(), key(next)), 'answered'); // Decides the end.
    assert.equal((await readdir(paths.folder)).filter((name) => name.startsWith(`${paths.id}.ended-`)).length, 1);
    if (order === 'sign, end, record') await appendByHand(writer, key(next + 1), 'late');
    const counts = order === 'sign, record, end';
    const rival = place.open();
    assert.equal(await contentOf(rival, key(next + 1)), counts ? 'late' : null);
    assert.equal(await rival.putIfAbsent(key(next + 1), text('of the rival')), !counts);
    for (const bootId of [FIRST_START, SECOND_START]) {
      assert.equal(await contentOf(place.open({ bootId }), key(next)), 'answered');
      assert.equal(await contentOf(place.open({ bootId }), key(next + 1)), counts ? 'late' : 'of the rival');
    }
  }
});

test('the owner, stopped between its record and its look at the sign, learns what became of it', async () => {
  for (const decided of ['before the record', 'after the record']) {
    const place = fresh();
    const { store, next, paths } = await writerIn(place);
    const rival = place.open();
    // The flush goes through the pool: the rival runs first.
    const name = key(next);
    if (decided === 'before the record') renameSync(paths.open, join(paths.folder, `${paths.id}.ended-1-64`));
    const put = store.putIfAbsent(name, text('of the owner'));
    const rivalPut = rival.putIfAbsent(name, text('of the rival'));
    const [ours, theirs] = await Promise.all([put, rivalPut]);
    assert.equal(Number(ours) + Number(theirs), 1, decided);
    if (decided === 'after the record') assert.equal(ours, true);
    assert.equal(await contentOf(place.open(), name), ours ? 'of the owner' : 'of the rival');
  }
});

test('a torn record is none', async () => {
  for (const cutOff of [7, 40, 110, 140]) {
    const place = fresh();
    const writer = await writerIn(place);
    await appendByHand(writer, key(writer.next), 'torn '.repeat(20), cutOff);
    const rival = place.open();
    assert.equal(await contentOf(rival, key(writer.next)), null);
    assert.equal(await rival.putIfAbsent(key(writer.next), text('of the rival')), true);
    assert.equal(await contentOf(rival, key(writer.next)), 'of the rival');
  }
});

test(
  'a record that is damaged after it was answered for: reading, taking over and recovery name the journal, and nothing is ' +
    'lost silently',
  async () => {
    for (const [which, ended] of [
      [0, false],
      [0, true],
      [2, true],
    ] as const) {
      const place = fresh();
      const writer = await writerIn(place);
      for (let number = writer.next; number < writer.next + 3; number++)
        assert.equal(await writer.store.putIfAbsent(key(number), text(`answered ${number}`)), true);
      // The rival who ends it has seen all records.
      if (ended) assert.equal(await place.open().putIfAbsent(key(writer.next + 3), text('rival')), true);
      const { bodyAt } = (await recordsOf(writer))[which]!;
      const fd = openSync(writer.paths.journal(1), 'r+');
      writeSync(fd, text('X'), 0, 1, bodyAt);
      closeSync(fd);
      const damaged = { code: 'CORRUPTION', message: /corrupt journal .*-1: the record at byte \d+ is damaged/ };
      await assert.rejects(place.open().get(key(writer.next + which)), damaged);
      await assert.rejects(place.open().list(''), damaged);
      if (!ended) await assert.rejects(place.open().putIfAbsent(key(writer.next + which), text('rival')), damaged);
      await assert.rejects(place.open({ bootId: SECOND_START }).list(''), damaged);
    }
  },
);

test('a mark that has all the names it may have is made anew', async () => {
  const place = fresh();
  const { store, next, paths } = await writerIn(place);
  const elsewhere = join(directory, 'elsewhere');
  await mkdir(elsewhere);
  // Where the file system sets no limit nothing happens, which is fine as well.
  for (let count = 0; count < 66_000; count++) {
    try {
      linkSync(paths.mark, join(elsewhere, String(count)));
    } catch (error) {
      assert.equal(errorCode(error), 'EMLINK');
      break;
    }
  }
  const written = Array.from({ length: 40 }, (_, index) => next + index);
  for (const number of written) assert.equal(await store.putIfAbsent(key(number), text(`${number}`)), true);
  assert.equal(ownerOf(place, key(written.at(-1)!)), paths.id);
  await store.close();
  for (const number of written) assert.equal(await contentOf(place.open(), key(number)), `${number}`);
});

test('a rival killed after it had created its object and before that had its name: the object is there', async () => {
  const place = fresh();
  const writer = await writerIn(place);
  const { next, paths } = writer;
  renameSync(paths.open, join(paths.folder, `${paths.id}.ended-1-64`));
  await writeFile(paths.late(key(next)), 'of the dead rival');
  const store = place.open();
  assert.equal(await contentOf(store, key(next)), 'of the dead rival');
  assert.equal((await keysOf(store)).at(-1), key(next));
  assert.equal(await store.size(key(next)), 17);
  assert.equal(await store.putIfAbsent(key(next), text('mine')), false);
  assert.equal(await writer.store.putIfAbsent(key(next), text('mine')), false);
  const copy = placeOf(`copy${count++}`);
  await cp(place.root, copy.root, { recursive: true, verbatimSymlinks: true });
  await unlink(join(copy.root, key(next))); // The name had not reached the disk when the system went down.
  assert.equal(await contentOf(copy.open({ bootId: SECOND_START }), key(next)), 'of the dead rival');
  await store.delete(key(next));
  assert.equal(await store.get(key(next)), null);
  assert.equal(await store.putIfAbsent(key(next), text('anew')), true);
  assert.equal(await contentOf(store, key(next)), 'anew');
});

test('a rival killed while it made sure of a name that was not held any more: what it left says nothing', async () => {
  const place = fresh();
  const { store, next, paths } = await writerIn(place);
  const rival = place.open();
  assert.equal(await rival.putIfAbsent(key(next), text('first')), true);
  await writeFile(paths.late(key(next)), 'second');
  assert.equal(await contentOf(store, key(next)), 'first');
  await rival.delete(key(next));
  assert.equal(await rival.get(key(next)), null);
  assert.equal(await rival.putIfAbsent(key(next), text('third')), true);
  assert.equal(await contentOf(place.open({ bootId: SECOND_START }), key(next)), 'third');
});

test('delete: of what has a record, of what has none, and then create anew', async () => {
  const place = fresh();
  const { store, next } = await writerIn(place);
  const other = place.open();
  await store.putIfAbsent(key(next), text('x'));
  await other.delete(key(next + 1)); // Held, and no object: it stays held.
  await store.delete(key(next));
  assert.equal(await other.get(key(next)), null);
  assert.deepEqual((await keysOf(other)).at(-1), key(next - 1));
  assert.equal(await store.putIfAbsent(key(next + 1), text('y')), true);
  assert.equal(await store.putIfAbsent(key(next), text('anew')), true);
  assert.equal(await store.putIfAbsent(key(next), text('and again')), false);
  assert.equal(await contentOf(other, key(next)), 'anew');
  assert.equal(await contentOf(place.open({ bootId: SECOND_START }), key(next)), 'anew');
});

test('put replaces what has a record, and takes a held name', async () => {
  const place = fresh();
  const { store, next } = await writerIn(place);
  await store.putIfAbsent(key(next), text('old'));
  const other = place.open();
  await other.put(key(next), text('new'));
  await other.put(key(next + 1), text('new'));
  await assert.rejects(store.putIfAbsent(key(next + 1), text('mine')), { code: 'STORE_UNAVAILABLE', message: /cannot tell/ });
  assert.equal(await store.putIfAbsent(key(next + 1), text('mine')), false);
  assert.equal(await contentOf(store, key(next)), 'new');
  assert.equal(await contentOf(place.open({ bootId: SECOND_START }), key(next)), 'new');
});

test('full journals give way to new ones, and nothing is lost on the way', async () => {
  const place = fresh();
  const { store, next, paths } = await writerIn(place, { journalBytes: 4_096 });
  const reader = place.open();
  for (let number = next; number < next + 1_500; number++) {
    assert.equal(await store.putIfAbsent(key(number), text(`content of ${number}`.padEnd(70))), true);
    if (number % 50 === 0) assert.match((await contentOf(reader, key(number)))!, new RegExp(`^content of ${number} `));
    if (number % 400 === 0) assert.equal((await keysOf(reader)).length, number);
  }
  assert.ok(readdirSync(paths.folder).length <= 40);
  assert.ok(lstatSync(join(place.root, key(next + 100))).isFile(), 'the oldest journals have been retired');
  assert.ok(!lstatSync(join(place.root, key(next + 1_400))).isFile());
  const audit = async (store: ObjectStore): Promise<void> => {
    for (let number = next; number < next + 1_500; number += 7)
      assert.equal(await contentOf(store, key(number)), `content of ${number}`.padEnd(70));
    assert.equal((await keysOf(store)).length, next + 1_499);
  };
  await audit(reader);
  await store.close();
  assert.deepEqual(await readdir(paths.folder), []);
  await audit(reader);
  await audit(place.open());
});

test('a journal goes with its last object', async () => {
  const place = fresh();
  const { store, next, paths } = await writerIn(place, { journalBytes: 4_096 });
  for (let number = next; number < next + 200; number++) await store.putIfAbsent(key(number), text('x'.padEnd(100)));
  const journals = (): number => readdirSync(paths.folder).filter((name) => name.startsWith(`${paths.id}-`)).length;
  assert.ok(journals() >= 5);
  for (const name of await keysOf(store)) await store.delete(name);
  for (let turn = 0; journals() > 2; turn++) {
    assert.ok(turn < 1_000, 'journals without objects stay');
    await setImmediate();
  }
});

test('objects too big for a journal, under held names', async () => {
  const place = fresh();
  const { store, next, paths } = await writerIn(place);
  const big = new Uint8Array(200_000).fill(7);
  for (let number = next; number < next + 20; number++)
    assert.equal(await store.putIfAbsent(key(number), number % 3 === 0 ? big : text('small')), true);
  assert.equal(await store.putIfAbsent(key(next), big), false);
  for (const reader of [store, place.open()]) {
    for (let number = next; number < next + 20; number++) assert.equal(await reader.size(key(number)), number % 3 === 0 ? big.length : 5);
  }
  // One that was killed before it had given the object its name.
  const apart = Array.from({ length: 20 }, (_, index) => next + index).find((number) => number % 3 === 0)!;
  renameSync(join(place.root, key(apart)), paths.apart(key(apart)));
  linkSync(paths.mark, join(place.root, key(apart)));
  assert.equal(await place.open().size(key(apart)), big.length);
  assert.equal((await place.open().list('wal/', { startAfter: key(apart - 1), limit: 1 }))[0]?.size, big.length);
  assert.deepEqual(await place.open({ bootId: SECOND_START }).get(key(apart)), big);
  assert.deepEqual(await readdir(paths.folder), []);
});

test('a crash of the system: whatever became of names, all that was answered for is there', async () => {
  const place = fresh();
  const writer = await writerIn(place);
  const { store, next, paths } = writer;
  const numbers = Array.from({ length: 60 }, (_, index) => next + index);
  for (const number of numbers) await store.putIfAbsent(key(number), text(`content of ${number}`));
  await appendByHand(writer, key(next + 60), 'torn', 8);
  for (const number of numbers) {
    const path = join(place.root, key(number));
    if (number % 3 === 1) await unlink(path); // The name had not reached the disk.
    if (number % 6 === 2) {
      // A recovery that was cut off.
      await unlink(path);
      await writeFile(path, `content of ${number}`);
    }
  }
  for (let number = next + 60; ownerOf(place, key(number)) !== null; number += 2) await unlink(join(place.root, key(number)));
  for (let round = 0; round < 2; round++) {
    const reopened = await Promise.all([1, 2, 3].map(async () => place.open({ bootId: SECOND_START })));
    await Promise.all(
      reopened.map(async (store) => {
        for (const number of numbers) assert.equal(await contentOf(store, key(number)), `content of ${number}`);
        assert.equal((await keysOf(store)).length, next + 59);
      }),
    );
    assert.deepEqual(await readdir(paths.folder), []);
    assert.deepEqual(await readdir(join(place.root, '.tmp')), []);
  }
  const later = place.open({ bootId: SECOND_START });
  for (let number = next + 60; number < next + 120; number++) assert.equal(await later.putIfAbsent(key(number), text('later')), true);
  await later.close();
});

test('a crash of the system after a rival took over: the rival keeps what it has', async () => {
  const place = fresh();
  const writer = await writerIn(place);
  const { store, next, paths } = writer;
  await store.putIfAbsent(key(next), text('of the owner'));
  const rival = place.open();
  await rival.putIfAbsent(key(next + 1), text('of the rival'));
  await appendByHand(writer, key(next + 1), 'too late');
  // The decision is durable before anything is built upon it, so at worst the removal of its traces is lost.
  await rename(join(place.root, key(next + 1)), paths.late(key(next + 1)));
  linkSync(paths.mark, join(place.root, key(next + 1)));
  const reopened = place.open({ bootId: SECOND_START });
  assert.equal(await contentOf(reopened, key(next)), 'of the owner');
  assert.equal(await contentOf(reopened, key(next + 1)), 'of the rival');
});

test('a copy of the folder, made while names are held, is the same namespace, and goes its own way', async () => {
  const place = fresh();
  const { store, next } = await writerIn(place);
  for (let number = next; number < next + 30; number++) await store.putIfAbsent(key(number), text(`${number}`));
  const copy = placeOf(`copy${count++}`);
  await cp(place.root, copy.root, { recursive: true, verbatimSymlinks: true });
  const copied = copy.open();
  assert.deepEqual(await keysOf(copied), await keysOf(store));
  for (let number = next; number < next + 30; number++) assert.equal(await contentOf(copied, key(number)), `${number}`);
  assert.equal(await copied.putIfAbsent(key(next + 30), text('of the copy')), true);
  assert.equal(await store.putIfAbsent(key(next + 30), text('of the original')), true);
  assert.equal(await contentOf(copied, key(next + 30)), 'of the copy');
});

test('an idle owner is retired by another store, notices, and goes on', async () => {
  const place = fresh();
  const { store, next, paths } = await writerIn(place);
  await store.putIfAbsent(key(next), text('x'));
  const hourAgo = Date.now() / 1_000 - 3_600;
  for (const name of await readdir(paths.folder)) if (name !== `${paths.id}.mark`) await utimes(join(paths.folder, name), hourAgo, hourAgo);
  await rm(paths.mark);
  const other = place.open();
  for (let number = 1; (await readdir(paths.folder)).some((name) => name.startsWith(paths.id)); number++) {
    assert.ok(number < 1_000, 'the idle owner stays');
    await other.putIfAbsent(`other/${number}`, text('x'));
  }
  assert.ok(lstatSync(join(place.root, key(next))).isFile());
  for (let number = next + 1; number < next + 50; number++) assert.equal(await store.putIfAbsent(key(number), text(`${number}`)), true);
  await Promise.all([store.close(), other.close()]);
  for (let number = next + 1; number < next + 50; number++) assert.ok(lstatSync(join(place.root, key(number))).isFile());
});

test('the namespace is removed under our feet: the owner notices', async () => {
  const place = fresh();
  const { store } = await writerIn(place);
  await rm(place.root, { recursive: true, maxRetries: 10 }); // Files may be made in it meanwhile.
  for (let number = 1; number < 30; number++) assert.equal(await store.putIfAbsent(key(number), text(`${number}`)), true);
  assert.equal((await keysOf(store)).length, 29);
  await store.close();
  assert.equal(await contentOf(place.open({ bootId: SECOND_START }), key(29)), '29');
});

test('a link of somebody else is left alone', async () => {
  const place = fresh();
  const store = place.open();
  await store.putIfAbsent('a/1', text('content'));
  symlinkSync('1', join(place.root, 'a/good'));
  symlinkSync('nothing', join(place.root, 'a/dangling'));
  assert.equal(await contentOf(store, 'a/good'), 'content');
  assert.equal(await contentOf(store, 'a/dangling'), null);
  assert.deepEqual(await keysOf(store), ['a/1', 'a/good']);
  assert.equal(await store.putIfAbsent('a/dangling', text('x')), false);
});

test('who comes too late to a held name is not read, nor listed, for the moment before he sees that he lost', async () => {
  const place = fresh();
  const { next, paths } = await writerIn(place);
  const rival = place.open();
  assert.equal(await rival.putIfAbsent(key(next), text('of the rival')), true);
  const name = key(next + 1);
  const path = join(place.root, name);
  const reader = place.open();
  const { find, look } = JournalOwners.prototype;
  try {
    for (const read of [
      async () => assert.equal(await contentOf(reader, name), 'of the first'),
      async () => assert.equal(await reader.size(name), 12),
      async () =>
        assert.deepEqual(
          (await reader.list(name)).map(({ size }) => size),
          [12],
        ),
    ]) {
      rmSync(path);
      symlinkSync(markText(paths.id), path);
      // Between a reader's look at the name and its look for what that stands for.
      const happenMeanwhile = (): void => {
        rmSync(path);
        writeFileSync(path, 'of the first');
        writeFileSync(paths.late(name), 'of the second who came too late');
      };
      JournalOwners.prototype.find = async function (...looked) {
        happenMeanwhile();
        return find.apply(this, looked);
      };
      JournalOwners.prototype.look = async function (...looked) {
        happenMeanwhile();
        return look.apply(this, looked);
      };
      await read();
    }
  } finally {
    Object.assign(JournalOwners.prototype, { find, look });
  }
});

test('stores race along one sequence through their journals: each name has one winner, and what was read once stays', async () => {
  const place = fresh();
  const last = 120;
  const racers = 4;
  const won = new Map<string, string>();
  const seen = new Map<string, string>();
  const note = (name: string, content: string | null): void => {
    if (content === null) assert.ok(!seen.has(name), `${name} has vanished`);
    else assert.equal(seen.get(name) ?? content, content, `${name} has changed`);
    if (content !== null) seen.set(name, content);
  };
  let done = false;
  const watch = async (): Promise<void> => {
    const reader = place.open();
    while (!done) {
      for (const { key: name } of await reader.list('wal/')) note(name, await contentOf(reader, name));
      for (const name of seen.keys()) note(name, await contentOf(reader, name));
    }
  };
  const race = async (racer: number): Promise<void> => {
    const store = place.open({ journalBytes: 4_096 });
    for (let number = 1; number <= last; number++) {
      const content = `${number} by ${racer}`.padEnd(racer * 30);
      // Each runs ahead at times, so that names are held, taken and lost.
      for (let turn = (racer * 7 + number * 13) % 23; turn > 0; turn--) await setImmediate();
      if (!(await store.putIfAbsent(key(number), text(content)))) note(key(number), await contentOf(store, key(number)));
      else {
        assert.ok(!won.has(key(number)), `${key(number)} was won twice`);
        won.set(key(number), content);
        note(key(number), await contentOf(store, key(number)));
      }
    }
    await store.close();
  };
  const watching = watch();
  await Promise.all(Array.from({ length: racers }, (_, racer) => race(racer)));
  done = true;
  await watching;
  for (const bootId of [FIRST_START, SECOND_START]) {
    const store = place.open({ bootId });
    assert.equal((await keysOf(store)).length, last);
    for (let number = 1; number <= last; number++) assert.equal(await contentOf(store, key(number)), won.get(key(number)), key(number));
  }
});
