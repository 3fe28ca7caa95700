/** Adjacencies and range indexes come with flushes, merges and imports, say what the rows say, and are mended. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectStore } from '../../object-store/index.ts';
import type { Catalog, ManifestArtefact, Namespace, SstTable } from '../api.ts';
import { copyNamespace } from '../maintenance/copy-namespace.ts';
import { inspectNamespace } from '../maintenance/inspect-namespace.ts';
import { type OpenNamespaceOptions, openNamespace } from '../open-namespace.ts';
import { seededRandom } from '../testing/built-artefact.ts';
import { linesOfArtefact, linesOfRows } from '../testing/covered-content.ts';
import { sampleColumn } from '../testing/sample-table.ts';
import { freshStore, TestClock } from '../testing/test-store.ts';

const RANGE_ON_W = { name: 'w', kind: 'range', entity: 'relationship', labelOrType: 'R', keys: ['w'] };

function catalogOf(...indexes: Catalog['indexes']): Catalog {
  return { labels: [], types: ['R'], keys: ['w'], indexes, constraints: [] };
}

interface FileOptions {
  readonly from: number;
  readonly count: number;
  readonly level?: number;
  /** Every so many-th row is a tombstone. */
  readonly deletedStep?: number;
}

/** Relationships with ordinals from `from` on; the same ordinal always has the same ends. */
function relationshipFile({ from, count, level = 0, deletedStep = Number.POSITIVE_INFINITY }: FileOptions): SstTable {
  const rows = Array.from({ length: count }, (_, index) => {
    const random = seededRandom(from + index);
    return { ordinal: from + index, source: random(500), target: random(500), w: random(40), isDeleted: index % deletedStep === 1 };
  }).sort((a, b) => a.source - b.source || a.target - b.target || a.ordinal - b.ordinal);
  const column = (name: string, kind: 'uint32' | 'int32' | 'boolean', value: (row: (typeof rows)[number]) => number | boolean | null) =>
    sampleColumn({ name, kind, value: (row) => value(rows[row]!) }, count);
  const base = deletedStep === Number.POSITIVE_INFINITY;
  return {
    kind: 'relationships',
    type: 'R',
    rows: count,
    columns: [
      column('_ordinal', 'uint32', ({ ordinal }) => ordinal),
      ...(base ? [] : [column('_deleted', 'boolean', ({ isDeleted }) => isDeleted)]),
      column('_source', 'uint32', ({ source }) => source),
      column('_target', 'uint32', ({ target }) => target),
      column('w', 'int32', ({ w, isDeleted }) => (isDeleted || w === 0 ? null : w)),
    ],
    minOrdinal: from,
    denseOrdinals: false,
    base,
    level,
    minSequence: 0,
    maxSequence: 0,
  };
}

function open(store: ObjectStore, options: Partial<OpenNamespaceOptions> = {}): Promise<Namespace> {
  return openNamespace(store, { name: 'test', clock: new TestClock(), ...options });
}

/** Each says what its rows say. Returns kinds and subjects with how many files they cover. */
async function checked(namespace: Namespace, manifest = namespace.manifest): Promise<string[]> {
  for (const artefact of manifest.artefacts)
    assert.deepEqual(await linesOfArtefact(namespace, artefact, manifest), await linesOfRows(namespace, artefact, manifest), artefact.kind);
  return manifest.artefacts.map(nameOf).sort();
}

function nameOf({ subject, covers }: ManifestArtefact): string {
  return `${Object.values(subject).flat().join()} of ${covers.files.length}`;
}

const ALL_OF_ONE = ['incoming of 1', 'outgoing of 1', 'w of 1'];

test('a flush, a merge and an import of many rows bring them, one of few rows does not', async () => {
  const store = freshStore();
  const namespace = await open(store);
  await namespace.publish({ add: [relationshipFile({ from: 0, count: 12_000 })], remove: [], catalog: catalogOf(RANGE_ON_W) });
  assert.deepEqual(await checked(namespace), ALL_OF_ONE);
  await namespace.publish({ add: [relationshipFile({ from: 11_000, count: 3_000, deletedStep: 4 })], remove: [] });
  assert.deepEqual(await checked(namespace), ALL_OF_ONE);
  await namespace.compact({ everything: true });
  assert.equal(namespace.manifest.tables[0]!.files.length, 1);
  assert.deepEqual(await checked(namespace), ALL_OF_ONE);
  const [outgoing] = namespace.manifest.artefacts;
  assert.deepEqual([outgoing!.directory['isTableOrder'], outgoing!.directory['entries']], [true, 13_250]);
  // Files of an import overlap each other: one artefact is over both of them.
  const files = [relationshipFile({ from: 20_000, count: 7_000, level: 1 }), relationshipFile({ from: 27_000, count: 7_000, level: 1 })];
  await namespace.publish({ add: files, remove: [], newContent: true });
  assert.deepEqual(await checked(namespace), ['incoming of 1', 'incoming of 2', 'outgoing of 1', 'outgoing of 2', 'w of 1', 'w of 2']);
  assert.deepEqual((await inspectNamespace(store, { verify: true })).problems, []);
  await namespace.close();
});

