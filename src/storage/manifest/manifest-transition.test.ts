import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Manifest, ManifestArtefact, ManifestTable } from '../api.ts';
import { encodeSst } from '../sst/encode-sst.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { firstManifest, nextManifest } from './manifest-edit.ts';
import { assertTransition, manifestFault, transitionFault } from './manifest-transition.ts';

const OWN = { epoch: 1, writerId: 'w', nowMs: 5 };
const SUCCESSOR = { epoch: 2, writerId: 'x', nowMs: 6 };
const { content } = await encodeSst(sampleTable(10), {});
const FILES = ['data/w-1.arrow', 'data/w-2.arrow', 'data/w-3.arrow'].map((key) => ({ key, ...content }));
const TABLE: ManifestTable = { kind: 'nodes', labels: ['N'], liveRows: 10, files: FILES };
const ARTEFACT: ManifestArtefact = {
  id: 'w-9',
  kind: 'toy',
  kindVersion: 1,
  subject: { key: 'k' },
  covers: { table: { kind: 'nodes', labels: ['N'] }, files: ['data/w-1.arrow', 'data/w-2.arrow'], sequence: content.maxSequence },
  files: [{ key: 'data/w-4.artefact', bytes: 1, crc32: 1, pages: [[0, 1, 1]] }],
  directory: {},
};
const FIRST = firstManifest(OWN);
const CURRENT: Manifest = {
  ...nextManifest(FIRST, OWN),
  sequence: 5,
  walFloor: 3,
  nextNodeOrdinal: 10,
  tables: [TABLE],
  artefacts: [ARTEFACT],
};
const NEXT = nextManifest(CURRENT, OWN);

test('what writers do may follow', () => {
  const after: readonly (readonly [Manifest | null, Manifest])[] = [
    [null, FIRST],
    [FIRST, CURRENT],
    [CURRENT, NEXT],
    [CURRENT, { ...NEXT, sequence: 9, walFloor: 7, tables: [], artefacts: [] }],
    [CURRENT, nextManifest(CURRENT, SUCCESSOR)],
    [
      nextManifest(CURRENT, SUCCESSOR),
      { ...nextManifest(nextManifest(CURRENT, SUCCESSOR), SUCCESSOR), writers: [{ epoch: 2, writerId: 'x' }] },
    ],
    // Taken back, and begun again.
    [CURRENT, { ...NEXT, generation: 1, sequence: 2, walFloor: 2, nextNodeOrdinal: 0 }],
    [{ ...CURRENT, formatVersion: 1, artefacts: [] }, nextManifest({ ...CURRENT, artefacts: [] }, SUCCESSOR)],
  ];
  for (const [current, next] of after) assert.equal(transitionFault(current, next), null);
});

test('what breaks an invariant may not', () => {
  const other: ManifestArtefact = { ...ARTEFACT, id: 'w-10', files: [] };
  const cases: readonly (readonly [Manifest | null, Manifest, RegExp])[] = [
    [null, CURRENT, /B2: a namespace begins empty/],
    [null, { ...FIRST, epoch: 2, writers: [{ epoch: 2, writerId: 'w' }] }, /B2: a namespace begins empty/],
    [CURRENT, { ...NEXT, version: 4 }, /B2: version 4 after 2/],
    [CURRENT, CURRENT, /B2: version 2 after 2/],
    [CURRENT, { ...NEXT, formatVersion: 1, artefacts: [] }, /B1: format 1 after 3/],
    [nextManifest(CURRENT, SUCCESSOR), { ...nextManifest(NEXT, OWN) }, /B2: the epoch falls from 2 to 1/],
    [CURRENT, { ...NEXT, writerId: 'x' }, /B2: epoch 1 of x does not go on with epoch 1 of w/],
    [CURRENT, { ...NEXT, epoch: 3 }, /B2: epoch 3/],
    [CURRENT, { ...nextManifest(CURRENT, SUCCESSOR), sequence: 6 }, /B2: epoch 2 of x does not go on/],
    [CURRENT, { ...nextManifest(CURRENT, SUCCESSOR), artefacts: [] }, /B2: epoch 2 of x does not go on/],
    [CURRENT, { ...nextManifest(CURRENT, SUCCESSOR), writers: [{ epoch: 2, writerId: 'x' }] }, /B2: writers/],
    [CURRENT, { ...NEXT, writers: [] }, /B2: writers/],
    [CURRENT, { ...NEXT, generation: -1 }, /B6: the generation falls/],
    [CURRENT, { ...NEXT, sequence: 4 }, /B6: sequence falls from 5 to 4/],
    [CURRENT, { ...NEXT, walFloor: 2 }, /B6: walFloor falls from 3 to 2/],
    [CURRENT, { ...NEXT, nextNodeOrdinal: 9 }, /B6: nextNodeOrdinal falls/],
    [CURRENT, { ...NEXT, tables: [{ ...TABLE, files: [...FILES, FILES[0]!] }] }, /B6: data\/w-1.arrow is named twice/],
    [CURRENT, { ...NEXT, tables: [TABLE, { ...TABLE, files: [] }] }, /B6: a table is named twice/],
    [CURRENT, { ...NEXT, tables: [{ ...TABLE, files: [{ ...FILES[0]!, crc32: 1 }, ...FILES.slice(1)] }] }, /B1: data\/w-1.arrow changes/],
    [CURRENT, { ...NEXT, artefacts: [{ ...ARTEFACT, directory: { changed: true } }] }, /B1: artefact w-9 changes/],
    [CURRENT, { ...NEXT, tables: [{ ...TABLE, files: FILES.slice(1) }] }, /B9: artefact w-9 covers files that do not stand there/],
    [CURRENT, { ...NEXT, tables: [] }, /B9: artefact w-9 covers nothing that is there/],
  ];
  for (const [current, next, fault] of cases) {
    assert.match(transitionFault(current, next) ?? 'none', fault);
    assert.throws(() => assertTransition(current, next), { code: 'INTERNAL' });
  }
  const covers = (files: readonly string[], sequence = content.maxSequence): Manifest => ({
    ...CURRENT,
    artefacts: [{ ...ARTEFACT, covers: { ...ARTEFACT.covers, files, sequence } }],
  });
  const alone: readonly (readonly [Manifest, RegExp])[] = [
    [{ ...CURRENT, artefacts: [ARTEFACT, { ...other, id: 'w-9' }] }, /B9: an artefact is named twice/],
    [{ ...CURRENT, artefacts: [ARTEFACT, { ...other, files: ARTEFACT.files }] }, /B6: data\/w-4.artefact is named twice/],
    [{ ...CURRENT, artefacts: [ARTEFACT, other] }, /B9: artefact w-10 covers data\/w-1.arrow, which another of its subject covers/],
    [covers([]), /B9: artefact w-9 covers nothing/],
    [covers(['data/w-1.arrow', 'data/w-3.arrow']), /B9: artefact w-9 covers files that do not stand there in a row/],
    [covers(['data/w-2.arrow', 'data/w-1.arrow']), /B9: artefact w-9 covers files that do not stand there in a row/],
    [covers(['data/w-3.arrow', 'data/w-4.arrow']), /B9: artefact w-9 covers files that do not stand there in a row/],
    [covers(['data/w-1.arrow'], 4), /B9: artefact w-9 covers other sequences/],
  ];
  for (const [manifest, fault] of alone) assert.match(manifestFault(manifest) ?? 'none', fault);
  assert.equal(manifestFault({ ...CURRENT, artefacts: [ARTEFACT, { ...other, subject: { key: 'v' } }] }), null);
});
