/** Adjacencies say of every node what the rows say, whatever files these lie in, and damage is named. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ObjectStore, withMetrics } from '../../object-store/index.ts';
import type { ManifestArtefact, SstTable } from '../api.ts';
import { PagedReader } from '../artefacts/paged-reader.ts';
import { buildFrom, readerOf, type StoredFiles, seededRandom, storeFiles } from '../testing/built-artefact.ts';
import { sampleColumn } from '../testing/sample-table.ts';
import type { AdjacencyDirection, AdjacencyDirectory, ArrayName } from './adjacency-directory.ts';
import { adjacencyKind } from './adjacency-kind.ts';
import { BUILD_LIMITS, type BuildLimits, buildAdjacency } from './build-adjacency.ts';
import { packPage, unpackPage } from './packed-page.ts';
import { openPagedArrays } from './paged-arrays.ts';

interface Row {
  readonly ordinal: number;
  readonly source: number;
  readonly target: number;
  readonly isDeleted?: boolean;
}

function tableOf(rows: readonly Row[], level = 1): SstTable {
  const sorted = rows.toSorted((a, b) => a.source - b.source || a.target - b.target || a.ordinal - b.ordinal);
  const column = (name: string, value: (row: Row) => number) =>
    sampleColumn({ name, kind: 'uint32', value: (row) => value(sorted[row]!) }, rows.length);
  const deleted = sampleColumn({ name: '_deleted', kind: 'boolean', value: (row) => sorted[row]!.isDeleted === true }, rows.length);
  const base = rows.every(({ isDeleted }) => isDeleted !== true);
  return {
    kind: 'relationships',
    type: 'R',
    rows: rows.length,
    columns: [
      column('_ordinal', ({ ordinal }) => ordinal),
      ...(base ? [] : [deleted]),
      column('_source', ({ source }) => source),
      column('_target', ({ target }) => target),
    ],
    minOrdinal: rows.reduce((least, { ordinal }) => Math.min(least, ordinal), Number.POSITIVE_INFINITY),
    denseOrdinals: false,
    base,
    level,
    minSequence: 1,
    maxSequence: 1,
  };
}

/** In the order of the files. */
function rowsOf(files: readonly (readonly Row[])[]): Row[] {
  return files.flatMap((rows) => rows.toSorted((a, b) => a.source - b.source || a.target - b.target || a.ordinal - b.ordinal));
}

type Entry = readonly [node: number, neighbour: number, row: number];

function expectedEntries(files: readonly (readonly Row[])[], direction: AdjacencyDirection): Entry[] {
  const rows = rowsOf(files);
  const latest = new Map(rows.map(({ ordinal }, row) => [ordinal, row]));
  const entries = rows.flatMap(({ ordinal, source, target, isDeleted }, row): Entry[] => {
    if (isDeleted === true || latest.get(ordinal) !== row) return [];
    return [direction === 'outgoing' ? [source, target, row] : [target, source, row]];
  });
  return entries.sort(byEntry);
}

function byEntry([a, b, c]: Entry, [x, y, z]: Entry): number {
  return a - x || b - y || c - z;
}

async function readArray(reader: PagedReader, name: ArrayName, pagesAtOnce = 3): Promise<Uint32Array> {
  const arrays = await openPagedArrays(reader);
  const whole = new Uint32Array(arrays.length(name));
  const { pageElements } = arrays.directory;
  const pages = Math.ceil(whole.length / pageElements);
  for (let first = 0; first < pages; first += pagesAtOnce) {
    const count = Math.min(pagesAtOnce, pages - first);
    const length = Array.from({ length: count }, (_, page) => arrays.pageLength(name, first + page)).reduce((sum, each) => sum + each, 0);
    await arrays.readPages(name, first, count, whole.subarray(first * pageElements, first * pageElements + length));
  }
  return whole;
}

