/** NDJSON and Parquet files into memory stores: types, ids, labels, bad rows by file and line, packed files, mixed formats. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { openObjectStore, parseStorageUri } from '../../object-store/index.ts';
import { openNamespace } from '../../storage/index.ts';
import type { ImportOptions, ImportSummary } from '../api.ts';
import { importFiles } from '../index.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-rows-'));
after(() => rmSync(folder, { recursive: true }));
let stores = 0;

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

interface Loaded {
  readonly summary: ImportSummary;
  /** `Label.column` and the kind that it is stored as. */
  readonly kinds: Record<string, string>;
  readonly rows: Record<string, number>;
}

async function load(options: Omit<ImportOptions, 'store'>): Promise<Loaded> {
  const store = `memory://rows-${++stores}`;
  const summary = await importFiles({ ...options, store });
  const uri = parseStorageUri(store);
  const objects = await openObjectStore(uri);
  const namespace = await openNamespace(objects, { name: uri.namespace, readOnly: true });
  const kinds: Record<string, string> = {};
  const rows: Record<string, number> = {};
  for (const { labels, type, files } of namespace.manifest.tables) {
    const name = labels?.join(':') ?? String(type);
    for (const sst of files) {
      rows[name] = (rows[name] ?? 0) + sst.rows;
      for (const column of sst.columns) if (!column.name.startsWith('_')) kinds[`${name}.${column.name}`] = column.kind;
    }
  }
  await namespace.close();
  await objects.close();
  return { summary, kinds, rows };
}

const PEOPLE = `{"id:ID(P)":1,"name":"Ada","born:date":"1815-12-10","h":1.5,"big":9223372036854775807,"mixed":1,":LABEL":["A","B;C"]}
{"id:ID(P)":2,"name":"Bób","h":2.0,"mixed":"x","tags":["a"],"at":{"$":"datetime","value":"2024-01-01T00:00Z"}}

{"id:ID(P)":3,"http://example.org/p":true,":LABEL":"A;D"}
`;
const KNOWS = '{":START_ID(P)":1,":END_ID(P)":3,":TYPE":"KNOWS","w":0.5}\n{":START_ID(P)":"2","w":0.25,":END_ID(P)":1}';

test('NDJSON: columns get the types of their values', async () => {
  const nodes = [{ labels: ['P'], files: [file('people.ndjson', PEOPLE)] }];
  const { kinds, rows, summary } = await load({
    nodes,
    relationships: [{ type: 'LIKES', files: [file('knows.jsonl.gz', gzipSync(KNOWS))] }],
  });
  assert.deepEqual(rows, { 'A:B;C:P': 1, P: 1, 'A:D:P': 1, KNOWS: 1, LIKES: 1 });
  assert.equal(summary.relationships, 2);
  assert.equal(kinds['A:B;C:P.id'], 'int32');
  assert.equal(kinds['A:B;C:P.big'], 'int64');
  assert.equal(kinds['A:B;C:P.born'], 'date');
  assert.equal(kinds['A:B;C:P.h'], 'float');
  assert.equal(kinds['P.mixed'], 'any');
  assert.equal(kinds['P.tags'], 'any');
  assert.equal(kinds['A:D:P.http://example.org/p'], 'boolean');
});

test('several files of one input, packed and plain', async () => {
  const files = [
    file('a.ndjson', '{":ID":"a"}\n'),
    file('b.ndjson.zst', zstdCompressSync('{":ID":"b","x":1}\n{":ID":"c"}')),
    file('c.ndjson', ''),
  ];
  assert.deepEqual((await load({ nodes: [{ labels: ['N'], files }], relationships: [] })).rows, { N: 3 });
});

test('a bad row: file, line and reason, and nothing is loaded; or it is left out', async () => {
  const text = '{":ID":"a"}\n{":ID":"b","m":{"k":1}}\n[1]\n{":ID":"a"}\nnot\n{":ID":"c","d:date":"x"}\n{":ID":"d"}';
  const nodes = [{ labels: ['N'], files: [file('bad.ndjson', text)] }];
  await assert.rejects(load({ nodes, relationships: [] }), { code: 'ARGUMENT_ERROR', message: /bad\.ndjson:2: a Map cannot be stored/ });
  const { summary, rows } = await load({ nodes, relationships: [], skipBadRows: true });
  assert.deepEqual(rows, { N: 2 });
  assert.deepEqual(
    summary.badRowSamples.map(({ line }) => line),
    [2, 3, 5, 6, 4],
  );
});

test('Parquet: its types, and the headers that its column names are', async () => {
  const content = parquetWriteBuffer({
    columnData: [
      { name: 'id:ID', data: [1n, 2n, 3n], type: 'INT64' },
      { name: 'name', data: ['Ada', null, ''], type: 'STRING' },
      { name: 'h', data: [1.5, 2, null], type: 'DOUBLE' },
      { name: 'ok', data: [true, false, null], type: 'BOOLEAN' },
      { name: 'at', data: [new Date(0), null, null], type: 'TIMESTAMP' },
      { name: 'born:date', data: ['2024-02-29', null, null], type: 'STRING' },
      { name: 'skip:IGNORE', data: ['x', 'x', 'x'], type: 'STRING' },
    ],
  });
  const nodes = [{ labels: ['N'], files: [file('n.parquet', new Uint8Array(content))] }];
  const ends = parquetWriteBuffer({
    columnData: [
      { name: ':START_ID', data: [1n, 2n], type: 'INT64' },
      { name: ':END_ID', data: [3n, 9n], type: 'INT64' },
    ],
  });
  const relationships = [{ type: 'T', files: [file('r.parquet', new Uint8Array(ends))] }];
  await assert.rejects(load({ nodes, relationships }), { message: /r\.parquet:2: column :END_ID: no node has the id "9"/ });
  const { kinds, rows } = await load({ nodes, relationships, skipBadRows: true });
  assert.deepEqual(rows, { N: 3, T: 1 });
  assert.deepEqual(kinds, {
    'N.id': 'int32',
    'N.name': 'string',
    'N.h': 'float',
    'N.ok': 'boolean',
    'N.at': 'any',
    'N.born': 'date',
  });
});

test('what is no Parquet, and formats that do not go together, are refused before the store is touched', async () => {
  const nodes = [{ labels: ['N'], files: [file('torn.parquet', 'PAR1 and no more')] }];
  await assert.rejects(load({ nodes, relationships: [] }), { code: 'ARGUMENT_ERROR', message: /cannot read .*torn\.parquet as Parquet/ });
  const mixed = [{ labels: ['N'], files: [file('x.csv', ':ID\n1\n'), file('y.ndjson', '{":ID":2}')] }];
  await assert.rejects(load({ nodes: mixed, relationships: [] }), { code: 'ARGUMENT_ERROR', message: /different formats/ });
  const withoutType = [{ files: [file('t.ndjson', '{":START_ID":1,":END_ID":1}')] }];
  const ids = [{ labels: [], files: [file('i.ndjson', '{":ID":1}')] }];
  await assert.rejects(load({ nodes: ids, relationships: withoutType }), { message: /the relationships have no type/ });
});

test('a dry run checks everything and writes nothing', async () => {
  const { summary, rows } = await load({
    nodes: [{ labels: ['N'], files: [file('dry.ndjson', '{":ID":1}')] }],
    relationships: [],
    dryRun: true,
  }).catch((error: { code: string }) => ({ summary: null, rows: error.code }));
  // The namespace was not even made.
  assert.equal(summary, null);
  assert.equal(rows, 'NOT_FOUND');
});
