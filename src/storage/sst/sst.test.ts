import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { type Table as ArrowTable, tableFromIPC } from 'apache-arrow';
import { type ObjectStore, openObjectStore, parseStorageUri, withMetrics } from '../../object-store/index.ts';
import type { SstBuffer, SstFile, SstLayout, SstReader, SstTable } from '../api.ts';
import { damagedCopies, isDamageReport } from '../testing/damage.ts';
import { readSample, SAMPLE_COLUMNS, type SampleValue, sampleColumn, sampleRelationships, sampleTable } from '../testing/sample-table.ts';
import { bufferCount } from './column-kinds.ts';
import { BLOCK_TEXT_BYTES, blockRanges, type EncodeOptions, encodeSst } from './encode-sst.ts';
import { encodeLayout } from './file-layout.ts';
import { openSstReader } from './sst-reader.ts';

const KEY = 'data/w-1.arrow';
let stores = 0;

async function encoded(table: SstTable, options?: EncodeOptions): Promise<{ bytes: Uint8Array; file: SstFile }> {
  const { bytes, content } = await encodeSst(table, options);
  return { bytes, file: { key: KEY, ...content } };
}

async function storeWith(bytes: Uint8Array): Promise<ObjectStore> {
  const store = await openObjectStore(parseStorageUri(`memory://sst-${++stores}`));
  await store.put(KEY, bytes);
  return store;
}

async function layoutOf(bytes: Uint8Array, file: SstFile): Promise<SstLayout> {
  return openSstReader(await storeWith(bytes), file).readLayout();
}

async function readRows(store: ObjectStore, file: SstFile): Promise<SampleValue[][]> {
  const reader = openSstReader(store, file);
  const columns = await Promise.all(file.columns.map(({ name }) => reader.readColumn(name)));
  return columns.map((column) => Array.from({ length: file.rows }, (_, row) => readSample(column!, row)));
}

function expectedRows(rows: number, from = 0): SampleValue[][] {
  return SAMPLE_COLUMNS.map(({ value }) => Array.from({ length: rows }, (_, row) => value(from + row)));
}

for (const compression of [undefined, 'zstd'] as const) {
  for (const rows of [1, 100, 70_001]) {
    test(`an SST of ${rows} rows, compression ${compression ?? 'none'}, gives back what went in`, async () => {
      const { bytes, file } = await encoded(sampleTable(rows), { compression });
      assert.deepEqual(await readRows(await storeWith(bytes), file), expectedRows(rows));
      assert.equal(file.blockCount, Math.ceil(rows / 16_384));
      const { blocks } = await layoutOf(bytes, file);
      assert.equal(blocks.length, file.blockCount);
      for (const [offset] of blocks.flatMap((block) => block.buffers)) assert.equal(offset % 64, 0);
    });
  }
}

test('rows around one are what the whole column says, by little more than one piece of each buffer', async () => {
  const rows = 70_001;
  const { bytes, file } = await encoded(sampleRelationships(rows));
  const { store, metrics } = withMetrics(await storeWith(bytes));
  const reader = openSstReader(store, file);
  await reader.readLayout();
  for (const { name, value } of SAMPLE_COLUMNS) {
    for (const [block, row] of [
      [0, 0],
      [0, 8_191],
      [0, 30_000],
      [0, 65_535],
      [1, 0],
      [1, rows - 65_536 - 1],
    ] as const) {
      const before = metrics.operations.readInto.bytesRead;
      const part = await reader.readAround(name, block, row);
      assert.ok(part !== null && part.firstRow <= row && row < part.firstRow + part.rows, name);
      const first = 65_536 * block + part.firstRow;
      const read = Array.from({ length: part.rows }, (_, at) => readSample(part.column, at));
      const expected = Array.from({ length: part.rows }, (_, at) => value(first + at));
      assert.deepEqual(read, expected, `${name} from ${first} on`);
      assert.ok(metrics.operations.readInto.bytesRead - before <= 2 ** 18, name);
    }
  }
  assert.equal(await reader.readAround('missing', 0, 0), null);
});

test('damage of a piece is named by whoever reads it, and by no other', async () => {
  const { bytes, file } = await encoded(sampleRelationships(70_001));
  const { blocks } = await layoutOf(bytes, file);
  const reader = async (damaged: Uint8Array): Promise<SstReader> => openSstReader(await storeWith(damaged), file);
  let at = 0;
  for (const { name, kind } of file.columns) {
    const [offset, length] = blocks[0]!.buffers[at + bufferCount(kind) - 1]!;
    at += bufferCount(kind);
    if (length === 0) continue;
    const damaged = bytes.slice();
    damaged[offset + length - 1]! ^= 1;
    await assert.rejects((await reader(damaged)).readAround(name, 0, 65_535), { code: 'CORRUPTION' }, name);
    if (length > 2 ** 16) await (await reader(damaged)).readAround(name, 0, 0);
  }
});

