/**
 * The conformance suite of every object store. Registers one `describe` with node:test; run for memory and file in the
 * unit tests, for real servers by scripts/test-stores.ts. Each store given is empty; several may be opened over the
 * same place, as several processes would.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ObjectStore } from '../object-store.ts';
import { probeStore } from '../probe.ts';

export interface ConformanceSubject {
  /** Opens a new client of the same place at each call. */
  open(): Promise<ObjectStore>;
  dispose(): Promise<void>;
}

const RACERS = 8;

export interface ConformanceOptions {
  readonly raceRounds?: number;
  /** How many objects one answer of the service lists; the suite creates more. */
  readonly pageObjects?: number;
}

export function testConformance(name: string, create: () => Promise<ConformanceSubject>, options: ConformanceOptions = {}): void {
  const { raceRounds = 10, pageObjects = 100 } = options;
  describe(`object store: ${name}`, () => {
    let subject: ConformanceSubject;
    let store: ObjectStore;
    before(async () => {
      subject = await create();
      store = await subject.open();
    });
    after(async () => {
      await store.close();
      await subject.dispose();
    });
    testAbsence(() => store);
    testPuts(() => store);
    testRanges(() => store);
    testLists(() => store, pageObjects);
    testDelete(() => store);
    testAbort(() => store);
    testClients(
      () => subject,
      () => store,
    );
    test(`one of ${RACERS} writers creates an object, ${raceRounds} times`, async () => {
      const stores = await Promise.all(Array.from({ length: RACERS }, () => subject.open()));
      for (let round = 0; round < raceRounds; round++) await race(stores, `race/${round}`);
      await Promise.all(stores.map((racer) => racer.close()));
    });
    test('passes the probe', () => probeStore(store));
  });
}

function testAbsence(store: () => ObjectStore): void {
  test('an object that is not there: null', async () => {
    for (const key of ['absent', 'absent/deeper/still']) {
      assert.equal(await store().get(key), null);
      assert.equal(await store().getRange(key, 0, 10), null);
      assert.equal(await store().getRange(key, 0, 0), null);
      assert.equal(await store().readInto(key, 0, new Uint8Array(4)), null);
      assert.equal(await store().readInto(key, 0, new Uint8Array(0)), null);
      assert.equal(await store().size(key), null);
    }
  });
}

function testPuts(store: () => ObjectStore): void {
  test('put-if-absent creates once and never changes', async () => {
    assert.equal(await store().putIfAbsent('once/a', text('first')), true);
    assert.equal(await store().putIfAbsent('once/a', text('second')), false);
    assert.equal(await store().putIfAbsent('once/a', text('first')), false);
    assert.equal(read(await store().get('once/a')), 'first');
  });

  test('put replaces', async () => {
    await store().put('replaced', text('a longer first content'));
    await store().put('replaced', text('second'));
    assert.equal(read(await store().get('replaced')), 'second');
    assert.equal(await store().size('replaced'), 6);
  });

  test('an empty object is an object', async () => {
    assert.equal(await store().putIfAbsent('empty', new Uint8Array(0)), true);
    assert.equal(await store().putIfAbsent('empty', text('x')), false);
    assert.deepEqual(await store().get('empty'), new Uint8Array(0));
    assert.equal(await store().size('empty'), 0);
    assert.deepEqual(await store().getRange('empty', 0, 5), new Uint8Array(0));
    assert.equal(await store().readInto('empty', 0, new Uint8Array(5)), 0);
  });

  test('a big object', async () => {
    const bytes = pattern(9_000_001);
    assert.equal(await store().putIfAbsent('big', bytes), true);
    assert.equal(await store().size('big'), bytes.length);
    assert.ok(Buffer.from((await store().get('big'))!).equals(bytes));
    assert.deepEqual(await store().getRange('big', 8_999_990, 100), bytes.slice(8_999_990));
  });

  test('a view of a larger buffer is put as the view, and a shared one too', async () => {
    await store().put('view', pattern(100).subarray(10, 20));
    assert.deepEqual(await store().get('view'), pattern(100).slice(10, 20));
    const shared = new Uint8Array(new SharedArrayBuffer(10));
    shared.set(text('sharedness'));
    await store().put('shared', shared);
    assert.equal(read(await store().get('shared')), 'sharedness');
  });

  test('odd keys', async () => {
    const keys = [
      'a.b',
      'a-b',
      '=',
      '~x/_y/-z',
      'p%20q',
      'p%2Fq',
      '%',
      'a+b',
      'A',
      'user@host',
      'x'.repeat(200),
      `deep/${'y/'.repeat(40)}end`,
    ];
    for (const key of keys) {
      assert.equal(await store().putIfAbsent(`odd/${key}`, text(key)), true, key);
      assert.equal(await store().putIfAbsent(`odd/${key}`, text('again')), false, key);
    }
    for (const key of keys) assert.equal(read(await store().get(`odd/${key}`)), key);
    assert.deepEqual(await keysOf(store(), 'odd/'), keys.map((key) => `odd/${key}`).sort());
  });

  test('keys that some store could not take are refused', async () => {
    for (const key of [
      '',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/../b',
      '.tmp/a',
      'a/.b',
      'a.',
      'a b',
      'a\\b',
      'a\0',
      'ä',
      'x'.repeat(201),
      'ab/'.repeat(300),
    ]) {
      await assert.rejects(async () => store().putIfAbsent(key, text('x')), { code: 'INTERNAL' }, key);
      await assert.rejects(async () => store().get(key), { code: 'INTERNAL' }, key);
    }
  });
}

