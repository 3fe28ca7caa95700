/** Fields and rows of CSV as they are written, and read again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CypherDate, CypherFloat, type ResultValue } from '../../value/index.ts';
import { TextBuffer } from '../text-buffer.ts';
import { csvField, writeCsvField } from './csv-field.ts';
import { type CsvForm, csvHeader, csvRow } from './csv-result.ts';
import { type CsvRow, CsvRows } from './csv-rows.ts';
import { CsvScanner } from './csv-scanner.ts';
import { dialectOf, parseDialect } from './dialect.ts';
import { fieldText } from './field-block.ts';

function written(text: string, delimiter: string): string {
  const out = new TextBuffer();
  const bytes = Buffer.from(text);
  writeCsvField(out, delimiter.charCodeAt(0), bytes, 0, bytes.length);
  return Buffer.from(out.take()).toString();
}

test('a field is quoted where it must be', () => {
  const fields: Record<string, string> = {
    a: 'a',
    '': '""',
    'a,b': '"a,b"',
    'a"b': '"a""b"',
    ' a': '" a"',
    'a\n': '"a\n"',
    'é😀': 'é😀',
    'a;b': 'a;b',
  };
  for (const [text, field] of Object.entries(fields)) {
    assert.equal(csvField(text, ','), field);
    assert.equal(written(text, ','), field);
  }
  assert.equal(csvField('a;b', ';'), '"a;b"');
  assert.equal(written('a;b', ';'), '"a;b"');
});

test('text and bytes are written alike', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\t', '\r', '\n', ' ', 'é', '😀', '\0', '\u00a0', '\ufeff'),
    maxLength: 8,
  });
  fc.assert(
    fc.property(text, fc.constantFrom(',', ';', '\t'), (one, delimiter) => assert.equal(written(one, delimiter), csvField(one, delimiter))),
  );
});

test('a row: null is nothing, compound values are JSON', () => {
  const row: ResultValue[] = [
    null,
    '',
    'a,b',
    2n ** 63n - 1n,
    new CypherFloat(-0),
    Number.NaN,
    true,
    [1, 'x'],
    new Map([['k', null]]),
    new CypherDate(0),
  ];
  const line = ',"","a,b",9223372036854775807,-0.0,NaN,true,"[1,""x""]","{""k"":null}",1970-01-01\r\n';
  assert.equal(csvRow(row, { delimiter: ',', lineEnd: '\r\n' }), line);
  assert.equal(csvHeader(['a', 'b;c', ''], { delimiter: ';', lineEnd: '\n' }), 'a;"b;c";""\n');
});

function rowsOf(text: string): CsvRow[] {
  const bytes = Buffer.from(text);
  let at = 0;
  const read = (target: Uint8Array): number => {
    const count = bytes.copy(target, 0, at);
    at += count;
    return count;
  };
  return [...new CsvRows({ name: 'test.csv', dialect: dialectOf(','), pieceBytes: 64, read, worked: () => true }).rows()].filter(
    (row) => row !== null,
  );
}

test('what is written comes back as rows of any length and as those of a header', () => {
  const field = fc.oneof(fc.constant(null), fc.stringMatching(/^[a",;\n é😀]{0,6}$/u));
  const table = fc.array(fc.array(field, { minLength: 2, maxLength: 2 }), { maxLength: 20 });
  fc.assert(
    fc.property(table, fc.constantFrom<CsvForm['lineEnd']>('\n', '\r\n'), (rows, lineEnd) => {
      const text = rows.map((row) => csvRow(row, { delimiter: ',', lineEnd })).join('');
      assert.deepEqual(rowsOf(text), rows);
      const bytes = Buffer.from(`${text}\n`);
      const scanner = new CsvScanner(parseDialect({}), 2);
      scanner.scan(bytes, 0, bytes.length - 1);
      const isNothing = (at: number): boolean => scanner.ends[at] === scanner.starts[at];
      const scanned = rows.map((row, r) => row.map((_, c) => (isNothing(2 * r + c) ? null : fieldText(scanner, r, c))));
      assert.equal(scanner.rows, rows.length);
      assert.deepEqual(scanned, rows);
    }),
  );
});
