import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ByteReader, ByteWriter } from '../../base/index.ts';
import { openObjectStore, parseStorageUri, withFaults } from '../../object-store/index.ts';
import { CypherFloat, decodeValue, encodeValue, type Value } from '../../value/index.ts';
import type { Manifest, Namespace, SstColumn, SstFile, SstTable, TableName } from '../api.ts';
import { firstManifest } from '../manifest/manifest-edit.ts';
import { openNamespace } from '../open-namespace.ts';
import { readSample, type SampleColumn, sampleColumn } from '../testing/sample-table.ts';
import { freshStore, TestClock } from '../testing/test-store.ts';
import { planCompaction } from './plan-compaction.ts';

const NODES: TableName = { kind: 'nodes', labels: ['N'] };
const KNOWS: TableName = { kind: 'relationships', type: 'KNOWS' };

/** `inThread`: all work on files is done in a thread of its own. */
function open({ inThread = false, store = freshStore() } = {}): Promise<Namespace> {
  return openNamespace(store, { name: 'test', clock: new TestClock(), ...(inThread ? { threadFromBytes: 0 } : {}) });
}

/** A row as the model has it; a tombstone has no properties. */
interface ModelRow {
  readonly source: number;
  readonly target: number;
  readonly ordinal: number;
  readonly text: string | null;
  readonly count: number | null;
  readonly deleted: boolean;
}

function byKey(a: ModelRow, b: ModelRow): number {
  return a.source - b.source || a.target - b.target || a.ordinal - b.ordinal;
}

/** Rows as a flushed file of the table; `text` as a dictionary in every other file. */
function flushed(table: TableName, rows: readonly ModelRow[], asDictionary: boolean): SstTable {
  const sorted = [...rows].sort(byKey);
  const column = (name: string, kind: SampleColumn['kind'], value: (row: ModelRow) => ReturnType<SampleColumn['value']>): SstColumn =>
    sampleColumn({ name, kind, value: (row) => value(sorted[row]!) }, sorted.length);
  const keys =
    table.kind === 'nodes' ? [] : [column('_source', 'uint32', (row) => row.source), column('_target', 'uint32', (row) => row.target)];
  const deleted = sorted.some((row) => row.deleted) ? [column('_deleted', 'boolean', (row) => row.deleted)] : [];
  return {
    ...table,
    rows: sorted.length,
    columns: [
      column('_ordinal', 'uint32', (row) => row.ordinal),
      ...deleted,
      ...keys,
      column('text', asDictionary ? 'dictionary' : 'string', (row) => row.text),
      column('count', 'integer', (row) => row.count),
    ],
    minOrdinal: Math.min(...sorted.map((row) => row.ordinal)),
    denseOrdinals: false,
    base: false,
    level: 0,
    minSequence: 1,
    maxSequence: 1,
  };
}

