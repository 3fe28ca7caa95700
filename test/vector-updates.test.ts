/** Searches of vectors beside changes of them: no row is wrong, old or there twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchWhileUpdating } from './support/vector-updates.ts';

test('four clients search while vectors are changed, flushed and merged', async () => {
  const { searchesMs } = await searchWhileUpdating({
    uri: 'memory://vector-updates',
    vectors: 2_500,
    dimensions: 24,
    updates: 6_000,
    updatesTogether: 60,
    clients: 4,
    parts: { artefactsFromRows: 0 },
  });
  assert.ok(searchesMs.length >= 4);
});
