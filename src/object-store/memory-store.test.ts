import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropMemoryStore, openMemoryStore } from './memory-store.ts';
import { testConformance } from './testing/conformance.ts';

const uri = { scheme: 'memory', name: 'conformance', namespace: 'default' } as const;

testConformance('memory', async () => ({
  open: async () => openMemoryStore(uri),
  dispose: async () => dropMemoryStore(uri),
}));

test('one name is one store, another name or namespace another', async () => {
  const [a, b, other, elsewhere] = [
    openMemoryStore({ ...uri, name: 'a' }),
    openMemoryStore({ ...uri, name: 'a' }),
    openMemoryStore({ ...uri, name: 'b' }),
    openMemoryStore({ ...uri, name: 'a', namespace: 'other' }),
  ];
  await a.put('k', Uint8Array.of(1));
  await a.close();
  assert.deepEqual(await b.get('k'), Uint8Array.of(1));
  assert.equal(await other.get('k'), null);
  assert.equal(await elsewhere.get('k'), null);
  dropMemoryStore({ ...uri, name: 'a' });
  assert.equal(await openMemoryStore({ ...uri, name: 'a' }).get('k'), null);
});

test('times come from the clock given', async () => {
  const store = openMemoryStore({ ...uri, name: 'clock' }, { now: () => 42 });
  await store.put('k', Uint8Array.of(1));
  assert.deepEqual(await store.list(''), [{ key: 'k', size: 1, lastModifiedMs: 42 }]);
});
