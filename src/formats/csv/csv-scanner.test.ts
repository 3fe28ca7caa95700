import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChunkBuffers } from '../source/chunk-buffers.ts';
import { ChunkReader } from '../source/chunk-reader.ts';
import { CsvScanner } from './csv-scanner.ts';
import { dialectOf, parseDialect } from './dialect.ts';
import { fieldText } from './field-block.ts';
import { lastRowEnd } from './record-boundary.ts';

interface ScannedRow {
  readonly line: number;
  /** Null: an unquoted empty field. */
  readonly fields: readonly (string | null)[];
}

interface Scanned {
  readonly rows: ScannedRow[];
  readonly malformed: { line: number; reason: string }[];
  /** The line at which an incomplete row begins. */
  readonly unfinished: number | null;
}

/** Scans text that comes in pieces of `readBytes`. */
async function scan(text: string | Buffer, columns: number, readBytes = 1 << 16): Promise<Scanned> {
  const bytes = Buffer.from(text);
  let position = 0;
  const reader = new ChunkReader(
    'test.csv',
    {
      position: 0,
      async read(target) {
        const count = bytes.copy(target, 0, position);
        position += count;
        return count;
      },
      async close() {},
    },
    new ChunkBuffers(readBytes),
  );
  const scanner = new CsvScanner(parseDialect({}), columns);
  scanner.startFile({ hasHeader: false });
  const result: Scanned = { rows: [], malformed: [], unfinished: null };
  let consumed = 0;
  while (await reader.next(consumed)) {
    for (consumed = reader.from; consumed < reader.to; ) {
      const before = consumed;
      consumed = scanner.scan(reader.bytes, before, reader.to);
      if (consumed === before) break;
      collect(scanner, result);
    }
    if (reader.atEnd && consumed < reader.to) return { ...result, unfinished: scanner.line };
  }
  return result;
}

function collect(block: CsvScanner, { rows, malformed }: Scanned): void {
  const bad = new Map(block.malformed.map(({ row, reason }) => [row, reason]));
  for (let row = 0; row < block.rows; row++) {
    const line = block.lines[row]!;
    const reason = bad.get(row);
    if (reason !== undefined) malformed.push({ line, reason });
    else rows.push({ line, fields: Array.from({ length: block.columns }, (_, column) => fieldOf(block, row, column)) });
  }
}

function fieldOf(block: CsvScanner, row: number, column: number): string | null {
  const at = row * block.columns + column;
  return block.starts[at] === block.ends[at] ? null : fieldText(block, row, column);
}

test('fields, quotes and lines', async () => {
  const { rows } = await scan('a,b,c\r\n1,"x, ""y""\nz",\n\n"","",""\n', 3);
  assert.deepEqual(rows, [
    { line: 1, fields: ['a', 'b', 'c'] },
    { line: 2, fields: ['1', 'x, "y"\nz', null] },
    { line: 5, fields: ['', '', ''] },
  ]);
});

test('a last line without an end, a byte order mark, and lines that end with carriage returns', async () => {
  assert.deepEqual((await scan('\ufeffa,b\r\nc\td,e"f\r"g\rh",', 2)).rows, [
    { line: 1, fields: ['a', 'b'] },
    { line: 2, fields: ['c\td', 'e"f'] },
    { line: 3, fields: ['g\rh', null] },
  ]);
});

test('malformed rows keep their places and leave the rows around them alone', async () => {
  const scanned = await scan('a,b\n1\n1,2,3\n"x"y,2\nc,d\n"open,\nend', 2);
  assert.deepEqual(
    scanned.rows.map(({ fields }) => fields),
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  );
  assert.deepEqual(scanned.malformed, [
    { line: 2, reason: '1 fields where the header has 2' },
    { line: 3, reason: '3 fields where the header has 2' },
    { line: 4, reason: 'there is text after a closing quote' },
  ]);
  assert.equal(scanned.unfinished, 6);
});

test('UTF-16 is told by its mark', async () => {
  await assert.rejects(scan(Buffer.from('\ufeffa', 'utf16le'), 1), { code: 'ARGUMENT_ERROR', message: /UTF-16/ });
});

