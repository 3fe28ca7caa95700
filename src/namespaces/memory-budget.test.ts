import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryLeft } from './memory-budget.ts';

test('what is left is what the budget has beside what is resident, and never nothing', () => {
  const resident = process.memoryUsage.rss();
  assert.equal(memoryLeft(0), 2 ** 24);
  const left = memoryLeft(resident + 2 ** 26);
  assert.ok(left > 2 ** 24 && left <= 2 ** 26 + resident, String(left));
  assert.ok(memoryLeft(Number.MAX_SAFE_INTEGER) <= Math.max(process.availableMemory() * 2, 2 ** 24));
});