async function readEntries(reader: PagedReader, files: readonly (readonly Row[])[]): Promise<Entry[]> {
  const { base, limit, isTableOrder, direction } = (await openPagedArrays(reader)).directory;
  const offsets = await readArray(reader, 'offsets');
  const rows = rowsOf(files);
  const neighbours = isTableOrder ? Uint32Array.from(rows, ({ target }) => target) : await readArray(reader, 'neighbours');
  const positions = isTableOrder ? Uint32Array.from(rows.keys()) : await readArray(reader, 'rows');
  assert.ok(!isTableOrder || direction === 'outgoing');
  assert.equal(offsets.length, limit - base + 1);
  const entries: Entry[] = [];
  for (let node = base; node < limit; node++)
    for (let at = offsets[node - base]!; at < offsets[node - base + 1]!; at++) entries.push([node, neighbours[at]!, positions[at]!]);
  return entries;
}

async function build(stored: StoredFiles, direction: AdjacencyDirection, limits: BuildLimits): Promise<ManifestArtefact> {
  return buildFrom(stored, adjacencyKind, { direction }, async (rows, pages) => ({
    ...(await buildAdjacency(direction, rows, pages, limits)),
  }));
}

async function assertBuilds(files: readonly (readonly Row[])[], limits: BuildLimits = BUILD_LIMITS): Promise<AdjacencyDirectory[]> {
  const stored = await storeFiles(files.map((rows) => tableOf(rows)));
  const directories: AdjacencyDirectory[] = [];
  for (const direction of ['outgoing', 'incoming'] as const) {
    const artefact = await build(stored, direction, limits);
    const reader = readerOf(stored, artefact);
    const entries = await readEntries(reader, files);
    const expected = expectedEntries(files, direction);
    for (let at = 1; at < entries.length; at++) assert.ok(entries[at - 1]![0] < entries[at]![0] || entries[at - 1]![1] <= entries[at]![1]);
    assert.deepEqual(entries.toSorted(byEntry), expected, direction);
    await adjacencyKind.verify(reader);
    const { directory } = await openPagedArrays(reader);
    assert.equal(directory.longestList, longest(expected));
    directories.push(directory);
  }
  return directories;
}

function longest(entries: readonly Entry[]): number {
  return Math.max(0, ...[...Map.groupBy(entries, ([node]) => node).values()].map(({ length }) => length));
}

function range(count: number, row: (index: number) => Row): Row[] {
  return Array.from({ length: count }, (_, index) => row(index));
}

test('pages of numbers come back, in few bytes', () => {
  const random = seededRandom(1);
  for (const length of [0, 1, 127, 128, 129, 1_000, 16_384]) {
    const samples = [
      Uint32Array.from({ length }, (_, i) => i * 3),
      Uint32Array.from({ length }, () => random(2 ** 32)),
      Uint32Array.from({ length }, (_, i) => 2 ** 32 - 1 - (i % 7)),
      Uint32Array.from({ length }, (_, i) => (i % 2 === 0 ? 0 : 2 ** 32 - 1)),
      Uint32Array.from({ length }, () => 5),
    ];
    for (const values of samples) {
      const page = packPage(values);
      const back = new Uint32Array(length).fill(77);
      assert.ok(unpackPage(page, back));
      assert.deepEqual(back, values);
      assert.ok(page.length <= 4 * length + 6 * Math.ceil(length / 128) + 4);
      const shifted = new Uint8Array(page.length + 1).subarray(1);
      shifted.set(page);
      assert.ok(unpackPage(shifted, back));
      assert.deepEqual(back, values);
      assert.ok(!unpackPage(page.subarray(0, page.length - 4), back) || length === 0);
      assert.ok(!unpackPage(new Uint8Array([...page, 0, 0, 0, 0]), back));
    }
  }
  assert.equal(packPage(new Uint32Array(16_384).fill(5)).length, 128 * 5);
});

test('a page has the bytes of docs/storage-format.md', () => {
  const hex = (values: readonly number[]): string => Buffer.from(packPage(Uint32Array.from(values))).toString('hex');
  assert.equal(hex([5, 7, 6, 5]), '05000000' + '02000000' + '18000000');
  assert.equal(hex([10, 20, 31]), '0a000000' + '44000000' + 'a00b0000');
  assert.equal(hex([0, 2 ** 32 - 1, 0]), '00000000' + '82000000' + '24000000');
});