function testRanges(store: () => ObjectStore): void {
  test('ranges', async () => {
    await store().put('range', text('0123456789'));
    const range = async (offset: number, length: number): Promise<string> => read(await store().getRange('range', offset, length));
    assert.equal(await range(0, 10), '0123456789');
    assert.equal(await range(0, 1), '0');
    assert.equal(await range(3, 4), '3456');
    assert.equal(await range(8, 100), '89');
    assert.equal(await range(10, 1), '');
    assert.equal(await range(50, 1), '');
    assert.equal(await range(4, 0), '');
  });

  test("ranges into the caller's memory, shared memory too", async () => {
    await store().put('into', text('0123456789'));
    for (const buffer of [new ArrayBuffer(16), new SharedArrayBuffer(16)]) {
      const target = new Uint8Array(buffer, 4, 6);
      assert.equal(await store().readInto('into', 2, target), 6);
      assert.equal(read(Uint8Array.from(target)), '234567');
      assert.equal(await store().readInto('into', 7, target), 3);
      assert.equal(read(Uint8Array.from(target.subarray(0, 3))), '789');
      assert.equal(await store().readInto('into', 10, target), 0);
      assert.deepEqual(new Uint8Array(buffer, 0, 4), new Uint8Array(4));
      assert.deepEqual(new Uint8Array(buffer, 10, 6), new Uint8Array(6));
    }
  });

  test('many ranges at once', async () => {
    const bytes = pattern(40_000);
    await store().put('many-ranges', bytes);
    const offsets = Array.from({ length: 40 }, (_, index) => index * 1_000);
    const parts = await Promise.all(offsets.map((offset) => store().getRange('many-ranges', offset, 1_000)));
    assert.ok(parts.every((part, index) => Buffer.from(part!).equals(bytes.subarray(index * 1_000, index * 1_000 + 1_000))));
  });

  test('what is read belongs to the caller', async () => {
    await store().put('mine', text('abc'));
    (await store().get('mine'))!.fill(0);
    (await store().getRange('mine', 0, 3))!.fill(0);
    assert.equal(read(await store().get('mine')), 'abc');
  });
}

