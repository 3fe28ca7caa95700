/** Rows as objects of JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLargeRow, type ResultValue } from '../../value/index.ts';
import { encodeKeys, encodeLongRow, encodeRow } from './json-rows.ts';

const KEYS = encodeKeys(['a', '"b"', 'c']);
const listOf = (length: number): ResultValue[] => Array.from({ length }, (_, i) => (i % 3 === 0 ? `text "${i}"` : [i, null]));

test('a row with a long list is written in parts, and reads as written at once', () => {
  const long: ResultValue[] = [[], listOf(1000), new Map([['k', listOf(3)]])];
  assert.ok(isLargeRow(long));
  assert.ok(!isLargeRow([[], listOf(10), null]));
  const parts = [...encodeLongRow(KEYS, long, 'plain')];
  assert.ok(parts.length > 1);
  assert.equal(parts.join(''), encodeRow(KEYS, long, 'plain'));
});

test('what is long is found at any depth, and written in parts', () => {
  const nested: ResultValue[] = [
    new Map<string, ResultValue>([
      ['a', [listOf(1000)]],
      ['e', new Map()],
    ]),
    [[], [listOf(2)]],
    new Map([['$', 1]]),
  ];
  assert.ok(isLargeRow(nested));
  assert.ok(isLargeRow([listOf(400), listOf(400)]));
  assert.ok(!isLargeRow([new Map([['a', listOf(50)]]), listOf(50), 'x']));
  for (const form of ['plain', 'typed'] as const) {
    const parts = [...encodeLongRow(KEYS, nested, form)];
    assert.ok(parts.length > 1);
    assert.equal(parts.join(''), encodeRow(KEYS, nested, form));
  }
});