const field = fc.oneof(
  fc.constant(null),
  fc.string({ unit: fc.constantFrom('a', 'z', '0', 'é', '€', '😀', ' '), minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'ü', ' '), maxLength: 8 }),
);

/** As a writer of CSV would write it; null: nothing. */
function write(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

test('what is written is read back, wherever the pieces end', async () => {
  const file = fc.record({
    rows: fc.array(fc.tuple(field, field, field), { maxLength: 30 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    readBytes: fc.integer({ min: 1, max: 40 }),
    lastLineEnds: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(file, async ({ rows, lineEnd, readBytes, lastLineEnds }) => {
      const text = rows.map((row) => row.map(write).join(',') + lineEnd).join('');
      const scanned = await scan(lastLineEnds ? text : text.slice(0, -lineEnd.length), 3, readBytes);
      let line = 1;
      const expected = rows.map((fields) => {
        const row = { line, fields };
        line +=
          1 +
          (fields
            .map((text) => text ?? '')
            .join('|')
            .match(/\r\n|\r|\n/g)?.length ?? 0);
        return row;
      });
      assert.deepEqual(scanned, { rows: expected, malformed: [], unfinished: null });
    }),
    { numRuns: 300 },
  );
});

/** The rules, character by character: slow and plain. */
function model(text: string, columns: number): Scanned {
  const result: Scanned = { rows: [], malformed: [], unfinished: null };
  let at = 0;
  let line = 1;
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const isFieldEnd = (): boolean => [',', '\n', '\r'].includes(whole[at]!);
  const isLineEnd = (place: number): boolean => whole[place] === '\n' || (whole[place] === '\r' && whole[place + 1] !== '\n');
  while (at < whole.length) {
    const first = line;
    const fields: (string | null)[] = [];
    let textAfterQuote = false;
    for (;;) {
      let field: string | null = null;
      if (whole[at] === '"') {
        field = '';
        for (at++; whole[at] !== '"' || whole[at + 1] === '"'; at++) {
          if (at >= whole.length) return { ...result, unfinished: first };
          if (whole[at] === '"') at++;
          if (isLineEnd(at)) line++;
          field += whole[at];
        }
        at++;
        if (!isFieldEnd()) textAfterQuote = true;
        while (!isFieldEnd()) at++;
      } else {
        const start = at;
        while (!isFieldEnd()) at++;
        field = whole.slice(start, at) || null;
      }
      fields.push(field);
      if (whole[at++] !== ',') break;
    }
    if (whole[at - 1] === '\r' && whole[at] === '\n') at++;
    line++;
    if (fields.length === 1 && fields[0] === null) continue;
    if (textAfterQuote) result.malformed.push({ line: first, reason: 'there is text after a closing quote' });
    else if (fields.length !== columns)
      result.malformed.push({ line: first, reason: `${fields.length} fields where the header has ${columns}` });
    else result.rows.push({ line: first, fields });
  }
  return result;
}

test('any text is read as the model reads it, wherever the pieces end', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '"', ',', ',', '\n', '\r', '\r\n', 'é'), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 20 }), async (written, columns, readBytes) => {
      assert.deepEqual(await scan(written, columns, readBytes), model(written, columns));
    }),
    { numRuns: 2000 },
  );
});

test('a row of 50 MB in small pieces is looked at a few times, not once for each piece', async () => {
  const length = 50_000_000;
  const bytes = Buffer.alloc(length + 3, 'x');
  bytes[0] = bytes[length + 1] = 34;
  bytes[length + 2] = 10;
  let position = 0;
  const source = {
    position: 0,
    async read(target: Uint8Array): Promise<number> {
      const count = bytes.copy(target, 0, position);
      position += count;
      return count;
    },
    async close(): Promise<void> {},
  };
  const reader = new ChunkReader('test.csv', source, new ChunkBuffers(100_000));
  let looked = 0;
  let end = 0;
  while (await reader.next(end)) {
    looked += reader.to - reader.from;
    end = lastRowEnd(reader.bytes, reader.from, reader.to, parseDialect({}));
    if (end > reader.from) break;
  }
  assert.equal(end, reader.to);
  await reader.close();
  assert.ok(looked < 3 * length, `${looked} bytes were looked at`);
});

