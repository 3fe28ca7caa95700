import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { ChildManifest, Manifest, ManifestArtefact, ManifestChanges } from '../api.ts';
import { manifestKey } from '../keys.ts';
import { encodeSst } from '../sst/encode-sst.ts';
import { assertDamageIsFound } from '../testing/damage.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { changesBetween, EMPTY_STATE } from './manifest-changes.ts';
import { assembleManifest, decodeChild, decodeRoot, encodeChanges, encodeManifest } from './manifest-codec.ts';
import { continues, firstManifest, nextManifest } from './manifest-edit.ts';

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
  children: [],
};

function decodeManifest(version: number, bytes: Uint8Array, children: readonly ChildManifest[] = []): Manifest {
  return assembleManifest(decodeRoot(version, bytes), children);
}

/** Puts the first table and the artefact into a child, the rest into the manifest. */
function withChild(manifest: Manifest): Manifest {
  const changes = changesBetween(EMPTY_STATE, { ...EMPTY_STATE, tables: manifest.tables.slice(0, 1), artefacts: manifest.artefacts });
  const bytes = encodeChanges(changes);
  return { ...manifest, children: [{ key: 'data/w-9.manifest', bytes: bytes.length, crc32: crc32(bytes), changes }] };
}

test('a manifest is read as it was written', () => {
  assert.deepEqual(decodeManifest(12, encodeManifest(MANIFEST)), MANIFEST);
  const empty = firstManifest({ epoch: 1, writerId: 'w', nowMs: 0 });
  assert.deepEqual(decodeManifest(1, encodeManifest(empty)), empty);
});

test('a manifest and its child are read as they were written, and the manifest does not say again what the child says', () => {
  const manifest = withChild(MANIFEST);
  const [child] = manifest.children;
  const bytes = encodeManifest(manifest);
  assert.ok(!Buffer.from(bytes).includes('data/w-1.arrow') && Buffer.from(bytes).includes('data/w-2.arrow'));
  const { changes, ...place } = child!;
  const stored = encodeChanges(changes);
  assert.deepEqual(decodeChild(place, stored), child);
  assert.deepEqual(decodeManifest(12, bytes, manifest.children), manifest);
  assertDamageIsFound(stored, place.key, (damaged) => decodeChild(place, damaged));
});

test('a child that does not fit the others is damage', () => {
  const file = MANIFEST.tables[0]!.files[0]!;
  const table = { kind: 'nodes', labels: ['Person'], liveRows: 1 } as const;
  const wrong: readonly (readonly [Partial<ManifestChanges>, RegExp])[] = [
    [{ tables: [{ ...table, remove: ['data/w-8.arrow'], add: [] }] }, /removes data\/w-8.arrow, which is not there/],
    [{ tables: [{ ...table, remove: [], add: [{ after: 'data/w-8.arrow', files: [] }] }] }, /behind data\/w-8.arrow, which is not there/],
    [
      {
        tables: [
          {
            ...table,
            remove: [],
            add: [
              { after: null, files: [] },
              { after: null, files: [] },
            ],
          },
        ],
      },
      /one place twice/,
    ],
    [{ tables: [{ ...table, remove: [], add: [{ after: null, files: [file] }] }] }, /B6: data\/w-1.arrow is named twice/],
    [{ dropArtefacts: ['w-8'] }, /drops artefact w-8, which is not there/],
    [{ addArtefacts: [ARTEFACT] }, /B6: data\/w-3.artefact is named twice/],
  ];
  const root = decodeRoot(12, encodeManifest(withChild(MANIFEST)));
  const [first] = withChild(MANIFEST).children;
  for (const [changes, message] of wrong) {
    const second = { ...first!, key: 'data/w-10.manifest', changes: { tables: [], dropArtefacts: [], addArtefacts: [], ...changes } };
    const plain = { ...root, changes: { tables: [], dropArtefacts: [], addArtefacts: [] } };
    assert.throws(() => assembleManifest(plain, [first!, second]), { code: 'CORRUPTION', message });
  }
});

test('a manifest of an earlier release tells of its own writer', () => {
  const { writers: _, ...former } = MANIFEST;
  // as: it lacks a member
  assert.deepEqual(decodeManifest(12, encodeManifest(former as Manifest)).writers, [{ epoch: 3, writerId: 'w' }]);
});

test('manifests of formats 1 and 2 name all files themselves, with their layouts, which stay when they are written anew', async () => {
  for (const [format, name] of [
    [1, '00000000000000000011'],
    [2, '00000000000000000011'],
  ] as const) {
    const bytes = await readFile(new URL(`../../../test/fixtures/format-${format}/example/manifest/${name}.json`, import.meta.url));
    const former = decodeManifest(11, bytes);
    assert.equal(former.formatVersion, format);
    assert.equal(former.artefacts.length > 0, format === 2);
    assert.throws(() => encodeManifest(former), { code: 'INTERNAL' });
    const next = nextManifest(former, { epoch: former.epoch + 1, writerId: 'x', nowMs: 0 });
    assert.equal(next.formatVersion, 3);
    const again = decodeManifest(12, encodeManifest(next));
    assert.deepEqual(again, next);
    assert.ok(continues(former, again));
    assert.ok(!continues(former, { ...again, tables: again.tables.slice(1) }));
  }
});

