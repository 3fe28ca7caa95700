/**
 * A column in files, read as rows are asked for: what is missing is noted, layouts of many files among it, and each row
 * has the value that it was given.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openObjectStore, parseStorageUri, withMetrics } from '../../object-store/index.ts';
import { openNamespace, type SstReader, type SstTable } from '../../storage/index.ts';
import { FileLayouts } from './file-layouts.ts';
import { PageCache } from './page-cache.ts';
import { PageFaults } from './page-faults.ts';
import { PagedColumn } from './paged-column.ts';
import { pagedNumbers } from './paged-numbers.ts';

const CACHE = new PageCache({ mostBytes: 2 ** 28, availableMemory: () => 2 ** 30 });
const ROWS = 40_000;
const FILES = 6;

/** Rows have ascending sources: three for each node. */
function tableFrom(first: number): SstTable {
  const numbers = (value: (row: number) => number): Uint32Array => Uint32Array.from({ length: ROWS }, (_, row) => value(first + row));
  return {
    kind: 'relationships',
    type: 'KNOWS',
    rows: ROWS,
    columns: [
      { name: '_source', kind: 'uint32', values: numbers((row) => Math.floor(row / 3)), valid: null },
      { name: '_target', kind: 'uint32', values: numbers((row) => row), valid: null },
      { name: 'p.w', kind: 'int32', values: Int32Array.from(numbers((row) => row * 7)), valid: null },
    ],
    minOrdinal: first,
    denseOrdinals: true,
    base: true,
    level: 0,
    minSequence: 1,
    maxSequence: 1,
  };
}

async function openFiles(name: string) {
  const { store, metrics } = withMetrics(await openObjectStore(parseStorageUri(`memory://${name}`)));
  const writer = await openNamespace(store, { name });
  await writer.append({ sequence: 1, changes: new Uint8Array(1) });
  for (let file = 0; file < FILES; file++) {
    await writer.publish({ add: [tableFrom(file * ROWS)], remove: [], sequence: 1 });
  }
  const files = writer.manifest.tables[0]!.files;
  const parts = await Promise.all(files.map(async (file, at) => ({ reader: await writer.openSst(file), firstRow: at * ROWS })));
  return { parts, requests: () => metrics.operations.readInto.requests };
}

/** Reads until nothing is missing. Returns what was read, and in how many rounds. */
async function readAll<T>(read: () => T): Promise<{ readonly value: T; readonly rounds: number }> {
  const faults = new PageFaults(CACHE);
  faults.beginRow();
  for (let rounds = 0; ; rounds++) {
    const value = faults.watch(read);
    if (!faults.any) return { value, rounds };
    await faults.load();
  }
}

test('rows of many files: a layout and a part for each file that is touched, and no other', async () => {
  const { parts, requests } = await openFiles('paged-column');
  const before = requests();
  const column = await PagedColumn.open('p.w', parts, CACHE);
  assert.equal(requests(), before, 'many layouts wait until they are needed');
  const rows = [0, 5, ROWS + 1, 4 * ROWS + 39_999];
  const { value, rounds } = await readAll(() => rows.map((row) => column.get(row)));
  assert.deepEqual([value, rounds], [rows.map((row) => 7 * row), 2]);
  assert.equal(requests() - before, 3 + 3);
  assert.deepEqual([column.get(FILES * ROWS), column.get(0)], [null, 0], 'beyond the last row there is nothing');
  await column.loadFrom(5 * ROWS - 10);
  for (const row of [5 * ROWS - 10, 5 * ROWS, 6 * ROWS - 1]) assert.equal(column.get(row), 7 * row);
});

test('an end of relationships: pages cross files and blocks, and expecting a row saves a round', async () => {
  const { parts, requests } = await openFiles('paged-numbers');
  const targets = pagedNumbers('_target', parts, FILES * ROWS, CACHE);
  const layouts = new FileLayouts(parts);
  const before = requests();
  const rows = [ROWS - 1, ROWS, 3 * ROWS + 123];
  const { value, rounds } = await readAll(() => rows.map((row) => targets.get(row)));
  assert.deepEqual([value, rounds], [rows, 1]);
  assert.ok(requests() - before <= 3 + 5, `${requests() - before} requests`);
  const late = 5 * ROWS + 20_077;
  await readAll(() => layouts.expect(5));
  const afterLayout = requests();
  assert.equal((await readAll(() => targets.get(late))).value, late);
  assert.equal(requests() - afterLayout, 2, 'two pieces side by side, since the layout is there');
});

test('rows that are being read when their width becomes known are read again once they have left', async () => {
  const reads: (() => void)[] = [];
  const part = { firstRow: 0, rows: 8, column: { name: 'p.w', kind: 'int32', values: new Int32Array(8).fill(7), valid: null } };
  const reader = {
    file: { key: 'data/x.sst', rows: 8, layout: { blocks: [] } },
    readLayout: async () => ({ blocks: [{ rows: 8 }] }),
    readAround: () => new Promise((resolve) => reads.push(() => resolve(part))),
  } as unknown as SstReader; // as: a column of one file uses no more of it.
  const cache = new PageCache({ mostBytes: 0, availableMemory: () => 0 });
  const column = await PagedColumn.open('p.w', [{ reader, firstRow: 0 }], cache);
  const faults = new PageFaults(cache);
  const load = (row: number): Promise<void> => {
    faults.beginRow();
    // There is no room for pages, so that it does not run ahead.
    assert.throws(() => faults.watch(() => column.get(row)));
    return faults.load();
  };
  const first = load(1);
  column.takeWidth(4, 8);
  reads.shift()!();
  await first;
  assert.equal(column.get(1), 7);
  cache.shrink(Number.POSITIVE_INFINITY);
  const again = load(0);
  assert.equal(reads.length, 1, 'the row is read again');
  reads.shift()!();
  await again;
  assert.equal(column.get(0), 7);
});