test('rows longer than a block and than a piece', async () => {
  const long = 'x'.repeat(700_000);
  const { rows } = await scan(`${long},"${long}\n"\n1,2\n`, 2, 100_000);
  assert.deepEqual(
    rows.map(({ line, fields }) => [line, ...fields.map((text) => text?.length)]),
    [
      [1, 700_000, 700_001],
      [3, 1, 1],
    ],
  );
});

test('integers of columns that are expected to hold them are read on the way, anything else is left', () => {
  const integer = fc.oneof(
    fc.integer().map(String),
    fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }).map(String),
    fc.constantFrom('0', '-0', '007'),
  );
  const other = fc.constantFrom(
    '',
    '-',
    '--1',
    '1-',
    ' 1',
    '1 ',
    '+1',
    '1.5',
    '"12"',
    '""',
    'é',
    '1\0',
    '/',
    ':',
    '1:',
    '12345678x',
    'abcdefgh',
  );
  const cell = fc.oneof({ weight: 3, arbitrary: integer }, other);
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(rows, fc.constantFrom('\n', '\r\n', '\r'), fc.boolean(), (cells, lineEnd, endsWithLine) => {
      const text = cells.map((row) => row.join(',')).join(lineEnd) + (endsWithLine ? lineEnd : '');
      const bytes = Buffer.from(`${text}\n`);
      const scanner = new CsvScanner(parseDialect({}), 3, { integerColumns: [0, 2] });
      const to = endsWithLine && lineEnd !== '\r' ? bytes.length - 1 : bytes.length;
      // A last row without an end, or with one that a line feed may follow, is told complete by the line feed that it gets.
      const padded = Buffer.concat([bytes.subarray(0, to), Buffer.from('\n')]);
      assert.equal(scanner.scan(padded, 0, to), to);
      const plain = new CsvScanner(parseDialect({}), 3);
      plain.scan(padded, 0, to);
      assert.equal(scanner.rows, cells.length);
      assert.deepEqual(
        [scanner.starts.slice(0, 3 * scanner.rows), scanner.ends.slice(0, 3 * scanner.rows)],
        [plain.starts.slice(0, 3 * plain.rows), plain.ends.slice(0, 3 * plain.rows)],
      );
      for (const [row, fields] of cells.entries()) {
        for (const [column, field] of fields.entries()) {
          const read = scanner.integers![3 * row + column]!;
          if (column === 1) assert.ok(Number.isNaN(read));
          else if (!Number.isNaN(read)) assert.equal(read, Number(field) + 0);
          else assert.ok(!/^-?\d{1,15}$/.test(field) || cells[row]!.some((other) => other.startsWith('"')));
        }
      }
    }),
  );
});

test('where the delimiter or the quote could be part of a number, none is read on the way', () => {
  const scanner = new CsvScanner(dialectOf('1'), 2, { integerColumns: [0, 1] });
  const bytes = Buffer.from('213\n\n');
  assert.equal(scanner.scan(bytes, 0, 4), 4);
  assert.equal(scanner.integers, null);
  assert.deepEqual(
    [0, 1].map((column) => fieldText(scanner, 0, column)),
    ['2', '3'],
  );
});

test('integers that were read do not stay for the rows of the next block', () => {
  const scanner = new CsvScanner(parseDialect({}), 1, { mostRows: 64, integerColumns: [0] });
  const numbers = Buffer.from(`${Array.from({ length: 64 }, (_, row) => row).join('\n')}\n\n`);
  scanner.scan(numbers, 0, numbers.length - 1);
  assert.equal(scanner.integers![1], 1);
  const quoted = Buffer.from('"7"\n"8"\n\n');
  scanner.scan(quoted, 0, quoted.length - 1);
  assert.equal(scanner.rows, 2);
  assert.ok(Number.isNaN(scanner.integers![0]!) && Number.isNaN(scanner.integers![1]!));
});
