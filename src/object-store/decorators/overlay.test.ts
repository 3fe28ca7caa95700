/** A store over another: conformance, and that the lower one stays as it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropMemoryStore, openMemoryStore } from '../memory-store.ts';
import { testConformance } from '../testing/conformance.ts';
import { overlayStore } from './overlay.ts';

const lower = { scheme: 'memory', name: 'overlay-lower', namespace: 'default' } as const;
const upper = { ...lower, name: 'overlay-upper' };

testConformance('overlay', async () => ({
  open: async () => overlayStore(openMemoryStore(lower), openMemoryStore(upper)),
  dispose: async () => {
    dropMemoryStore(lower);
    dropMemoryStore(upper);
  },
}));

test('what the lower store holds is read, hidden and kept', async () => {
  const below = openMemoryStore(lower);
  await below.put('a', Uint8Array.of(1));
  await below.put('c', Uint8Array.of(3));
  const store = overlayStore(below, openMemoryStore(upper));
  assert.equal(await store.putIfAbsent('a', Uint8Array.of(9)), false);
  await store.put('a', Uint8Array.of(1, 1));
  assert.equal(await store.putIfAbsent('b', Uint8Array.of(2)), true);
  const keys = async (options = {}) => (await store.list('', options)).map(({ key, size }) => `${key}${size}`);
  assert.deepEqual(await keys(), ['a2', 'b1', 'c1']);
  assert.deepEqual(await keys({ limit: 2, startAfter: 'a' }), ['b1', 'c1']);
  assert.equal(await store.size('c'), 1);
  assert.deepEqual(await below.get('a'), Uint8Array.of(1));
  assert.equal(await below.get('b'), null);
  await store.delete('c');
  assert.deepEqual(await store.get('c'), Uint8Array.of(3));
  dropMemoryStore(lower);
  dropMemoryStore(upper);
});
