import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { ChildManifest, Manifest, ManifestArtefact, ManifestChanges, SstFile } from '../api.ts';
import { divideManifest, OWN_BYTES, ownChanges, stateOf } from './child-manifests.ts';
import { applyChanges, changesBetween, EMPTY_STATE } from './manifest-changes.ts';
import { encodeChanges } from './manifest-codec.ts';
import { firstManifest } from './manifest-edit.ts';

const bytesOf = (changes: ManifestChanges): number => encodeChanges(changes).length;
const fail = (what: string): never => assert.fail(what);

function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function file(id: number): SstFile {
  return {
    key: `data/w-${id}.arrow`,
    bytes: 1_000,
    crc32: id,
    rows: 10,
    level: 0,
    base: false,
    minOrdinal: 0,
    maxOrdinal: 9,
    denseOrdinals: true,
    minSequence: 0,
    maxSequence: 0,
    blockCount: 1,
    columns: [{ name: 'name', kind: 'int32', nullCount: 0, min: 0, max: 9 }],
    layout: [500, 100, 7],
  };
}

function artefact(id: number, files: readonly SstFile[]): ManifestArtefact {
  const table = { kind: 'nodes', labels: ['A'] } as const;
  const covers = { table, files: files.map(({ key }) => key), sequence: 0 };
  return { id: `w-${id}`, kind: 'toy', kindVersion: 1, subject: { id }, covers, files: [], directory: {} };
}

function withNewChild(manifest: Manifest, ownBytes: number, id: number): Manifest {
  const { children, changes } = divideManifest(manifest, { ownBytes, bytesOf });
  if (changes === null) return { ...manifest, children };
  const bytes = encodeChanges(changes);
  const child: ChildManifest = { key: `data/w-${id}.manifest`, bytes: bytes.length, crc32: crc32(bytes), changes };
  return { ...manifest, children: [...children, child] };
}

const FIRST = firstManifest({ epoch: 1, writerId: 'w', nowMs: 0 });

test('whatever changes, the children and what the manifest says itself make up the same state, and children fall in size', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = seeded(seed);
    const ownBytes = [0, 300, 2_000][seed % 3]!;
    let manifest: Manifest = FIRST;
    let ids = 0;
    for (let step = 0; step < 40; step++) {
      const tables = manifest.tables.map((table) => ({ ...table, files: [...table.files] }));
      for (let edits = 1 + random(3); edits > 0; edits--) {
        const name = { kind: 'nodes', labels: [`L${random(4)}`] } as const;
        let table = tables.find(({ labels }) => labels?.[0] === name.labels[0]);
        if (table === undefined) tables.push((table = { ...name, liveRows: 0, files: [] }));
        const at = random(table.files.length + 1);
        const added = Array.from({ length: random(4) }, () => file(++ids));
        table.files.splice(at, random(3) === 0 ? random(9) : 0, ...added);
        table.liveRows = random(50);
      }
      const former = random(2) === 0 ? manifest.artefacts : manifest.artefacts.filter(() => random(2) === 0);
      const artefacts = random(3) === 0 ? [...former, artefact(++ids, [])] : former;
      const catalog = random(8) === 0 ? { ...manifest.catalog, keys: [...manifest.catalog.keys, `k${step}`] } : manifest.catalog;
      const there = tables.filter(({ files, liveRows }) => files.length + liveRows > 0);
      const edited = { ...manifest, tables: there, artefacts, catalog };
      const next = withNewChild(edited, ownBytes, ++ids);
      const {
        catalog: foundCatalog,
        tables: foundTables,
        artefacts: foundArtefacts,
      } = applyChanges(stateOf(next.children), ownChanges(next), fail);
      const byName = (a: { labels?: readonly string[] }, b: { labels?: readonly string[] }): number =>
        String(a.labels) < String(b.labels) ? -1 : 1;
      assert.deepEqual(foundTables.toSorted(byName), there.toSorted(byName), `seed ${seed}, step ${step}`);
      assert.deepEqual([foundCatalog, foundArtefacts], [catalog, artefacts], `seed ${seed}, step ${step}`);
      next.children.forEach(({ bytes }, index) => assert.ok(index === 0 || next.children[index - 1]!.bytes > 2 * bytes));
      if (ownBytes > 0) assert.ok(bytesOf(ownChanges(next)) <= ownBytes);
      manifest = { ...next, tables: foundTables };
    }
  }
});

test('what was added and removed again is in no change', () => {
  const table = { kind: 'nodes', labels: ['A'], liveRows: 10 } as const;
  const before = { ...EMPTY_STATE, tables: [{ ...table, files: [file(1), file(2)] }] };
  const after = { ...EMPTY_STATE, tables: [{ ...table, files: [file(1), file(4), file(2), file(5), file(6)] }] };
  assert.deepEqual(changesBetween(before, before), { tables: [], dropArtefacts: [], addArtefacts: [] });
  assert.deepEqual(changesBetween(before, after).tables, [
    {
      ...table,
      remove: [],
      add: [
        { after: 'data/w-1.arrow', files: [file(4)] },
        { after: 'data/w-2.arrow', files: [file(5), file(6)] },
      ],
    },
  ]);
  assert.deepEqual(changesBetween(after, EMPTY_STATE).tables, [
    { ...table, liveRows: 0, remove: [1, 4, 2, 5, 6].map((id) => `data/w-${id}.arrow`), add: [] },
  ]);
});

test('what a flush writes of the list of files does not depend on its length', () => {
  const [short, long] = [500, 8_000].map((files) => {
    const big = Array.from({ length: files }, (_, id) => file(id));
    const table = { kind: 'relationships', type: 'T', liveRows: 10 } as const;
    let manifest = withNewChild({ ...FIRST, tables: [{ ...table, files: big }] }, OWN_BYTES, 0);
    let written = 0;
    const flushes = 64;
    // A flush adds a file; every fourth is followed by a merge of the newest four into one, every sixteenth by one of
    // the newest four of these.
    let recent: SstFile[] = [];
    for (let flush = 1; flush <= flushes; flush++) {
      recent.push(file(1_000_000 + flush));
      if (flush % 4 === 0) recent = [...recent.slice(0, -4), file(2_000_000 + flush)];
      if (flush % 16 === 0) recent = [...recent.slice(0, -4), file(3_000_000 + flush)];
      const next = withNewChild({ ...manifest, tables: [{ ...table, files: [...big, ...recent] }] }, OWN_BYTES, flush);
      const isNew = next.children.at(-1)?.key === `data/w-${flush}.manifest`;
      written += bytesOf(ownChanges(next)) + (isNew ? next.children.at(-1)!.bytes : 0);
      assert.ok(next.children.length <= 2 + Math.log2(files));
      manifest = next;
    }
    return written / flushes;
  });
  assert.ok(Math.abs(long! - short!) < short! / 100, `${short} and ${long} bytes`);
});
