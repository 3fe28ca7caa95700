/**
 * Clusters of vectors: what they hold is what the rows say, however they are built; searches of them find what a look
 * at each vector finds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterSource, probeClusters } from '../../search/index.ts';
import type { ManifestArtefact, SstTable } from '../api.ts';
import { buildFrom, readerOf, type StoredFiles, seededRandom, storeFiles } from '../testing/built-artefact.ts';
import { sampleColumn } from '../testing/sample-table.ts';
import { buildClusters, CLUSTER_LIMITS } from './build-clusters.ts';
import { clustersKind } from './clusters-kind.ts';
import { openClusters } from './open-clusters.ts';

const SUBJECT = { key: 'e', similarity: 'COSINE', dimensions: 0 } as const;

type VectorOf = (row: number) => Float32Array | null;

const textOf = (vector: Float32Array | null): string | null => vector && Buffer.from(vector.buffer).toString('base64');

function tableOf(rows: number, vector: VectorOf): SstTable {
  return {
    kind: 'nodes',
    labels: ['N'],
    rows,
    columns: [sampleColumn({ name: 'e', kind: 'vector', value: (row) => textOf(vector(row)) }, rows)],
    minOrdinal: 0,
    denseOrdinals: true,
    base: true,
    level: 1,
    minSequence: 1,
    maxSequence: 1,
  };
}

function gaussian(random: (limit: number) => number): number {
  const [u, v] = [(random(1e6) + 1) / 1e6, random(1e6) / 1e6];
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
}

const KINDS: { readonly [name: string]: (dimensions: number) => VectorOf } = {
  'clustered gaussians': (dimensions) => (row) => {
    const [centre, own] = [seededRandom(9_000_000 + (row % 40)), seededRandom(row + 1)];
    return Float32Array.from({ length: dimensions }, () => gaussian(centre) + 0.5 * gaussian(own));
  },
  'gaussians in all directions': (dimensions) => (row) => {
    const own = seededRandom(row + 1);
    return Float32Array.from({ length: dimensions }, () => gaussian(own));
  },
  duplicates: (dimensions) => (row) => {
    const own = seededRandom(1 + (row % 7));
    return Float32Array.from({ length: dimensions }, () => gaussian(own));
  },
  'few components of weight': (dimensions) => (row) => {
    const own = seededRandom(row + 1);
    return Float32Array.from({ length: dimensions }, (_, i) => gaussian(own) / (1 + i));
  },
};

async function build(vector: VectorOf, rows: number, similarity: 'COSINE' | 'EUCLIDEAN' = 'COSINE', codeBytes = CLUSTER_LIMITS.codeBytes) {
  const stored = await storeFiles([tableOf(rows, vector)]);
  const subject = { ...SUBJECT, similarity };
  const limits = { ...CLUSTER_LIMITS, codeBytes };
  const artefact = await buildFrom(stored, clustersKind, subject, async (all, pages) => ({
    ...(await buildClusters('e', subject, all, pages, limits)),
  }));
  return { stored, artefact };
}

async function sourceOf(stored: StoredFiles, artefact: ManifestArtefact): Promise<ClusterSource> {
  const opened = (await openClusters(readerOf(stored, artefact)))!;
  const { groups, directory, shape } = opened;
  const centroids = await Promise.all(Array.from({ length: groups.count }, (_, group) => opened.readCentroids(group)));
  const entries = await Promise.all(Array.from({ length: opened.entryPages }, (_, page) => opened.readEntries(page)));
  return {
    shape,
    groups,
    tail: directory.tail,
    clusterCount: directory.clusters,
    centroids: (group) => centroids[group]!,
    entries: (page) => entries[page]!,
    isResident: true,
  };
}

function prepared(vector: Float32Array, similarity: string): Float32Array {
  const length = Math.hypot(...vector);
  return similarity === 'COSINE' ? vector.map((each) => each / length) : vector;
}

function finish<T>(steps: Generator<null, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The mean share of the ten nearest that searches find. */
function recallOf(source: ClusterSource, vector: VectorOf, rows: number, similarity: string): number {
  const all = Array.from({ length: rows }, (_, row) => prepared(vector(row)!, similarity));
  let found = 0;
  const queries = 40;
  for (let seed = 0; seed < queries; seed++) {
    const query = prepared(vector(5_000_000 + seed)!, similarity);
    const distance = (row: number): number => all[row]!.reduce((sum, each, i) => sum + (each - query[i]!) ** 2, 0);
    const nearest = Array.from({ length: rows }, (_, row) => distance(row)).sort((a, b) => a - b);
    const request = { sources: [source], query, wanted: 10, recall: 0.95, share: 1, accepts: () => true, worked: () => false };
    const probed = finish(probeClusters(request));
    const best = probed.found.map(({ position }) => distance(position)).sort((a, b) => a - b);
    found += best.slice(0, 10).filter((each) => each <= nearest[9]! + 1e-6).length;
  }
  return found / (10 * queries);
}