test('a run of files is its own list of neighbours where all its rows live', async () => {
  const rows = range(1_000, (i) => ({ ordinal: i, source: Math.floor(i / 3), target: (i * 7) % 400 }));
  const sorted = rowsOf([rows]);
  const [outgoing, incoming] = await assertBuilds([sorted.slice(0, 400), sorted.slice(400, 500), sorted.slice(500)]);
  assert.deepEqual([outgoing!.isTableOrder, Object.keys(outgoing!.arrays)], [true, ['offsets']]);
  assert.deepEqual([incoming!.isTableOrder, Object.keys(incoming!.arrays)], [false, ['offsets', 'neighbours', 'rows']]);
});

test('nothing, tombstones alone, loops, parallel relationships, a node with most of them, and the highest ordinals', async () => {
  await assertBuilds([[{ ordinal: 3, source: 1, target: 2, isDeleted: true }]]);
  await assertBuilds([[{ ordinal: 3, source: 7, target: 7 }]]);
  await assertBuilds([range(500, (i) => ({ ordinal: i, source: 5, target: i % 2 === 0 ? 5 : 9 }))], { entriesAtOnce: 16, nodesAtOnce: 16 });
  await assertBuilds([range(900, (i) => ({ ordinal: i, source: i, target: i % 10 === 0 ? i : 450 }))], {
    entriesAtOnce: 64,
    nodesAtOnce: 100,
  });
  const top = 2 ** 32 - 2;
  const [outgoing] = await assertBuilds([range(300, (i) => ({ ordinal: top - i, source: top - (i % 17), target: top - (i % 5) }))]);
  assert.equal(outgoing!.limit, top + 1);
  await assertBuilds([range(300, (i) => ({ ordinal: top - i, source: top - (i % 17), target: top - (i % 5) }))], {
    entriesAtOnce: 9,
    nodesAtOnce: 4,
  });
});

test('a list over several pages', async () => {
  await assertBuilds([range(40_000, (i) => ({ ordinal: i, source: i % 3, target: 20_000 - (i % 20_000) }))], {
    entriesAtOnce: 7_000,
    nodesAtOnce: 9_000,
  });
});

const SEEDS = Number(process.env['ARTEFACT_SEEDS'] ?? 12);

/** Files that replace and delete rows of each other, or lie behind one another, over nodes of which some have many relationships. */
function randomFiles(random: (limit: number) => number): Row[][] {
  const nodes = 1 + random(60);
  const first = random(3) === 0 ? 2 ** 32 - 2 - nodes : random(1_000);
  const node = (): number => first + (random(4) === 0 ? 0 : random(nodes));
  const ends = new Map<number, readonly [number, number]>();
  const mayReplace = random(2) === 0;
  return Array.from({ length: 1 + random(4) }, () => {
    const file = new Map<number, Row>();
    for (let count = 1 + random(120); count > 0; count--) {
      const known = [...ends.keys()];
      const isOld = mayReplace && known.length > 0 && random(3) === 0;
      const ordinal = isOld ? known[random(known.length)]! : ends.size;
      const [source, target] = ends.get(ordinal) ?? [node(), node()];
      ends.set(ordinal, [source, target]);
      file.set(ordinal, { ordinal, source, target, isDeleted: mayReplace && random(3) === 0 });
    }
    return [...file.values()];
  });
}

test('at random: every entry as the rows say', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seededRandom(seed);
    for (let round = 0; round < 8; round++) {
      const files = randomFiles(random);
      const limits = random(2) === 0 ? BUILD_LIMITS : { entriesAtOnce: 1 + random(40), nodesAtOnce: 1 + random(40) };
      await assertBuilds(files, limits).catch((error: unknown) => {
        throw new Error(`seed ${seed}, round ${round}`, { cause: error });
      });
    }
  }
});

/** Returns the answers of all reads. */
async function answers(store: ObjectStore, artefact: ManifestArtefact): Promise<string> {
  const reader = new PagedReader(store, artefact);
  const arrays: string[] = [];
  for (const name of ['offsets', 'neighbours', 'rows'] as const) arrays.push((await readArray(reader, name)).join());
  return arrays.join('|');
}