test('part of a table makes a file of its own', async () => {
  const { bytes, file } = await encoded(sampleTable(200), { range: { from: 13, to: 150 } });
  assert.deepEqual(await readRows(await storeWith(bytes), file), expectedRows(137, 13));
  assert.deepEqual([file.minOrdinal, file.maxOrdinal], [4_000_000_026, 4_000_000_298]);
});

test('a reader of another make sees the same table', async () => {
  const { bytes } = await encoded(sampleTable(300));
  const arrow = tableFromIPC(bytes);
  assert.equal(arrow.numRows, 300);
  assert.equal(
    String(arrow.schema.fields.map(({ type }) => type)),
    'Uint32,Int32,Int64,Int64,Float64,Bool,Date32<DAY>,Dictionary<Int32, Utf8>,Utf8,Utf8,List<Float32>,Binary',
  );
  assert.deepEqual(Object.fromEntries(arrow.schema.metadata), {
    'graphdb.format': '1',
    'graphdb.table': '{"kind":"nodes","labels":["Person","Ärztin"]}',
    'graphdb.denseOrdinals': 'false',
    'graphdb.minOrdinal': '4000000000',
  });
  assert.equal(arrow.schema.fields.at(-1)!.metadata.get('graphdb.encoding'), 'value');
  assert.deepEqual(arrowRows(arrow), expectedRows(300));
});

function arrowRows(arrow: ArrowTable): SampleValue[][] {
  return SAMPLE_COLUMNS.map(({ name, kind }) =>
    Array.from(arrow.getChild(name)!, (value: unknown) => {
      if (value === null) return null;
      if (kind === 'integer') return Number(value);
      if (kind === 'int64') return String(value);
      if (kind === 'date') return Number(value) / 86_400_000;
      if (kind === 'vector') return Buffer.from((value as { toArray(): Float32Array }).toArray().slice().buffer).toString('base64');
      return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : (value as SampleValue);
    }),
  );
}

test('a column can be read into arrays that are there already', async () => {
  const { bytes, file } = await encoded(sampleTable(100));
  const reader = openSstReader(await storeWith(bytes), file);
  const values = new Float64Array(new SharedArrayBuffer(8 * 300)).subarray(50, 150);
  const valid = new Uint8Array(13);
  const column = await reader.readColumn('count', { values, valid });
  assert.equal(column!.values, values);
  assert.deepEqual(
    Array.from(values, (_, row) => readSample(column!, row)),
    SAMPLE_COLUMNS[2] && Array.from(values, (_, row) => SAMPLE_COLUMNS[2]!.value(row)),
  );
  assert.equal(await reader.readColumn('no such column'), null);
});

test('reading a column of a big file fetches its layout once, and that column only', async () => {
  const { bytes, file } = await encoded(sampleRelationships(70_000));
  const { store, metrics } = withMetrics(await storeWith(bytes));
  const reader = openSstReader(store, file);
  await reader.readColumn('day');
  const [, layoutBytes] = file.layout as SstBuffer; // as: of a file that was just written
  assert.equal(metrics.operations.readInto.requests, 1 + 2);
  assert.equal(metrics.operations.readInto.bytesRead, layoutBytes + 4 * 70_000);
  await reader.readColumn('huge');
  assert.equal(metrics.operations.readInto.requests, 1 + 2 + 2);
});

test('a layout that does not agree with the manifest is damage', async () => {
  const { bytes, file } = await encoded(sampleTable(100));
  const layout = await layoutOf(bytes, file);
  const [block] = layout.blocks;
  const wrong: readonly SstLayout[] = [
    { ...layout, blocks: [] },
    { ...layout, blocks: [{ ...block!, rows: 99 }] },
    { ...layout, blocks: [{ ...block!, buffers: block!.buffers.slice(1) }] },
    { ...layout, blocks: [{ ...block!, bytes: bytes.length }] },
    { ...layout, blocks: [{ ...block!, buffers: block!.buffers.with(1, [0, bytes.length + 1, 0]) }] },
    { ...layout, dictionaries: [] },
  ];
  for (const each of wrong) {
    const forged = Buffer.concat([bytes, encodeLayout(each)]);
    const place: SstBuffer = [bytes.length, forged.length - bytes.length, crc32(forged.subarray(bytes.length))];
    await assert.rejects(layoutOf(forged, { ...file, layout: place }), (error) => isDamageReport(error, KEY));
  }
  const noJson = Buffer.concat([bytes, Buffer.from('{')]);
  await assert.rejects(layoutOf(noJson, { ...file, layout: [bytes.length, 1, crc32(Buffer.from('{'))] }), (error) =>
    isDamageReport(error, KEY),
  );
});