test('tombstones and rows that a file of the same artefact replaces have no entries', async () => {
  const namespace = await open(freshStore(), { artefactsFromRows: 0 });
  const files = [
    relationshipFile({ from: 0, count: 300, level: 1 }),
    relationshipFile({ from: 200, count: 300, level: 1, deletedStep: 3 }),
  ];
  await namespace.publish({ add: files, remove: [], newContent: true, catalog: catalogOf(RANGE_ON_W) });
  assert.deepEqual(await checked(namespace), ['incoming of 2', 'outgoing of 2', 'w of 2']);
  assert.deepEqual([...new Set(namespace.manifest.artefacts.map(({ directory }) => directory['rows']))], [600]);
  assert.equal(namespace.manifest.artefacts[0]!.directory['entries'], 200 + 200);
  await namespace.close();
});

test('compaction builds what is declared later, mends what is damaged, and drops what nobody declares any more', async () => {
  const store = freshStore();
  const namespace = await open(store, { artefactsFromRows: 0 });
  await namespace.publish({ add: [relationshipFile({ from: 0, count: 500 })], remove: [], catalog: catalogOf() });
  await namespace.publish({ add: [relationshipFile({ from: 100, count: 200, deletedStep: 2 })], remove: [] });
  assert.deepEqual(await checked(namespace), ['incoming of 1', 'incoming of 1', 'outgoing of 1', 'outgoing of 1']);
  await namespace.publish({ add: [], remove: [], catalog: catalogOf(RANGE_ON_W) });
  const [hurt] = namespace.manifest.artefacts;
  await store.delete(hurt!.files[0]!.key);
  assert.equal((await inspectNamespace(store, { verify: true })).problems.length, 1);
  await assert.rejects(linesOfArtefact(namespace, hurt!, namespace.manifest), {
    code: 'CORRUPTION',
    message: new RegExp(hurt!.files[0]!.key),
  });
  namespace.foundDamaged(hurt!);
  await namespace.compact();
  assert.ok(!namespace.manifest.artefacts.some(({ id }) => id === hurt!.id));
  assert.deepEqual(await checked(namespace), ['incoming of 1', 'incoming of 1', 'outgoing of 1', 'outgoing of 1', 'w of 1', 'w of 1']);
  const version = namespace.manifest.version;
  await namespace.compact();
  assert.equal(namespace.manifest.version, version, 'nothing is missing');
  await namespace.publish({ add: [], remove: [], catalog: catalogOf() });
  await namespace.compact();
  assert.deepEqual(await checked(namespace), ['incoming of 1', 'incoming of 1', 'outgoing of 1', 'outgoing of 1']);
  await namespace.close();
});

test('a copy has them, and builds none itself', async () => {
  const [store, target] = [freshStore(), freshStore()];
  const namespace = await open(store, { artefactsFromRows: 0 });
  await namespace.publish({ add: [relationshipFile({ from: 0, count: 12_000 })], remove: [], catalog: catalogOf(RANGE_ON_W) });
  await store.delete(namespace.manifest.artefacts[0]!.files[0]!.key);
  const how = { source: { store, name: 'test' }, target: { store: target, name: 'copy' }, clock: new TestClock() };
  assert.equal((await copyNamespace(how)).artefacts, 2);
  const copy = await open(target);
  assert.deepEqual(await checked(copy), ['incoming of 1', 'w of 1']);
  await copy.compact();
  assert.deepEqual(await checked(copy), ALL_OF_ONE);
  await Promise.all([copy.close(), namespace.close()]);
});

test('closing ends a build under way, whose files are collected', async () => {
  const store = freshStore();
  const without = await open(store, { artefactKinds: [] });
  await without.publish({ add: [relationshipFile({ from: 0, count: 20_000 })], remove: [] });
  await without.close();
  const namespace = await open(store);
  const compacting = namespace.compact();
  await namespace.close();
  await compacting.catch((error: unknown) => assert.match(String(error), /stopped|closed/));
  const again = await open(store);
  await again.compact();
  assert.deepEqual(await checked(again), ['incoming of 1', 'outgoing of 1']);
  assert.deepEqual((await inspectNamespace(store, { verify: true })).problems, []);
  await again.close();
});
