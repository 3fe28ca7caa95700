import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryLeft, processMemoryBudget } from './memory-budget.ts';

test('what is left is what the budget has beside what is resident, and never nothing', () => {
  const resident = process.memoryUsage.rss();
  assert.equal(memoryLeft(0), 2 ** 24);
  const left = memoryLeft(resident + 2 ** 26);
  assert.ok(left > 2 ** 24 && left <= 2 ** 26 + resident, String(left));
  assert.ok(memoryLeft(Number.MAX_SAFE_INTEGER) <= Math.max(process.availableMemory() * 2, 2 ** 24));
});

test('closing begins before the budget is full, goes on faster when it is, and only if graphs take a good part of it', () => {
  const resident = process.memoryUsage.rss();
  const closings = (budgetBytes: number, graphBytes: number): number => processMemoryBudget(budgetBytes).closings(() => graphBytes);
  assert.equal(closings(resident * 0.9, resident), 2);
  assert.equal(closings(resident * 1.12, resident), 1);
  assert.equal(closings(resident * 1.5, resident), 0);
  assert.equal(closings(process.memoryUsage().heapUsed * 5, 0), 0);
});
