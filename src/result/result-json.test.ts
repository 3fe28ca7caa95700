import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeResult } from './result-json.ts';

test('a result of one row with a list of megabytes leaves in pieces', () => {
  const rows = [[1], [Array.from({ length: 2000 }, () => 'x'.repeat(1000))], [2]];
  const pieces = [...encodeResult({ columns: ['a'], rows, type: 'read' }, 'plain')];
  assert.ok(pieces.length > 5, `${pieces.length} pieces`);
  assert.deepEqual(JSON.parse(pieces.join('')), { columns: ['a'], rows: rows.map(([a]) => ({ a })) });
});
