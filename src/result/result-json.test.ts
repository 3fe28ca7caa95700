import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultValue } from '../value/index.ts';
import { encodeKeys, encodeLongRow, encodeResult, encodeRow, isLong } from './result-json.ts';

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

test('a result of one row with a list of megabytes leaves in pieces', () => {
  const rows = [[1], [Array.from({ length: 2000 }, () => 'x'.repeat(1000))], [2]];
  const pieces = [...encodeResult({ columns: ['a'], rows, type: 'read' }, 'plain')];
  assert.ok(pieces.length > 5, `${pieces.length} pieces`);
  assert.deepEqual(JSON.parse(Buffer.concat(pieces).toString()), { columns: ['a'], rows: rows.map(([a]) => ({ a })) });
});
