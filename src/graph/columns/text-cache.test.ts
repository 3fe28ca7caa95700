import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextCache } from './text-cache.ts';

function column(texts: readonly (string | null)[]): ConstructorParameters<typeof TextCache>[0] & { reads: number } {
  const parts = texts.map((text) => Buffer.from(text ?? 'left from before'));
  const values = new Uint32Array(texts.length + 1);
  parts.forEach((part, row) => {
    values[row + 1] = values[row]! + part.length;
  });
  const valid = new Uint8Array((texts.length >> 3) + 1);
  texts.forEach((text, row) => {
    if (text !== null) valid[row >> 3]! |= 1 << (row & 7);
  });
  return {
    values,
    heap: new Uint8Array(Buffer.concat(parts)),
    valid: texts.includes(null) ? valid : null,
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
  const rows = Array.from({ length: 1 << 15 }, (_, row) => `é ${row}`);
  rows[5] = 'x'.repeat(1_000);
  const source = column(rows);
  const texts = new TextCache(source, rows.length);
  for (const row of [0, 1 << 14, 0, 5, 5, 1 << 14]) assert.equal(texts.get(row), rows[row]);
  assert.equal(source.reads, 6);
});

test('of many rows the strings of a block are read at once, when one behind it has been asked for', () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => `text ${row}`);
  const source = column(rows);
  const texts = new TextCache(source, rows.length);
  for (const row of [300, 511, 400, 19_999, 512, 300]) assert.equal(texts.get(row), rows[row]);
  assert.equal(source.reads, 4, 'none of the first four rows has one behind its block');
  // Rows behind the last one that was asked for may still change.
  source.heap!.fill(0x78, (source.values as Uint32Array)[18_000]);
  const early = new TextCache(source, rows.length);
  assert.equal(early.get(17_000), rows[17_000]);
  assert.equal(early.get(17_900), rows[17_900]);
  assert.equal(early.get(100), rows[100]);
});

test('strings of blocks are those of the rows: nulls, empty ones, other characters, long ones', () => {
  const text = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(null, '', 'é', '\u{1f642}', 'x'.repeat(40)));
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.array(text, { maxLength: 700 }),
      fc.infiniteStream(fc.nat(20_000)),
      (few, some, order) => {
        const rows = Array.from({ length: 20_001 }, (_, row) => some[row - 5_000] ?? few[Math.floor(row / 300) % few.length]!);
        const texts = new TextCache(column(rows), rows.length);
        assert.equal(texts.get(20_000), rows[20_000]);
        for (const row of order.take(500)) assert.equal(texts.get(row), rows[row]);
        for (let row = 4_900; row < 5_800; row++) assert.equal(texts.get(row), rows[row]);
      },
    ),
    { numRuns: 50 },
  );
});