test('whatever is changed in a manifest is found', () => {
  assertDamageIsFound(encodeManifest({ ...MANIFEST, tables: MANIFEST.tables.slice(0, 1) }), manifestKey(12), (bytes) =>
    decodeManifest(12, bytes),
  );
});

test('an unknown format is refused, not guessed', () => {
  const future = JSON.parse(jsonOf(MANIFEST)) as Record<string, unknown>;
  assert.throws(() => decodeManifest(12, seal({ ...future, formatVersion: 4 })), { code: 'UNSUPPORTED', message: /storage format 4/ });
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
      (json) => Object.assign(changesOf(json), { tables: [{ kind: 'other', liveRows: 0, remove: [], add: [] }] }),
      /tables\[0\]\.kind is not nodes or relationships/,
    ],
    [
      (json) => Object.assign(changesOf(json), { tables: [{ kind: 'nodes', labels: [1], liveRows: 0, remove: [], add: [] }] }),
      /tables\[0\]\.labels\[0\] is not text/,
    ],
    [
      (json) => Object.assign(changesOf(json), { tables: [{ kind: 'nodes', labels: [''], liveRows: 0, remove: [], add: [] }] }),
      /tables\[0\]\.labels\[0\] is not a name/,
    ],
    [(json) => Object.assign(changesOf(json), { catalog: [] }), /catalog is not an object/],
    [(json) => delete changesOf(json)['addArtefacts'], /addArtefacts is not a list/],
    [(json) => delete json['changes'], /changes is not an object/],
    [(json) => delete json['children'], /children is not a list/],
    [
      (json) => Object.assign(json, { children: [{ key: 'data/x.arrow', bytes: 1, crc32: 1 }] }),
      /children\[0\]\.key is not the key of a child/,
    ],
    [withArtefact({ id: '' }), /changes\.addArtefacts\[0\]\.id is not a name/],
    [withArtefact({ subject: [] }), /changes\.addArtefacts\[0\]\.subject is not an object/],
    [withArtefact({ kindVersion: -1 }), /changes\.addArtefacts\[0\]\.kindVersion is not a count/],
    [withArtefact({ directory: null }), /changes\.addArtefacts\[0\]\.directory is not an object/],
    [withArtefact({ files: [{ ...ARTEFACT.files[0], key: 'data/w-3.arrow' }] }), /files\[0\]\.key is not the key of an artefact/],
    [withArtefact({ files: [{ ...ARTEFACT.files[0], bytes: 19 }] }), /files\[0\]\.pages\[1\] is not within the file/],
    [withArtefact({ files: [{ ...ARTEFACT.files[0], pages: [[0, 1]] }] }), /pages\[0\] is not a page/],
    [withArtefact({ covers: { ...ARTEFACT.covers, files: ['data/w-2.arrow'] } }), /B9: artefact w-4 covers files that do not stand there/],
    [withArtefact({ covers: { ...ARTEFACT.covers, table: { kind: 'edges' } } }), /covers\.table\.kind is not nodes or relationships/],
    [withFile({ key: 'data/../manifest/x.arrow' }), /files\[0\]\.key is not the key of a data file/],
    [withFile({ bytes: 10 }), /files\[0\]\.layout is not within the file/],
    [withFile({ layout: [1, 2] }), /files\[0\]\.layout is not a buffer/],
    [withFile({ layout: {} }), /files\[0\]\.layout\.blocks is not a list/],
    [withFile({ layout: { blocks: [], dictionaries: [] } }), /files\[0\]\.layout\.blocks is not a list of 1 blocks/],
    [withFile({ blockCount: [] }), /files\[0\]\.blockCount is not a count/],
    [withFile({ compression: 'lz4' }), /files\[0\]\.compression is not zstd/],
  ];
  for (const [change, place] of cases) {
    const json = JSON.parse(jsonOf(MANIFEST)) as Record<string, unknown>;
    delete json['crc32'];
    change(json);
    assert.throws(() => decodeManifest(12, seal(json)), { code: 'CORRUPTION', message: place });
  }
  assert.throws(() => decodeManifest(12, seal('no object')), { code: 'CORRUPTION' });
});

function jsonOf(manifest: Manifest): string {
  return Buffer.from(encodeManifest(manifest)).toString();
}

function changesOf(json: Record<string, unknown>): Record<string, unknown> {
  return json['changes'] as Record<string, unknown>; // as: of a manifest
}

function withFile(members: Record<string, unknown>): (json: Record<string, unknown>) => void {
  return (json) => {
    const add = [{ after: null, files: [{ ...file, ...members }] }];
    Object.assign(changesOf(json), { addArtefacts: [], tables: [{ kind: 'nodes', labels: [], liveRows: 0, remove: [], add }] });
  };
}

function withArtefact(members: Record<string, unknown>): (json: Record<string, unknown>) => void {
  return (json) => {
    changesOf(json)['addArtefacts'] = [{ ...ARTEFACT, ...members }];
  };
}

/** Any JSON with the ending of a manifest. */
function seal(json: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(json).slice(0, -1));
  return Buffer.concat([text, Buffer.from(`,\n"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`)]);
}
