import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LRUCache } from './lru-cache.ts';

test('the entries used last are kept, up to a number', () => {
  const cache = new LRUCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  assert.equal(cache.get('a'), 1);
  cache.set('c', 3);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c'), cache.size], [1, undefined, 3, 2]);
});

test('entries with weights are kept up to a sum, and the last one always', () => {
  const cache = new LRUCache<string, number>(10, (key) => key.length);
  for (const key of ['aaaa', 'bbbb', 'bbbb', 'cc']) cache.set(key, key.length);
  assert.equal(cache.size, 3);
  cache.set('ddd', 3);
  assert.deepEqual([cache.get('aaaa'), cache.get('bbbb'), cache.size], [undefined, 4, 3]);
  cache.set('e'.repeat(20), 20);
  assert.deepEqual([cache.size, cache.get('e'.repeat(20))], [1, 20]);
  cache.delete('e'.repeat(20));
  cache.delete('unknown');
  for (const key of ['ffff', 'gggg', 'hh']) cache.set(key, 0);
  assert.equal(cache.size, 3);
  cache.clear();
  for (const key of ['ffff', 'gggg', 'hh']) cache.set(key, 0);
  assert.equal(cache.size, 3);
});