function testLists(store: () => ObjectStore, pageObjects: number): void {
  // No key is a folder of another one: a file system could not hold both.
  const names = ['l/a-b', 'l/a/b', 'l/a0', 'l/b/1', 'l/b/10', 'l/b/2', 'l/c', 'lx'];

  test('list: ascending by bytes, by any prefix, with sizes and times', async () => {
    const earlyMs = Date.now() - 600_000;
    for (const [index, name] of names.entries()) await store().put(name, new Uint8Array(index));
    const found = await store().list('l');
    assert.deepEqual(
      found.map(({ key }) => key),
      [...names].sort(),
    );
    for (const { key, size, lastModifiedMs } of found) {
      assert.equal(size, names.indexOf(key));
      assert.ok(lastModifiedMs > earlyMs && lastModifiedMs < Date.now() + 600_000, `${key}: ${lastModifiedMs}`);
    }
    assert.deepEqual(await keysOf(store(), 'l/b'), ['l/b/1', 'l/b/10', 'l/b/2']);
    assert.deepEqual(await keysOf(store(), 'l/b/1'), ['l/b/1', 'l/b/10']);
    assert.deepEqual(await keysOf(store(), 'l/c'), ['l/c']);
    assert.deepEqual(await keysOf(store(), 'l/nothing'), []);
    assert.deepEqual(await keysOf(store(), 'nothing/'), []);
    assert.ok((await keysOf(store(), '')).length >= names.length);
  });

  test('list: startAfter is exclusive and need not exist; limit', async () => {
    const sorted = [...names].sort();
    for (const startAfter of ['l/', 'l/a-b', 'l/a/', 'l/a/b', 'l/az', 'l/b', 'l/b/10', 'l/c', 'lx', 'z', 'a']) {
      const expected = sorted.filter((name) => name > startAfter);
      assert.deepEqual(
        (await store().list('l', { startAfter })).map(({ key }) => key),
        expected,
        `after ${startAfter}`,
      );
      assert.deepEqual(
        (await store().list('l', { startAfter, limit: 2 })).map(({ key }) => key),
        expected.slice(0, 2),
        `2 after ${startAfter}`,
      );
    }
    assert.deepEqual(await store().list('l', { limit: 0 }), []);
    assert.equal((await store().list('l', { limit: 1_000 })).length, names.length);
  });

  test('list: more than a page', async () => {
    const keys = Array.from({ length: pageObjects + 105 }, (_, index) => `page/${String(index).padStart(5, '0')}`);
    for (let at = 0; at < keys.length; at += 50) await Promise.all(keys.slice(at, at + 50).map((key) => store().put(key, text('x'))));
    assert.deepEqual(await keysOf(store(), 'page/'), keys);
    const tail = await store().list('page/', { startAfter: keys[49], limit: pageObjects + 20 });
    assert.deepEqual(
      tail.map(({ key }) => key),
      keys.slice(50, pageObjects + 70),
    );
  });
}

function testDelete(store: () => ObjectStore): void {
  test('delete, again, and create anew', async () => {
    await store().put('deleted/a', text('x'));
    await store().delete('deleted/a');
    await store().delete('deleted/a');
    await store().delete('deleted/never/was');
    assert.equal(await store().get('deleted/a'), null);
    assert.deepEqual(await store().list('deleted/'), []);
    assert.equal(await store().putIfAbsent('deleted/a', text('anew')), true);
    assert.equal(read(await store().get('deleted/a')), 'anew');
  });
}

function testAbort(store: () => ObjectStore): void {
  test('an aborted signal: CANCELLED, from every operation', async () => {
    const options = { signal: AbortSignal.abort(new Error('enough')) };
    const s = store();
    const operations: (() => Promise<unknown>)[] = [
      () => s.get('abort', options),
      () => s.getRange('abort', 0, 1, options),
      () => s.readInto('abort', 0, new Uint8Array(1), options),
      () => s.size('abort', options),
      () => s.putIfAbsent('abort', text('x'), options),
      () => s.put('abort', text('x'), options),
      () => s.list('abort', options),
      () => s.delete('abort', options),
    ];
    for (const operation of operations) await assert.rejects(async () => operation(), { code: 'CANCELLED' });
    assert.equal(await s.get('abort'), null);
  });

  test('an abort in the middle: CANCELLED or done, the store goes on', async () => {
    await store().put('abort-big', pattern(2_000_000));
    const controller = new AbortController();
    const running = Array.from({ length: 8 }, () => store().get('abort-big', { signal: controller.signal }));
    setImmediate(() => controller.abort());
    for (const outcome of await Promise.allSettled(running)) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'CANCELLED');
    }
    assert.equal((await store().get('abort-big'))!.length, 2_000_000);
  });
}

function testClients(subject: () => ConformanceSubject, store: () => ObjectStore): void {
  test('what one client puts, another one sees at once', async () => {
    const other = await subject().open();
    await store().put('seen', text('by all'));
    assert.equal(read(await other.get('seen')), 'by all');
    assert.deepEqual(await keysOf(other, 'seen'), ['seen']);
    assert.equal(await other.putIfAbsent('seen', text('mine')), false);
    await other.delete('seen');
    assert.equal(await store().get('seen'), null);
    await other.close();
  });
}

async function race(stores: readonly ObjectStore[], key: string): Promise<void> {
  const created = await Promise.all(stores.map((store, racer) => store.putIfAbsent(key, text(`racer ${racer}`))));
  const winners = [...created.keys()].filter((racer) => created[racer]);
  assert.equal(winners.length, 1, `${key}: ${winners.length} winners`);
  assert.equal(read(await stores[0]!.get(key)), `racer ${winners[0]}`);
}

async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  return (await store.list(prefix)).map(({ key }) => key);
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

function read(bytes: Uint8Array | null): string {
  assert.ok(bytes !== null, 'there is no such object');
  return new TextDecoder().decode(bytes);
}

function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = index * 31 + (index >>> 8);
  return bytes;
}
