/** Reading the WAL through listings that are not what one would wish. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectStore } from '../../object-store/index.ts';
import { walKey } from '../keys.ts';
import { openNamespace } from '../open-namespace.ts';
import { appendAll, freshStore, TestClock, textOf } from '../testing/test-store.ts';

/** Wraps the store in one whose listings leave out one key. */
function listingWithout(store: ObjectStore, left: string): ObjectStore {
  const list: ObjectStore['list'] = async (prefix, options) => (await store.list(prefix, options)).filter(({ key }) => key !== left);
  return new Proxy(store, {
    get(target, name) {
      if (name === 'list') return list;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

test('an object that a listing beside puts has left out is read all the same', async () => {
  const store = freshStore();
  const clock = new TestClock();
  const writer = await openNamespace(store, { name: 'test', clock });
  await appendAll(writer, 1, 4);
  for (const number of [1, 3]) {
    const reader = await openNamespace(listingWithout(store, walKey(number)), { name: 'test', clock, readOnly: true });
    assert.deepEqual(reader.recovered.map(textOf), ['commit 1', 'commit 2', 'commit 3', 'commit 4']);
  }
  await store.delete(walKey(3));
  await assert.rejects(openNamespace(store, { name: 'test', clock, readOnly: true }), { code: 'CORRUPTION', message: /0003\.wal/ });
});
