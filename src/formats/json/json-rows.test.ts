/** Rows as objects of JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultValue } from '../../value/index.ts';
import { encodeKeys, encodeLongRow, encodeRow, isLong } from './json-rows.ts';

const KEYS = encodeKeys(['a', '"b"', 'c']);
const listOf = (length: number): ResultValue[] => Array.from({ length }, (_, i) => (i % 3 === 0 ? `text "${i}"` : [i, null]));

test('a row with a long list is written in parts, and reads as written at once', () => {
  const long: ResultValue[] = [[], listOf(1000), new Map([['k', listOf(3)]])];
  assert.ok(isLong(long));
  assert.ok(!isLong([[], listOf(10), null]));
  const parts = [...encodeLongRow(KEYS, long, 'plain')];
  assert.ok(parts.length > 1000);
  assert.equal(parts.join(''), encodeRow(KEYS, long, 'plain'));
});