/** Reads the rows that the files of a table hold: the newest version of each, tombstones too. */
async function readRows(namespace: Namespace, files: readonly SstFile[]): Promise<ModelRow[]> {
  const rows = new Map<number, ModelRow>();
  for (const file of files) {
    const reader = await namespace.openSst(file);
    const names = ['_ordinal', '_deleted', '_source', '_target', 'text', 'count'];
    const [ordinals, deleted, sources, targets, texts, counts] = await Promise.all(names.map((name) => reader.readColumn(name)));
    for (let row = 0; row < file.rows; row++) {
      const at = (column: SstColumn | null | undefined): ReturnType<typeof readSample> => (column ? readSample(column, row) : null);
      const ordinal = file.denseOrdinals ? file.minOrdinal + row : Number(at(ordinals));
      rows.set(ordinal, {
        ordinal,
        source: Number(at(sources)),
        target: Number(at(targets)),
        deleted: at(deleted) === true,
        text: at(texts) as string | null,
        count: at(counts) as number | null,
      });
    }
  }
  return [...rows.values()].sort(byKey);
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

function filesOf(manifest: Manifest): readonly SstFile[] {
  return manifest.tables[0]?.files ?? [];
}

for (const table of [NODES, KNOWS]) {
  test(`merging ${table.kind} keeps the newest version of every row, at random`, async () => {
    for (let seed = 1; seed <= 25; seed++) {
      const next = random(seed);
      const pick = (limit: number): number => Math.floor(next() * limit);
      const namespace = await open();
      const model = new Map<number, ModelRow>();
      for (let flush = 0; flush < 12; flush++) {
        const rows = new Map<number, ModelRow>();
        for (let change = pick(40); change >= 0; change--) {
          const ordinal = pick(60);
          const deleted = next() < 0.2;
          const ends = table.kind === 'nodes' ? { source: 0, target: 0 } : { source: ordinal % 7, target: (ordinal * 3) % 11 };
          const text = deleted || next() < 0.2 ? null : `text ${pick(20)}`;
          rows.set(ordinal, { ...ends, ordinal, deleted, text, count: deleted ? null : pick(1000) });
        }
        for (const row of rows.values()) model.set(row.ordinal, row);
        await namespace.publish({ add: [flushed(table, [...rows.values()], flush % 2 === 0)], remove: [] });
        if (next() < 0.4) await namespace.compact({ maxFlushedFiles: 2 });
      }
      const live = [...model.values()].filter((row) => !row.deleted).sort(byKey);
      const before = await readRows(namespace, filesOf(namespace.manifest));
      assert.deepEqual(
        before.filter((row) => !row.deleted),
        live,
        `seed ${seed}`,
      );
      await namespace.compact({ everything: true });
      const files = filesOf(namespace.manifest);
      assert.deepEqual(await readRows(namespace, files), live, `seed ${seed}`);
      assert.ok(files.every((file) => file.base && !file.columns.some(({ name }) => name === '_deleted')));
      assert.equal((await namespace.compact({ everything: true })).tablesMerged, 0);
    }
  });
}

test('ordinals that only count up after a merge are left out', async () => {
  const namespace = await open();
  const row = (ordinal: number): ModelRow => ({ source: 0, target: 0, ordinal, text: 'x', count: 1, deleted: false });
  await namespace.publish({ add: [flushed(NODES, [row(5), row(7)], false), flushed(NODES, [row(6), row(8)], false)], remove: [] });
  const outcome = await namespace.compact({ everything: true });
  assert.deepEqual([outcome.tablesMerged, outcome.filesRemoved, outcome.filesAdded, outcome.rowsWritten], [1, 2, 1, 4]);
  const [file] = filesOf(namespace.manifest);
  assert.deepEqual([file!.denseOrdinals, file!.minOrdinal, file!.maxOrdinal, file!.level], [true, 5, 8, 1]);
});

test('columns whose kinds differ from file to file keep their values', async () => {
  const namespace = await open();
  const batch = (ordinal: number, columns: readonly SampleColumn[]): SstTable => ({
    ...flushed(NODES, [{ source: 0, target: 0, ordinal, text: null, count: null, deleted: false }], false),
    columns: [{ name: '_ordinal', kind: 'uint32', value: () => ordinal }, ...columns].map((column) =>
      sampleColumn(column as SampleColumn, 1),
    ),
  });
  const value = (kind: SampleColumn['kind'], it: ReturnType<SampleColumn['value']>, name = 'mixed'): SampleColumn => ({
    name,
    kind,
    value: () => it,
  });
  const encoded = new ByteWriter();
  encodeValue([1, 'a'], encoded);
  await namespace.publish({
    add: [
      batch(1, [value('int32', -7), value('int32', -7, 'number')]),
      batch(2, [value('integer', 2 ** 40), value('integer', 2 ** 40, 'number')]),
      batch(3, [value('int64', '9223372036854775807'), value('int64', '9223372036854775807', 'number')]),
      batch(4, [value('float', 2), value('int32', null, 'number')]),
      batch(5, [value('boolean', true)]),
      batch(6, [value('date', 3)]),
      batch(7, [value('dictionary', 'ä')]),
      batch(8, [value('string', 'text')]),
      batch(9, [value('any', Buffer.from(encoded.toBytes()).toString('base64'))]),
      batch(10, []),
    ],
    remove: [],
  });
  await namespace.compact({ everything: true });
  const reader = await namespace.openSst(filesOf(namespace.manifest)[0]!);
  const numbers = await reader.readColumn('number');
  assert.equal(numbers!.kind, 'int64');
  assert.deepEqual(
    Array.from({ length: 10 }, (_, row) => readSample(numbers!, row)),
    ['-7', String(2 ** 40), '9223372036854775807', ...new Array(7).fill(null)],
  );
  const mixed = await reader.readColumn('mixed');
  assert.equal(mixed!.kind, 'any');
  const decoded = Array.from({ length: 10 }, (_, row): Value => {
    const bytes = readSample(mixed!, row);
    return bytes === null ? null : decodeValue(new ByteReader(Buffer.from(String(bytes), 'base64')));
  });
  assert.deepEqual(decoded.slice(0, 5), [-7, 2 ** 40, 9223372036854775807n, new CypherFloat(2), true]);
  assert.equal(String((decoded[5] as { epochDay: number }).epochDay), '3');
  assert.deepEqual(decoded.slice(6), ['ä', 'text', [1, 'a'], null]);
});

test('runs whose sources meet are told apart', async () => {
  const namespace = await open();
  const row = (source: number, target: number, ordinal: number, text: string): ModelRow => {
    return { source, target, ordinal, text, count: 1, deleted: false };
  };
  const merged = async (...rows: ModelRow[]): Promise<void> => {
    for (const asDictionary of [true, false]) await namespace.publish({ add: [flushed(KNOWS, rows, asDictionary)], remove: [] });
    await namespace.compact({ maxFlushedFiles: 2 });
  };
  const many = Array.from({ length: 400 }, (_, index) => row(1, 100 + index, 1000 + index, 'x'.repeat(50)));
  await merged(row(0, 1, 1, 'first'), ...many, row(5, 5, 2, 'old'), row(5, 8, 3, 'old'));
  await merged(row(5, 5, 2, 'new'), row(5, 6, 4, 'new'), row(7, 1, 5, 'last'));
  const files = filesOf(namespace.manifest);
  assert.deepEqual(
    files.map(({ level }) => level),
    [1, 1],
  );
  await namespace.compact({ everything: true });
  const rows = (await readRows(namespace, filesOf(namespace.manifest))).filter(({ source }) => source !== 1);
  assert.deepEqual(
    rows.map(({ ordinal, text }) => [ordinal, text]),
    [
      [1, 'first'],
      [2, 'new'],
      [4, 'new'],
      [3, 'old'],
      [5, 'last'],
    ],
  );
  assert.equal(filesOf(namespace.manifest)[0]!.rows, 405);
});

test('a merge and flushes beside it do not lose each other', async () => {
  const namespace = await open();
  const row = (ordinal: number, text: string): ModelRow => ({ source: 0, target: 0, ordinal, text, count: 1, deleted: false });
  for (const flush of [1, 2, 3])
    await namespace.publish({ add: [flushed(NODES, [row(1, `version ${flush}`), row(10 + flush, 'other')], false)], remove: [] });
  const [outcome] = await Promise.all([
    namespace.compact({ everything: true }),
    namespace.publish({ add: [flushed(NODES, [row(1, 'newest')], false)], remove: [] }),
  ]);
  assert.equal(outcome.tablesMerged, 1);
  const rows = await readRows(namespace, filesOf(namespace.manifest));
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['newest', 'other', 'other', 'other'],
  );
});

