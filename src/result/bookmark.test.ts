/** Bookmarks as clients bring them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookmarkedSequence, bookmarkOf } from './bookmark.ts';

test('the highest of any number of bookmarks counts', () => {
  const many = Array.from({ length: 300_000 }, (_, i) => bookmarkOf({ namespace: 'graph', sequence: i % 1_000 }));
  assert.equal(bookmarkedSequence(many, 'graph'), 999);
  assert.equal(bookmarkedSequence([], 'graph'), 0);
});
