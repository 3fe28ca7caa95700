/** Values of one field each: bytes, and text of any length that is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PropertyType } from './header.ts';
import { valueOfText } from './parse-values.ts';

const LONG = 10_000_000;

function typed(scalar: PropertyType['scalar']): PropertyType {
  return { scalar, list: false };
}

test('base64 is taken at any length, and nothing else is', () => {
  const bytes = Buffer.alloc(LONG, 'graph');
  for (const length of [0, 1, 2, 3, LONG - 1, LONG]) {
    assert.deepEqual(valueOfText(typed('bytes'), bytes.subarray(0, length).toString('base64')), new Uint8Array(bytes.subarray(0, length)));
  }
  for (const text of ['A', 'AB', 'ABC', 'A===', '====', 'AB=C', 'ABC=D', 'AB==CDEF', 'AB C', 'AB-_', `${'A'.repeat(LONG)}?===`]) {
    assert.throws(() => valueOfText(typed('bytes'), text), { code: 'ARGUMENT_ERROR' }, text.slice(-9));
  }
});

test('ten million characters that are no value of a type are refused', () => {
  const texts = [`${'1'.repeat(LONG)}x`, `${'0'.repeat(LONG)}.x`, `${' '.repeat(LONG)}x`, `{x:${' '.repeat(LONG)}1${' '.repeat(LONG)}y}`];
  for (const text of texts) {
    for (const scalar of ['integer', 'float', 'date', 'time', 'datetime', 'localdatetime', 'duration', 'point', 'vector'] as const) {
      assert.throws(() => valueOfText({ ...typed(scalar), timezone: 'Europe/Stockholm' }, text), { code: 'ARGUMENT_ERROR' });
    }
  }
});