test('statistics hold for the rows of the file', async () => {
  const { file } = await encoded(sampleTable(100));
  const info = Object.fromEntries(file.columns.map(({ dictionarySize, kind, ...column }) => [column.name, column]));
  assert.deepEqual(info['small'], { name: 'small', nullCount: 14, min: -50, max: 49 });
  assert.deepEqual(info['huge'], {
    name: 'huge',
    nullCount: 0,
    min: String(-99n * 4_611_686_018_427n),
    max: String(98n * 4_611_686_018_427n),
  });
  assert.deepEqual(info['word'], { name: 'word', nullCount: 11, min: '', max: '数据', distinct: 5 });
  assert.deepEqual(info['text'], { name: 'text', nullCount: 25, min: '', max: 'row 98 ✓' });
  assert.deepEqual(info['all null'], { name: 'all null', nullCount: 100 });
});

test('bounds are left out where there is none that JSON can hold', async () => {
  const bounds = async (...values: number[]): Promise<unknown[]> => {
    const column = { name: 'x', kind: 'float', values: Float64Array.from(values), valid: null } as const;
    const { file } = await encoded({ ...sampleTable(values.length, []), denseOrdinals: true, columns: [column] });
    return [file.columns[0]!.min, file.columns[0]!.max];
  };
  assert.deepEqual(await bounds(1, 2), [1, 2]);
  assert.deepEqual(await bounds(1, Number.NaN), [undefined, undefined]);
  assert.deepEqual(await bounds(1, Number.NEGATIVE_INFINITY), [undefined, undefined]);
});

test('a file keeps only the dictionary entries that its rows use', async () => {
  const word = sampleColumn(SAMPLE_COLUMNS.find(({ name }) => name === 'word')!, 100);
  const table: SstTable = { ...sampleTable(100, []), denseOrdinals: true, columns: [word] };
  const { bytes, file } = await encoded(table, { range: { from: 1, to: 3 } });
  assert.equal(file.columns[0]!.dictionarySize, 2);
  assert.deepEqual(await readRows(await storeWith(bytes), file), [['Łódź', 'graph']]);
});

test('long text makes blocks of fewer rows', () => {
  const third = BLOCK_TEXT_BYTES / 3;
  const offsets = Uint32Array.from([0, third, 2 * third, 3 * third, 4 * third, 10 * third, 10 * third]);
  const column = { name: 's', kind: 'string', values: offsets, valid: null, heap: new Uint8Array(0) } as const;
  assert.deepEqual(
    blockRanges({ kind: 'nodes', columns: [column] }, { from: 0, to: 6 }).map(({ to }) => to),
    [3, 4, 5, 6],
  );
});

test('whatever is changed in an SST is found, or makes no difference', async () => {
  const columns = SAMPLE_COLUMNS.filter(({ name }) => ['count', 'word', 'text'].includes(name));
  const table: SstTable = { ...sampleTable(9, columns), denseOrdinals: true };
  for (const compression of [undefined, 'zstd'] as const) {
    const { bytes, file } = await encoded(table, { compression });
    const store = await storeWith(bytes);
    const expected = JSON.stringify(await readRows(store, file));
    let found = 0;
    for (const { how, copy } of damagedCopies(bytes, 41)) {
      await store.put(KEY, copy);
      try {
        assert.equal(JSON.stringify(await readRows(store, file)), expected, how);
      } catch (error) {
        assert.ok(isDamageReport(error, KEY), `${how}: ${error}`);
        found++;
      }
    }
    const { blocks, dictionaries } = await layoutOf(bytes, file);
    const [{ offsets, heap } = assert.fail()] = dictionaries;
    const layout = file.layout as SstBuffer; // as: of a file that was just written
    const stored = [...blocks.flatMap(({ buffers }) => buffers), offsets, heap, layout];
    const checkedBytes = stored.reduce((sum, [, length]) => sum + length, 0);
    assert.equal(found, checkedBytes + Math.ceil(bytes.length / 41) + 1, 'every bit of every buffer, every cut, and a byte too many');
  }
});

test('a missing SST is an error that names it', async () => {
  const { bytes, file } = await encoded(sampleTable(10));
  const store = await storeWith(bytes);
  await store.delete(KEY);
  await assert.rejects(openSstReader(store, file).readColumn('day'), (error) => isDamageReport(error, KEY));
});
