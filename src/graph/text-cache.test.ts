import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextCache } from './text-cache.ts';

function column(texts: readonly (string | null)[]): { reads: number; get(row: number): string | null } {
  return {
    reads: 0,
    get(row) {
      this.reads++;
      return texts[row] ?? null;
    },
  };
}

test('a string that was read is not read again, nor is the lack of one', () => {
  const source = column(['a', null, 'c']);
  const texts = new TextCache(source, 3);
  for (let round = 0; round < 3; round++)
    assert.deepEqual(
      [2, 0, 1].map((row) => texts.get(row)),
      ['c', 'a', null],
    );
  assert.equal(source.reads, 3);
});

test('rows that share a slot take each other away, and long strings are not kept', () => {
  const rows = Array.from({ length: 1 << 15 }, (_, row) => `text ${row}`);
  rows[5] = 'x'.repeat(1_000);
  const source = column(rows);
  const texts = new TextCache(source, rows.length);
  for (const row of [0, 1 << 14, 0, 5, 5, 1 << 14]) assert.equal(texts.get(row), rows[row]);
  assert.equal(source.reads, 6);
});