for (const [name, kind] of Object.entries(KINDS)) {
  for (const similarity of ['COSINE', 'EUCLIDEAN'] as const) {
    test(`${name}, ${similarity}: the nearest are found`, async () => {
      const vector = kind(40);
      const { stored, artefact } = await build(vector, 4_000, similarity);
      await clustersKind.verify(readerOf(stored, artefact));
      const recall = recallOf(await sourceOf(stored, artefact), vector, 4_000, similarity);
      assert.ok(recall >= 0.95, `recall ${recall}`);
    });
  }
}

test('the same rows give the same bytes, in one pass or in several', async () => {
  const vector = KINDS['clustered gaussians']!(33);
  const [one, again, parts] = [await build(vector, 3_000), await build(vector, 3_000), await build(vector, 3_000, 'COSINE', 10_000)];
  const described = ({ artefact }: typeof one) => [artefact.directory, artefact.files.map(({ crc32 }) => crc32)];
  assert.deepEqual(described(again), described(one));
  assert.deepEqual(described(parts), described(one));
});

test('rows that cannot be found have no entries', async () => {
  const vector = KINDS['clustered gaussians']!(8);
  const odd: VectorOf = (row) => {
    if (row % 5 === 1) return null;
    if (row % 5 === 2) return new Float32Array(8);
    if (row % 5 === 3) return Float32Array.of(1, 2, 3);
    return row === 4 ? new Float32Array(8).fill(3e38) : vector(row);
  };
  const { artefact, stored } = await build(odd, 500, 'EUCLIDEAN');
  assert.deepEqual([artefact.directory['entries'], artefact.directory['isDense'], artefact.directory['dimensions']], [299, false, 8]);
  await clustersKind.verify(readerOf(stored, artefact));
  const nothing = await build(() => null, 100);
  assert.deepEqual([nothing.artefact.directory['entries'], nothing.artefact.files], [0, []]);
  assert.equal(await openClusters(readerOf(nothing.stored, nothing.artefact)), null);
  await clustersKind.verify(readerOf(nothing.stored, nothing.artefact));
  assert.equal((await build(vector, 100)).artefact.directory['isDense'], true);
});

test('what cannot be is CORRUPTION', async () => {
  const { stored, artefact } = await build(KINDS['clustered gaussians']!(8), 1_000);
  const wrong = async (directory: object): Promise<void> => {
    const changed = { ...artefact, directory: { ...artefact.directory, ...directory } };
    await assert.rejects(clustersKind.verify(readerOf(stored, changed)), { code: 'CORRUPTION' }, JSON.stringify(directory));
  };
  await wrong({ entries: 999 });
  await wrong({ entries: 2_000 });
  await wrong({ groups: 1_000 });
  await wrong({ clusters: 1 });
  await wrong({ dimensions: 40 });
  await wrong({ groupPages: 2 });
  await wrong({ tail: 'none' });
  await wrong({ isDense: 1 });
});
