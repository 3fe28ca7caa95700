/** The text of CSV files, in pieces of any size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GraphDBError } from '../../base/index.ts';
import { type CsvRow, CsvRows } from './csv-rows.ts';

function rowsOf(text: string, { terminator = ',', piece = text.length + 1 } = {}): [number, CsvRow][] {
  const rows = new CsvRows(terminator);
  const found: [number, CsvRow][] = [];
  for (let at = 0; at < text.length; at += piece) for (const row of rows.add(text.slice(at, at + piece))) found.push([rows.line, row]);
  for (const row of rows.end()) found.push([rows.line, row]);
  return found;
}

test('fields, quotes and lines', () => {
  assert.deepEqual(rowsOf('a,b\n1,"x, ""y"""\r\n\n,""\n"two\nlines",é😀'), [
    [1, ['a', 'b']],
    [2, ['1', 'x, "y"']],
    [4, [null, '']],
    [5, ['two\nlines', 'é😀']],
  ]);
  assert.deepEqual(rowsOf('a;b,c;', { terminator: ';' }), [[1, ['a', 'b,c', null]]]);
  assert.deepEqual(rowsOf('a\rb\r'), [
    [1, ['a']],
    [2, ['b']],
  ]);
  assert.deepEqual(rowsOf(''), []);
  assert.deepEqual(rowsOf('a"b,c'), [[1, ['a"b', 'c']]]);
});

test('faults name their line', () => {
  const fault = (text: string): string => {
    try {
      rowsOf(text);
    } catch (error) {
      assert(error instanceof GraphDBError);
      return error.message;
    }
    return assert.fail('no fault');
  };
  assert.match(fault('a\n"b'), /opened on line 2 is not closed/);
  assert.match(fault('"a"b'), /behind a closing quote on line 1/);
});

test('rows that were written come back, however the text is cut', () => {
  const field = fc.oneof(fc.constant(null), fc.stringMatching(/^[a",;\r\n é]{0,5}$/));
  const table = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  const written = (row: CsvRow): string => row.map((value) => (value === null ? '' : `"${value.replaceAll('"', '""')}"`)).join(',');
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n', '\r'), fc.integer({ min: 1, max: 7 }), fc.boolean(), (rows, lineEnd, piece, ends) => {
      const text = rows.map(written).join(lineEnd) + (ends ? lineEnd : '');
      const found = rowsOf(text, { piece }).map(([, row]) => row);
      assert.deepEqual(
        found,
        rows.filter((row) => row.length > 1 || row[0] !== null),
      );
    }),
  );
});
