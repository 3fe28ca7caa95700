/** Rows of any length out of CSV files that are read in pieces of any size. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { type CsvRow, CsvRows } from './csv-rows.ts';
import { CsvScanner } from './csv-scanner.ts';
import { dialectOf } from './dialect.ts';

interface Cut {
  readonly delimiter?: string;
  /** Bytes that the reader asks for at a time. */
  readonly pieceBytes?: number;
  /** At most so many bytes are handed out at once. */
  readonly mostRead?: number;
}

function csvOf(text: string | Buffer, { delimiter = ',', pieceBytes = 1 << 16, mostRead = 1 << 20 }: Cut): CsvRows {
  const bytes = Buffer.from(text);
  let at = 0;
  let hasCome = true;
  const read = (target: Uint8Array): number | null => {
    // Every other time nothing has come yet.
    hasCome = !hasCome;
    if (!hasCome) return null;
    const count = bytes.copy(target, 0, at, Math.min(bytes.length, at + mostRead));
    at += count;
    return count;
  };
  return new CsvRows({ name: 'test.csv', dialect: dialectOf(delimiter), pieceBytes, read, worked: () => true });
}

function rowsOf(text: string | Buffer, cut: Cut = {}): [number, CsvRow][] {
  const csv = csvOf(text, cut);
  return Array.from(csv.rows(), (row) => [csv.line, row] as const).filter((each): each is [number, CsvRow] => each[1] !== null);
}

test('fields, quotes and lines', () => {
  assert.deepEqual(rowsOf('\ufeffa,b\n1,"x, ""y"""\r\n\n,""\n"two\nlines",é😀'), [
    [1, ['a', 'b']],
    [2, ['1', 'x, "y"']],
    [4, [null, '']],
    [5, ['two\nlines', 'é😀']],
  ]);
  assert.deepEqual(rowsOf('a;b,c;', { delimiter: ';' }), [[1, ['a', 'b,c', null]]]);
  assert.deepEqual(rowsOf('a\rb\r'), [
    [1, ['a']],
    [2, ['b']],
  ]);
  assert.deepEqual(rowsOf(''), []);
  assert.deepEqual(rowsOf('a"b,c'), [[1, ['a"b', 'c']]]);
});

test('the line of a row counts all line ends before it, those within quotes too', () => {
  assert.deepEqual(
    rowsOf('"a\rb\r\nc\nd"\r\r\n\nx\ry').map(([line]) => line),
    [1, 7, 8],
  );
});

test('a delimiter is any character', () => {
  for (const delimiter of ['\0', '\t', '¦', '→', 'é', '\uffff']) {
    assert.deepEqual(
      rowsOf(`a${delimiter}"b${delimiter}""c"${delimiter}${delimiter}¬è\n${delimiter}x`, { delimiter, pieceBytes: 3 }).map(
        ([, row]) => row,
      ),
      [
        ['a', `b${delimiter}"c`, null, '¬è'],
        [null, 'x'],
      ],
    );
  }
});

test('faults name the file and the line, after the rows before them', () => {
  const faultOf = (text: string | Buffer): [number, string] => {
    const csv = csvOf(text, { pieceBytes: 4 });
    let rows = 0;
    try {
      for (const row of csv.rows()) if (row !== null) rows++;
    } catch (error) {
      return [rows, String(error)];
    }
    return assert.fail('no fault');
  };
  assert.deepEqual(faultOf('a\n"b\n\n'), [1, 'GraphDBError: test.csv: a quote that is opened on line 2 is not closed']);
  assert.deepEqual(faultOf('a\nb\n"a"b\nc'), [2, 'GraphDBError: test.csv: there is text after a closing quote on line 3']);
  assert.deepEqual(faultOf(Buffer.from([0x61, 0xe9, 0x0a])), [0, 'GraphDBError: test.csv: it is not text in UTF-8']);
  assert.deepEqual(faultOf(Buffer.from('a\né').subarray(0, 3)), [0, 'GraphDBError: test.csv: it is not text in UTF-8']);
  assert.match(faultOf(Buffer.from('\ufeffa', 'utf16le'))[1], /test.csv: the text is UTF-16/);
});

const field = fc.oneof(fc.constant(null), fc.stringMatching(/^[a",;\r\n é😀]{0,5}$/u));

test('rows that were written come back, however the text is cut', () => {
  const table = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
  const written = (row: CsvRow): string => row.map((value) => (value === null ? '' : `"${value.replaceAll('"', '""')}"`)).join(',');
  const cut = fc.record({ pieceBytes: fc.integer({ min: 1, max: 20 }), mostRead: fc.integer({ min: 1, max: 7 }) });
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n', '\r'), cut, fc.boolean(), (rows, lineEnd, how, ends) => {
      const text = rows.map(written).join(lineEnd) + (ends ? lineEnd : '');
      const found = rowsOf(text, how).map(([, row]) => row);
      assert.deepEqual(
        found,
        rows.filter((row) => row.length > 1 || row[0] !== null),
      );
    }),
  );
});

test('rows of more fields than a block has room for, among others', () => {
  const lengths = [3, 200_000, 3, 3, 40_000, 1, 70_000, 2];
  const rows = lengths.map((length, row) => Array.from({ length }, (_, column) => `${row}.${column}`));
  const found = rowsOf(rows.map((row) => row.join(',')).join('\n'));
  assert.deepEqual(
    found.map(([, row]) => row),
    rows,
  );
});

test('a quoted field of 50 MB in small pieces is looked at a few times, not once for each piece', () => {
  const length = 50_000_000;
  const bytes = Buffer.alloc(length + 4, 'x');
  bytes[0] = bytes[length + 1] = 34;
  bytes.write('\nz', length + 2);
  let looked = 0;
  const scan = CsvScanner.prototype.scan;
  mock.method(CsvScanner.prototype, 'scan', function (this: CsvScanner, piece: Buffer, from: number, to: number): number {
    looked += to - from;
    return scan.call(this, piece, from, to);
  });
  try {
    const found = rowsOf(bytes, { pieceBytes: 4096, mostRead: 4096 });
    assert.deepEqual(
      found.map(([line, [text]]) => [line, text?.length]),
      [
        [1, length],
        [2, 1],
      ],
    );
  } finally {
    mock.restoreAll();
  }
  assert.ok(looked < 3 * length, `${looked} bytes were looked at`);
});

test('a row of many fields asks for a rest between them, and before it where its scan was long', () => {
  const bytes = Buffer.from(`${'x,'.repeat(1_000_000)}x\n`);
  const steps: number[] = [];
  let at = 0;
  const read = (target: Uint8Array): number => {
    const count = bytes.copy(target, 0, at);
    at += count;
    return count;
  };
  const worked = (count: number): boolean => {
    steps.push(count);
    return true;
  };
  const rows = [...new CsvRows({ name: 'test.csv', dialect: dialectOf(','), pieceBytes: 1 << 16, read, worked }).rows()];
  assert.equal(rows.at(-1)?.length, 1_000_001);
  assert.equal(rows.length - 1, steps.length);
  assert.equal(steps.filter((count) => count === 10_000).length, 100);
  assert.ok(steps.some((count) => count >= bytes.length >> 3));
});