test('a merge in a thread of its own gives the same files, beside flushes that are written there too', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-merge-'));
  t.after(() => rmSync(folder, { recursive: true }));
  // Of a directory the thread uses the memory of its files again.
  const directory = await openObjectStore(parseStorageUri(`file://${folder}?ns=test`));
  const row = (ordinal: number, text: string): ModelRow => ({ source: 0, target: 0, ordinal, text, count: 1, deleted: ordinal % 7 === 6 });
  const contents: unknown[] = [];
  for (const [inThread, store] of [
    [false, freshStore()],
    [true, freshStore()],
    [true, directory],
  ] as const) {
    const namespace = await open({ inThread, store });
    for (let flush = 0; flush < 3; flush++) {
      const rows = Array.from({ length: 70_000 }, (_, index) => row(index * (flush + 1), `version ${flush} of ${index % 100}`));
      await namespace.publish({ add: [flushed(NODES, rows, flush === 1)], remove: [] });
    }
    const [outcome] = await Promise.all([
      namespace.compact({ everything: true }),
      namespace.publish({ add: [flushed(NODES, [row(1, 'newest')], false)], remove: [] }),
    ]);
    assert.deepEqual([outcome.tablesMerged, outcome.filesRemoved], [1, 3]);
    const { crc32, rows } = filesOf(namespace.manifest)[0]!;
    await namespace.publish({ add: [flushed(NODES, [row(2, 'newer')], false)], remove: [] });
    await namespace.compact({ everything: true });
    contents.push([crc32, rows, await readRows(namespace, filesOf(namespace.manifest))]);
    await namespace.close();
  }
  await directory.close();
  assert.deepEqual(contents[1], contents[0]);
  assert.deepEqual(contents[2], contents[0]);
});

