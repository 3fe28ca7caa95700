import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ColumnView } from '../../../graph/index.ts';
import { SubstringSearch } from './substring-search.ts';

function columnOf(texts: readonly string[]): ColumnView {
  const parts = texts.map((text) => Buffer.from(text, 'utf8'));
  const heap = new Uint8Array(new SharedArrayBuffer(parts.reduce((sum, part) => sum + part.length, 0)));
  const values = new Uint32Array(texts.length + 1);
  parts.forEach((part, i) => {
    heap.set(part, values[i]!);
    values[i + 1] = values[i]! + part.length;
  });
  const get = (row: number): string => texts[row]!;
  return { kind: 'string', values, valid: null, heap, dictionary: null, get, texts: { get } };
}

test('a search over a column agrees with includes(), in any order of rows, some left out', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🙂'), maxLength: 6 });
  const rows = fc.array(fc.nat(100), { maxLength: 40 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), text, rows, (texts, wanted, order) => {
      const search = new SubstringSearch(columnOf(texts), wanted);
      for (let row = 0; row < texts.length; row++) assert.equal(search.isIn(row), texts[row]!.includes(wanted));
      for (const at of order) assert.equal(search.isIn(at % texts.length), texts[at % texts.length]!.includes(wanted));
    }),
    { numRuns: 500 },
  );
});
