import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { Manifest, ManifestArtefact } from '../api.ts';
import { manifestKey } from '../keys.ts';
import { encodeSst } from '../sst/encode-sst.ts';
import { assertDamageIsFound } from '../testing/damage.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { decodeManifest, decodeOutline, encodeManifest } from './manifest-codec.ts';
import { firstManifest, nextManifest } from './manifest-edit.ts';
import { outlineOf } from './manifest-outline.ts';

const { content } = await encodeSst(sampleTable(100), { compression: 'zstd' });
const file = { key: 'data/w-1.arrow', ...content };
const ARTEFACT: ManifestArtefact = {
  id: 'w-4',
  kind: 'toy',
  kindVersion: 1,
  subject: { key: 'name' },
  covers: { table: { kind: 'nodes', labels: ['Person'] }, files: ['data/w-1.arrow'], sequence: 5 },
  files: [
    {
      key: 'data/w-3.artefact',
      bytes: 20,
      crc32: 7,
      pages: [
        [0, 12, 1],
        [12, 8, 2],
      ],
    },
  ],
  directory: { fences: ['a', 'b'] },
};
const MANIFEST: Manifest = {
  ...firstManifest({ epoch: 1, writerId: 'w', nowMs: 1_700_000_000_000 }),
  version: 12,
  epoch: 3,
  writers: [
    { epoch: 1, writerId: 'former' },
    { epoch: 3, writerId: 'w' },
  ],
  sequence: 9,
  walFloor: 4,
  catalog: {
    labels: ['Person', '"\n\u{1f600}'],
    types: ['KNOWS'],
    keys: ['naïve'],
    indexes: [{ name: 'i', keys: ['a'] }],
    constraints: [],
  },
  tables: [
    { kind: 'nodes', labels: ['Person'], liveRows: 100, files: [file] },
    { kind: 'relationships', type: 'KNOWS', liveRows: 0, files: [{ ...file, key: 'data/w-2.arrow' }] },
  ],
  artefacts: [ARTEFACT],
};

test('a manifest is read as it was written', () => {
  assert.deepEqual(decodeManifest(12, encodeManifest(MANIFEST)), MANIFEST);
  const empty = firstManifest({ epoch: 1, writerId: 'w', nowMs: 0 });
  assert.deepEqual(decodeManifest(1, encodeManifest(empty)), empty);
});

test('a manifest of an earlier release tells of its own writer', () => {
  const { writers: _, ...former } = MANIFEST;
  // as: it lacks a member
  assert.deepEqual(decodeManifest(12, encodeManifest(former as Manifest)).writers, [{ epoch: 3, writerId: 'w' }]);
});

test('a manifest of format 1 has no artefacts, and says so', () => {
  const former: Manifest = { ...MANIFEST, formatVersion: 1, artefacts: [] };
  const bytes = encodeManifest(former);
  assert.ok(!Buffer.from(bytes).includes('artefacts'));
  assert.deepEqual(decodeManifest(12, bytes), former);
  assert.deepEqual(decodeOutline(12, bytes), outlineOf(former));
  assert.equal(nextManifest(former, { epoch: 3, writerId: 'w', nowMs: 0 }).formatVersion, 2);
  assert.throws(() => encodeManifest({ ...MANIFEST, formatVersion: 1 }), { code: 'INTERNAL' });
});

test('whatever is changed in a manifest is found', () => {
  assertDamageIsFound(encodeManifest({ ...MANIFEST, tables: MANIFEST.tables.slice(0, 1) }), manifestKey(12), (bytes) =>
    decodeManifest(12, bytes),
  );
});

test('the outline of a manifest is read as it is made, and damage is found', () => {
  assert.deepEqual(decodeOutline(12, encodeManifest(MANIFEST)), outlineOf(MANIFEST));
  const bytes = encodeManifest({ ...MANIFEST, tables: [], artefacts: [] });
  assertDamageIsFound(bytes, manifestKey(12), (damaged) => decodeOutline(12, damaged));
  assert.throws(() => decodeOutline(13, encodeManifest(MANIFEST)), { code: 'CORRUPTION', message: /says that it is version 12/ });
});

test('an unknown format is refused, not guessed', () => {
  const future = { ...MANIFEST, formatVersion: 3, tables: [] } as unknown as Manifest;
  assert.throws(() => decodeManifest(12, encodeManifest(future)), { code: 'UNSUPPORTED', message: /storage format 3/ });
});

