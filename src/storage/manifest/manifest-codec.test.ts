import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { Manifest } from '../api.ts';
import { manifestKey } from '../keys.ts';
import { encodeSst } from '../sst/encode-sst.ts';
import { assertDamageIsFound } from '../testing/damage.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { decodeManifest, decodeOutline, encodeManifest } from './manifest-codec.ts';
import { firstManifest } from './manifest-edit.ts';
import { outlineOf } from './manifest-outline.ts';

const { content } = await encodeSst(sampleTable(100), { compression: 'zstd' });
const file = { key: 'data/w-1.arrow', ...content };
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

test('whatever is changed in a manifest is found', () => {
  assertDamageIsFound(encodeManifest({ ...MANIFEST, tables: MANIFEST.tables.slice(0, 1) }), manifestKey(12), (bytes) =>
    decodeManifest(12, bytes),
  );
});

test('the outline of a manifest is read as it is made, and damage is found', () => {
  assert.deepEqual(decodeOutline(12, encodeManifest(MANIFEST)), outlineOf(MANIFEST));
  const bytes = encodeManifest({ ...MANIFEST, tables: [] });
  assertDamageIsFound(bytes, manifestKey(12), (damaged) => decodeOutline(12, damaged));
  assert.throws(() => decodeOutline(13, encodeManifest(MANIFEST)), { code: 'CORRUPTION', message: /says that it is version 12/ });
});

test('an unknown format is refused, not guessed', () => {
  const future = { ...MANIFEST, formatVersion: 2, tables: [] } as unknown as Manifest;
  assert.throws(() => decodeManifest(12, encodeManifest(future)), { code: 'UNSUPPORTED', message: /storage format 2/ });
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
    json['tables'] = [{ kind: 'nodes', labels: [], liveRows: 0, files: [{ ...file, ...members }] }];
  };
}

/** Any JSON with the ending of a manifest. */
function seal(json: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(json).slice(0, -1));
  return Buffer.concat([text, Buffer.from(`,\n"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`)]);
}