test('a thread says what failed: a damaged file, a store that refuses, a merge that is stopped', async () => {
  const store = freshStore();
  let refusing = false;
  const failing = withFaults(store, {
    random: () => 0,
    onRequest: ({ operation }) => (refusing && operation === 'putIfAbsent' ? 'refused' : null),
  });
  const namespace = await open({ inThread: true, store: failing });
  const row = (ordinal: number): ModelRow => ({ source: 0, target: 0, ordinal, text: 'x', count: 1, deleted: false });
  for (let flush = 0; flush < 2; flush++) await namespace.publish({ add: [flushed(NODES, [row(flush)], false)], remove: [] });
  await assert.rejects(namespace.compact({ everything: true, signal: AbortSignal.abort() }), { code: 'CANCELLED' });
  refusing = true;
  await assert.rejects(namespace.compact({ everything: true }), { code: 'STORE_UNAVAILABLE' });
  refusing = false;
  const file = filesOf(namespace.manifest)[0]!;
  const { key } = file;
  const bytes = (await store.get(key))!;
  const { blocks } = await (await namespace.openSst(file)).readLayout();
  const [at] = blocks[0]!.buffers.find(([, length]) => length > 0)!;
  await store.put(key, bytes.with(at, bytes[at]! ^ 1));
  await assert.rejects(namespace.compact({ everything: true }), { code: 'CORRUPTION', message: new RegExp(key) });
  await store.put(key, bytes);
  assert.equal((await namespace.compact({ everything: true })).rowsWritten, 2);
  await namespace.close();
});

test('a stopped merge leaves everything as it was', async () => {
  const namespace = await open();
  const row: ModelRow = { source: 0, target: 0, ordinal: 1, text: 'x', count: 1, deleted: false };
  for (let flush = 0; flush < 2; flush++) await namespace.publish({ add: [flushed(NODES, [row], false)], remove: [] });
  const { version } = namespace.manifest;
  await assert.rejects(namespace.compact({ everything: true, signal: AbortSignal.abort() }), { code: 'CANCELLED' });
  assert.equal(namespace.manifest.version, version);
});

test('what is merged follows from the sizes', () => {
  const file = (key: string, level: number, bytes: number, minOrdinal = 0, maxOrdinal = 9): SstFile => ({
    key,
    level,
    bytes,
    minOrdinal,
    maxOrdinal,
    crc32: 0,
    rows: 10,
    base: level > 0,
    denseOrdinals: true,
    minSequence: 0,
    maxSequence: 0,
    blockCount: 0,
    columns: [],
    layout: [0, 0, 0],
  });
  const plan = (...files: SstFile[]): readonly string[] => {
    const manifest = { ...firstManifest({ epoch: 1, writerId: 'w', nowMs: 0 }), tables: [{ ...NODES, liveRows: 1, files }] };
    return planCompaction(manifest)[0]?.keys ?? [];
  };
  const flushes = ['1', '2', '3', '4'].map((key) => file(key, 0, 10));
  assert.deepEqual(plan(...flushes.slice(1)), []);
  assert.deepEqual(plan(...flushes), ['1', '2', '3', '4']);
  assert.deepEqual(plan(file('big', 1, 1000), ...flushes), ['1', '2', '3', '4']);
  assert.deepEqual(plan(file('big', 1, 120), ...flushes), ['big', '1', '2', '3', '4']);
  assert.deepEqual(plan(file('huge', 2, 9999), file('big', 1, 100), ...flushes), ['big', '1', '2', '3', '4']);
  // Two files of one merge are one run: as big as both.
  assert.deepEqual(plan(file('a', 1, 100, 0, 9), file('b', 1, 100, 10, 19), ...flushes), ['1', '2', '3', '4']);
});
