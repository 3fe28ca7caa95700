import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CsvScanner } from './csv-scanner.ts';
import { type CsvDialect, parseDialect } from './dialect.ts';
import { lastRowEnd } from './record-boundary.ts';

/** Where the scanner, which reads every row, would begin the next one. */
function scannedEnd(bytes: Buffer, from: number, to: number, dialect: CsvDialect): number {
  const scanner = new CsvScanner(dialect, 2);
  scanner.startFile({ hasHeader: false });
  const copy = Buffer.from(bytes);
  copy[to] = 10;
  for (let at = from; ; ) {
    const next = scanner.scan(copy, at, to);
    if (next === at) return at;
    at = next;
  }
}

test('a piece is cut where the scanner would begin a row', () => {
  const text = fc.array(fc.constantFrom('"', '""', ',', '\n', '\r\n', '\r', 'a', 'é', '",', ',"', '"\n', '\n"'), { maxLength: 40 });
  fc.assert(
    fc.property(text, fc.nat({ max: 5 }), fc.constantFrom(',', '→'), (parts, cut, delimiter) => {
      const dialect = parseDialect({ delimiter });
      const bytes = Buffer.from(`${parts.join('').replaceAll(',', delimiter)}\n\n\n\n\n\n`);
      const to = Math.max(0, bytes.length - 6 - cut);
      // What comes after the piece is not known when it is cut: a line feed stands there.
      bytes[to] = 10;
      assert.equal(lastRowEnd(bytes, 0, to, dialect), scannedEnd(bytes, 0, to, dialect));
    }),
    { numRuns: 3000 },
  );
});
