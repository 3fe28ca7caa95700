/** Bookmarks as clients bring them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookmarkedSequence, bookmarkOf } from './bookmark.ts';

test('the highest of any number of bookmarks counts', () => {
  const many = Array.from({ length: 300_000 }, (_, i) => bookmarkOf({ namespace: 'graph', sequence: i % 1_000 }));
  assert.equal(bookmarkedSequence(many, 'graph', { ignoresOthers: false }), 999);
  assert.equal(bookmarkedSequence([], 'graph', { ignoresOthers: false }), 0);
});

test('those of other namespaces are refused, or count for nothing; what is no bookmark never does', () => {
  const others = [bookmarkOf({ namespace: 'a', sequence: 7 }), bookmarkOf({ namespace: 'b', sequence: 9 })];
  assert.throws(() => bookmarkedSequence(others, 'a', { ignoresOthers: false }), { code: 'ARGUMENT_ERROR' });
  assert.equal(bookmarkedSequence(others, 'a', { ignoresOthers: true }), 7);
  assert.equal(bookmarkedSequence(others, 'c', { ignoresOthers: true }), 0);
  assert.throws(() => bookmarkedSequence(['x'], 'a', { ignoresOthers: true }), { code: 'ARGUMENT_ERROR' });
});
