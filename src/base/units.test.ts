/** Durations and sizes: what is read, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDurationMs, parseSizeBytes } from './units.ts';

test('durations', () => {
  const durations = { '500ms': 500, '30s': 30_000, '5m': 300_000, '0s': 0, '2h': 7_200_000 };
  for (const [text, expected] of Object.entries(durations)) assert.equal(parseDurationMs(text), expected, text);
  for (const text of ['', '0', '5', '5x', '-1s', '1.5s', ' 1s', '1S', '5d', '1e3ms', '600h', '999999999999h']) {
    assert.throws(() => parseDurationMs(text), { code: 'ARGUMENT_ERROR' }, text);
  }
});

test('sizes', () => {
  const sizes = { '1': 1, '64MiB': 67_108_864, '1B': 1, '3KiB': 3_072, '2GiB': 2_147_483_648, '1TiB': 2 ** 40 };
  for (const [text, expected] of Object.entries(sizes)) assert.equal(parseSizeBytes(text), expected, text);
  for (const text of ['', '0', '0MiB', '-1', '64mb', '64 MiB', '1.5GiB', '9999999999999999TiB', 'MiB']) {
    assert.throws(() => parseSizeBytes(text), { code: 'ARGUMENT_ERROR' }, text);
  }
});