test('damage of any byte is CORRUPTION that names the file, and so is what checksums do not tell', async () => {
  const random = seededRandom(3);
  const stored = await storeFiles([tableOf(range(20_000, (i) => ({ ordinal: i, source: random(500), target: random(500) })))]);
  const artefact = await build(stored, 'incoming', BUILD_LIMITS);
  const whole = await answers(stored.store, artefact);
  const { key } = artefact.files[0]!;
  const bytes = (await stored.store.get(key))!.slice();
  for (let at = 0; at < bytes.length; at += 1 + random(Math.ceil(bytes.length / 60))) {
    const hurt = bytes.slice();
    hurt[at]! ^= 1 << random(8);
    await stored.store.put(key, hurt);
    await assert.rejects(answers(stored.store, artefact), { code: 'CORRUPTION', message: new RegExp(key) }, `byte ${at}`);
  }
  await stored.store.put(key, bytes.subarray(0, bytes.length - 1));
  await assert.rejects(answers(stored.store, artefact), { code: 'CORRUPTION', message: new RegExp(key) });
  await stored.store.delete(key);
  await assert.rejects(answers(stored.store, artefact), { code: 'CORRUPTION', message: new RegExp(key) });
  await stored.store.put(key, bytes);
  assert.equal(await answers(stored.store, artefact), whole);
  for (const wrong of [
    { rows: 19_999 },
    { entries: 19_999 },
    { base: 1 },
    { limit: 499 },
    { mostNeighbour: 498 },
    { leastNeighbour: 1 },
    { pageElements: 8_192 },
    { pageElements: 3 },
    { direction: 'both' },
    { arrays: {} },
  ]) {
    const forged = { ...artefact, directory: { ...artefact.directory, ...wrong } };
    await assert.rejects(answers(stored.store, forged), { code: 'CORRUPTION' }, JSON.stringify(wrong));
  }
  const forged = { ...artefact, directory: { ...artefact.directory, longestList: 1 } };
  await assert.rejects(adjacencyKind.verify(readerOf(stored, forged)), { code: 'CORRUPTION' });
});

test('pages side by side are one request, and the list of pages one more', async () => {
  const random = seededRandom(4);
  const stored = await storeFiles([tableOf(range(120_000, (i) => ({ ordinal: i, source: random(50_000), target: random(50_000) })))]);
  const artefact = await build(stored, 'incoming', BUILD_LIMITS);
  const { store, metrics } = withMetrics(stored.store);
  const arrays = await openPagedArrays(new PagedReader(store, artefact));
  assert.equal(metrics.operations.readInto.requests, 0);
  await arrays.readPages('neighbours', 2, 3, new Uint32Array(3 * arrays.directory.pageElements));
  assert.equal(metrics.operations.readInto.requests, 2);
  await arrays.readPages('rows', 7, 1, new Uint32Array(arrays.pageLength('rows', 7)));
  assert.equal(metrics.operations.readInto.requests, 3);
});

test('it is described in one line', async () => {
  const stored = await storeFiles([tableOf([{ ordinal: 3, source: 1, target: 2 }])]);
  const artefact = await build(stored, 'outgoing', BUILD_LIMITS);
  assert.equal(adjacencyKind.describe(artefact), '1 outgoing relationships of nodes 1 to 1');
  assert.equal(adjacencyKind.describe({ ...artefact, directory: { ...artefact.directory, entries: 0 } }), '0 outgoing relationships');
});

test('over a range of nodes that is mostly empty there is none', () => {
  const covered = (max: number) => ({
    table: { kind: 'relationships', type: 'R' } as const,
    files: [
      {
        rows: 10,
        columns: [
          { name: '_source', min: 5, max },
          { name: '_target', min: 5, max: 6 },
        ],
      },
    ] as never, // as: what is looked at
  });
  const catalog = { labels: [], types: [], keys: [], indexes: [], constraints: [] };
  const directions = (max: number) => adjacencyKind.subjects(covered(max), catalog).map(({ direction }) => direction);
  assert.deepEqual([directions(600), directions(700)], [['outgoing', 'incoming'], ['incoming']]);
});
