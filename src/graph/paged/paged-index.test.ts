/** An index in files: answers to as many questions as one row has, and of as many rows as a statement that must have them needs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RangeHits, RangeIndex } from '../../storage/index.ts';
import { LaterRows } from './later-rows.ts';
import { PageCache } from './page-cache.ts';
import { PageFaults } from './page-faults.ts';
import { PagedIndex } from './paged-index.ts';

const ALL = 70_000;

/** An index in which each number stands in the row of that number. */
function openNumbers(cache: PageCache): PagedIndex {
  const hits = (rows: Uint32Array): RangeHits => ({ rows, isExact: true });
  const index = {
    equal: async ([value]: readonly number[]) => hits(Uint32Array.of(value!)),
    async *between() {
      for (let from = 0; from < ALL; from += 10_000) yield hits(Uint32Array.from({ length: 10_000 }, (_, i) => from + i));
    },
  } as unknown as RangeIndex; // as: no more of it is asked.
  const none = { published: { rowCount: 0 }, get: () => null };
  return new PagedIndex('numbers', index, new LaterRows(none, [0], 0), cache);
}

/** Runs one row of a statement until nothing is missing; fails after some rounds. */
async function runRow<T>(faults: PageFaults, row: () => T): Promise<T> {
  for (let rounds = 0; rounds < 50; rounds++) {
    faults.beginRow();
    const value = faults.watch(() => {
      try {
        return row();
      } catch (error) {
        if (!faults.any) throw error;
        return null;
      }
    });
    if (!faults.any) return value!;
    await faults.load();
  }
  throw new Error('the row never has all that it asks for');
}

const roomy = (): PageCache => new PageCache({ mostBytes: 2 ** 28, availableMemory: () => 2 ** 30 });
const EVERYTHING = { low: 0, lowInclusive: true, high: ALL, highInclusive: true };

test('one row asks thousands of questions', async () => {
  const cache = roomy();
  const index = openNumbers(cache);
  const questions = Array.from({ length: 3_000 }, (_, i) => i);
  const found = await runRow(new PageFaults(cache), () => questions.map((value) => index.equal([value]).rows[0]));
  assert.deepEqual(found, questions);
  assert.ok(cache.bytes >= 3_000 * 4, 'answers count as pages');
});

test('an answer of many rows is for statements that read to their end', async () => {
  const cache = roomy();
  const index = openNumbers(cache);
  await assert.rejects(
    runRow(new PageFaults(cache), () => index.between(EVERYTHING)),
    { code: 'INTERNAL' },
  );
  const { rows } = await runRow(new PageFaults(cache, { toEnd: true }), () => index.between(EVERYTHING));
  assert.equal(rows.length, ALL);
});

test('answers make room for other pages', async () => {
  const tight = new PageCache({ mostBytes: 0, availableMemory: () => 0 });
  const small = openNumbers(tight);
  const faults = new PageFaults(tight, { toEnd: true });
  assert.throws(() => faults.watch(() => small.equal([1])), 'there is no room, so that it does not run ahead');
  await faults.load();
  assert.ok(tight.bytes > 0);
  tight.shrink(Number.POSITIVE_INFINITY);
  assert.equal(tight.bytes, 0);
});
