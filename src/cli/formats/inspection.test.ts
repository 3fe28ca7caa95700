import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamespaceDescription } from '../../storage/index.ts';
import { formatInspection } from './inspection.ts';

const FILE = {
  key: 'data/w-1.arrow',
  bytes: 123_456,
  crc32: 1,
  compression: 'zstd' as const,
  rows: 1_000,
  level: 1,
  base: true,
  minOrdinal: 5,
  maxOrdinal: 1_004,
  denseOrdinals: true,
  minSequence: 1,
  maxSequence: 7,
  blocks: 1,
  columns: [
    { name: 'name', kind: 'dictionary' as const, nullCount: 0, min: 'Ada', max: 'Zoe "Z"', distinct: 900 },
    { name: 'born', kind: 'int32' as const, nullCount: 1 },
  ],
};

const DESCRIPTION: NamespaceDescription = {
  location: 'file:///data?ns=x',
  manifestVersions: [3, 4, 5, 9],
  manifest: {
    formatVersion: 3,
    version: 9,
    epoch: 2,
    writerId: 'w',
    writers: [{ epoch: 2, writerId: 'w' }],
    createdAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    nextNodeOrdinal: 1_005,
    nextRelationshipOrdinal: 0,
    sequence: 7,
    generation: 0,
    capture: null,
    walFloor: 20,
    catalog: {
      labels: ['Person', ''],
      types: [],
      keys: ['name', 'born'],
      indexes: [{ name: 'by_name', entity: 'node', labelOrType: 'Person', keys: ['name'], kind: 'range' }],
      constraints: [{ name: 'since', entity: 'relationship', labelOrType: 'KNOWS', keys: ['since'], kind: 'exists' }],
    },
  },
  children: [
    { key: 'data/w-7.manifest', bytes: 20_480, crc32: 1 },
    { key: 'data/w-8.manifest', bytes: 8_192, crc32: 2 },
  ],
  tables: [{ kind: 'nodes', labels: ['Person'], liveRows: 1_000, files: [FILE] }],
  artefacts: [
    {
      id: 'w-9',
      kind: 'range',
      kindVersion: 1,
      subject: { keys: ['name'] },
      covers: { table: { kind: 'nodes', labels: ['Person'] }, files: ['data/w-1.arrow'], sequence: 7 },
      files: [{ key: 'data/w-2.artefact', bytes: 2_048, crc32: 1, pages: 3 }],
      directory: { fences: ['Ada', 'Zoe', 'x'.repeat(200)] },
      content: null,
    },
  ],
  wal: [
    { kind: 'epoch-start', number: 20, epoch: 2, depth: 0, writerId: 'w', firstSequence: 8, commits: 0, bytes: 41 },
    { kind: 'commits', number: 21, epoch: 2, depth: 0, writerId: 'w', firstSequence: 8, commits: 2, bytes: 100 },
    { kind: 'commits', number: 22, epoch: 2, depth: 0, writerId: 'w', firstSequence: 10, commits: 1, bytes: 50 },
  ],
  lastSequence: 10,
  totals: { objects: 9, bytes: 2 ** 21, rows: 1_000 },
  leases: [{ key: 'lease/00000000000000000004-60000-a1', version: 4, durationMs: 60_000, endsAtMs: 60_000 }],
  orphans: [{ key: 'data/gone-1.arrow', size: 2_048, lastModifiedMs: 0 }],
  verified: 8,
  problems: [{ object: 'data/w-1.arrow', message: 'the checksum of the file does not match' }],
};

test('a description says all that there is', () => {
  assert.equal(
    formatInspection(DESCRIPTION),
    `store          file:///data?ns=x
manifest       version 9, by writer w (epoch 2) at 2026-01-02T03:04:05.000Z
children       2, 28.0 KiB
retained       3–5, 9
commits        7 in SSTs, 3 in the log
in SSTs        1,000 nodes, 0 relationships
next ordinals  node 1005, relationship 0
objects        9, 2.00 MiB; the bytes of 8 were checked

labels         Person
types          none
property keys  name, born
indexes        by_name: range of (:Person) (name)
constraints    since: exists of [:KNOWS] (since)

nodes :Person: 1,000 rows in 1 SST, 121 KiB
  data/w-1.arrow
    level 1, 1,000 rows, 1 block, 121 KiB zstd, ordinals 5–1004 dense, sequences 1–7, stands alone
    name  dictionary  "Ada" to "Zoe \\"Z\\"", 900 distinct
    born  int32       1 null

1 artefact, 2.00 KiB
  w-9: range (format 1) of nodes :Person, {"keys":["name"]}
    covers 1 SST up to sequence 7: data/w-1.arrow
    3 pages, 2.00 KiB in data/w-2.artefact
    not known here: {"fences":["Ada","Zoe","${'x'.repeat(96)}…

log            needed from object 20 on
  20: epoch 2 begins, writer w
  21–22: 3 commits from 8 on, 150 B

lease          of version 4, until 1970-01-01T00:01:00.000Z

1 object that nobody needs any more, 2.00 KiB; the writer removes them after their grace time
  data/gone-1.arrow  2.00 KiB  1970-01-01T00:00:00.000Z

1 problem
  data/w-1.arrow: the checksum of the file does not match
`,
  );
});

test('what cannot be read is left out', () => {
  const broken = { ...DESCRIPTION, manifest: null, tables: [], artefacts: [], wal: [], leases: [], orphans: [], manifestVersions: [] };
  const text = formatInspection(broken);
  assert.match(text, /^store .*\nobjects .*\n\nlog {12}empty\n\n1 problem\n/);
});