test('a manifest that says nonsense is refused with the place', () => {
  const cases: readonly [change: (json: Record<string, unknown>) => void, place: RegExp][] = [
    [(json) => delete json['epoch'], /epoch is not a count/],
    [(json) => Object.assign(json, { epoch: 0, writers: [{ epoch: 0, writerId: 'w' }] }), /epochs and WAL numbers start at 1/],
    [(json) => Object.assign(json, { writers: [] }), /writers is not a list of writers by epoch/],
    [(json) => Object.assign(json, { writers: [{ epoch: 3, writerId: 'other' }] }), /writers is not a list of writers by epoch/],
    [(json) => Object.assign(json, { sequence: 1.5 }), /sequence is not a count/],
    [(json) => Object.assign(json, { version: 11 }), /says that it is version 11/],
    [
      (json) => Object.assign(json, { tables: [{ kind: 'other', liveRows: 0, files: [] }] }),
      /tables\[0\]\.kind is not nodes or relationships/,
    ],
    [
      (json) => Object.assign(json, { tables: [{ kind: 'nodes', labels: [1], liveRows: 0, files: [] }] }),
      /tables\[0\]\.labels\[0\] is not text/,
    ],
    [
      (json) => Object.assign(json, { tables: [{ kind: 'nodes', labels: [''], liveRows: 0, files: [] }] }),
      /tables\[0\]\.labels\[0\] is not a name/,
    ],
    [(json) => Object.assign(json, { catalog: [] }), /catalog is not an object/],
    [(json) => delete json['artefacts'], /artefacts is not a list/],
    [withArtefact({ id: '' }), /artefacts\[0\]\.id is not a name/],
    [withArtefact({ subject: [] }), /artefacts\[0\]\.subject is not an object/],
    [withArtefact({ kindVersion: -1 }), /artefacts\[0\]\.kindVersion is not a count/],
    [withArtefact({ directory: null }), /artefacts\[0\]\.directory is not an object/],
    [withArtefact({ files: [{ ...ARTEFACT.files[0], key: 'data/w-3.arrow' }] }), /files\[0\]\.key is not the key of an artefact/],
    [withArtefact({ files: [{ ...ARTEFACT.files[0], bytes: 19 }] }), /files\[0\]\.pages is not within the file/],
    [withArtefact({ files: [{ ...ARTEFACT.files[0], pages: [[0, 1]] }] }), /pages\[0\] is not a page/],
    [withArtefact({ covers: { ...ARTEFACT.covers, files: ['data/w-2.arrow'] } }), /B9: artefact w-4 covers files that do not stand there/],
    [withArtefact({ covers: { ...ARTEFACT.covers, table: { kind: 'edges' } } }), /covers\.table\.kind is not nodes or relationships/],
    [withFile({ key: 'data/../manifest/x.arrow' }), /files\[0\]\.key is not the key of a data file/],
    [withFile({ rows: 99 }), /files\[0\]\.rows is not the sum of its blocks/],
    [withFile({ bytes: 10 }), /files\[0\]\.blocks is not within the file/],
    [withFile({ columns: [] }), /files\[0\]\.blocks is not complete/],
    [withFile({ compression: 'lz4' }), /files\[0\]\.compression is not zstd/],
  ];
  for (const [change, place] of cases) {
    const json = JSON.parse(Buffer.from(encodeManifest(MANIFEST)).toString()) as Record<string, unknown>;
    delete json['crc32'];
    change(json);
    assert.throws(() => decodeManifest(12, seal(json)), { code: 'CORRUPTION', message: place });
  }
  assert.throws(() => decodeManifest(12, seal('no object')), { code: 'CORRUPTION' });
});

function withFile(members: Record<string, unknown>): (json: Record<string, unknown>) => void {
  return (json) => {
    json['artefacts'] = [];
    json['tables'] = [{ kind: 'nodes', labels: [], liveRows: 0, files: [{ ...file, ...members }] }];
  };
}

function withArtefact(members: Record<string, unknown>): (json: Record<string, unknown>) => void {
  return (json) => {
    json['artefacts'] = [{ ...ARTEFACT, ...members }];
  };
}

/** Any JSON with the ending of a manifest. */
function seal(json: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(json).slice(0, -1));
  return Buffer.concat([text, Buffer.from(`,\n"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`)]);
}
