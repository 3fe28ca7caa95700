/** Imports into memory stores, and what the SSTs hold afterwards; failures by file and line; that a failure leaves nothing. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { openObjectStore, parseStorageBase, parseStorageUri } from '../object-store/index.ts';
import { NamespaceCatalogue } from '../storage/index.ts';
import type { ImportOptions, ImportSummary } from './api.ts';
import { importFiles } from './import-files.ts';
import { contents } from './testing/contents.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-import-'));
after(() => rmSync(folder, { recursive: true }));
let stores = 0;

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function newStore(): string {
  return `memory://import-${++stores}`;
}

async function load(
  nodes: string,
  relationships: string | null,
  options: Partial<ImportOptions> = {},
): Promise<{ store: string; summary: ImportSummary }> {
  const store = options.store ?? newStore();
  const summary = await importFiles({
    store,
    nodes: [{ labels: ['N'], files: [file('nodes.csv', nodes)] }],
    relationships: relationships === null ? [] : [{ type: 'R', files: [file('relationships.csv', relationships)] }],
    ...options,
  });
  return { store, summary };
}

test('a key without a name is refused, in JSON too', async () => {
  const nodes = [{ labels: [], files: [file('k.ndjson', '{"id:ID": 1, "": 5}\n')] }];
  await assert.rejects(importFiles({ store: newStore(), nodes, relationships: [] }), { code: 'ARGUMENT_ERROR', message: /has no name/ });
});

test('nodes, relationships, the catalog and the counts', async () => {
  const store = newStore();
  const summary = await importFiles({
    store,
    nodes: [
      { labels: ['Person'], files: [file('p.csv', 'id:ID(P),name,:LABEL\n1,Ada,Author;Person\n2,"",\n')] },
      { labels: ['Place'], files: [file('l.csv', ':ID(L){id-type:int},name\n1,London\n2,Paris\n')] },
    ],
    relationships: [
      { type: 'LIVES_IN', files: [file('r.csv', ':START_ID(P),:END_ID(L),since:int,:TYPE\n2,2,1999,\n1,2,,\n1,1,2001,VISITED\n')] },
    ],
  });
  const { manifest, tables } = await contents(store);
  assert.deepEqual(Object.fromEntries(tables), {
    Person: [{ ordinal: 0, id: '2', name: '' }],
    'Author:Person': [{ ordinal: 1, id: '1', name: 'Ada' }],
    Place: [
      { ordinal: 2, name: 'London' },
      { ordinal: 3, name: 'Paris' },
    ],
    LIVES_IN: [
      { ordinal: 0, _source: 0, _target: 3, since: 1999 },
      { ordinal: 1, _source: 1, _target: 3 },
    ],
    VISITED: [{ ordinal: 2, _source: 1, _target: 2, since: 2001 }],
  });
  assert.deepEqual(manifest.catalog.labels.toSorted(), ['Author', 'Person', 'Place']);
  assert.deepEqual(manifest.catalog.types, ['LIVES_IN', 'VISITED']);
  assert.deepEqual(manifest.catalog.keys.toSorted(), ['id', 'name', 'since']);
  assert.deepEqual([manifest.nextNodeOrdinal, manifest.nextRelationshipOrdinal], [4, 3]);
  assert.deepEqual(
    manifest.tables.map(({ liveRows }) => liveRows),
    [1, 1, 2, 2, 1],
  );
  assert.deepEqual([summary.nodes, summary.relationships, summary.files], [4, 3, 5]);
});

test('every type, with empty fields and lists', async () => {
  const header =
    's,i:int,l:long,b:byte,f:float,d:double,y:boolean,day:date,t:time,lt:localtime,ldt:localdatetime,dt:datetime{timezone:+01:00},' +
    'du:duration,ss:string[],is:int[],fs:double[],ds:date[],x:IGNORE';
  const full =
    'text,-5,9007199254740993,7,1.5,2,true,2024-02-29,10:00:01Z,10:00,2024-01-01T00:00,2024-01-01T10:00,P1DT2S,' +
    'a;b,1;-2,1;2.5,2020-01-01,gone';
  const { store } = await load(`${header}\n${full}\n${','.repeat(17)}\n${'"",'.repeat(17)}\n`, null);
  const { tables, kinds } = await contents(store);
  assert.deepEqual(tables.get('N'), [
    {
      ordinal: 0,
      s: 'text',
      i: -5,
      l: 9007199254740993n,
      b: 7,
      f: 1.5,
      d: 2,
      y: 1,
      day: 19782,
      t: '10:00:01Z',
      lt: '10:00:00',
      ldt: '2024-01-01T00:00:00',
      dt: '2024-01-01T10:00:00+01:00',
      du: 'P1DT2S',
      ss: ['a', 'b'],
      is: [1, -2],
      fs: ['1.0', 2.5],
      ds: ['2020-01-01'],
    },
    { ordinal: 1 },
    { ordinal: 2, s: '', ss: [], is: [], fs: [], ds: [] },
  ]);
  const expected = { i: 'int32', l: 'int64', f: 'float', y: 'boolean', day: 'date', dt: 'any', ss: 'any' };
  for (const [key, kind] of Object.entries(expected)) assert.equal(kinds.get(`N.${key}`), kind, key);
});

test('points as neo4j-admin writes them, with the system of the header; a bad one is told with its place', async () => {
  const header = 'id:ID,at:point{crs:WGS-84},track:point[]\n';
  const { store } = await load(
    `${header}1,"{x: 12.5, y: 55}","{x: 1, y: 2};{latitude: 1, longitude: 190, height: 3}"\n2,"{x:1,y:2,crs:cartesian}",\n3,,\n`,
    null,
  );
  const { tables } = await contents(store);
  const text = JSON.stringify(tables.get('N'));
  assert.deepEqual(text.match(/point\(\{[^}]*\}\)/g), [
    "point({x: 12.5, y: 55.0, crs: 'wgs-84'})",
    "point({x: 1.0, y: 2.0, crs: 'cartesian'})",
    "point({x: -170.0, y: 1.0, z: 3.0, crs: 'wgs-84-3d'})",
    "point({x: 1.0, y: 2.0, crs: 'cartesian'})",
  ]);
  await assert.rejects(load(`${header}1,"{x: 12.5, y: 95}",\n`, null), {
    code: 'ARGUMENT_ERROR',
    message: /nodes\.csv:2.*latitude must lie in -90 to 90/,
  });
});

test(
  'strings are a dictionary while they repeat; integers widen; keys that start with an underscore get one more; a column ' +
    'without values is left out',
  async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `${i},name ${i % 10},${i === 50 ? 2 ** 40 : i},x,`);
    const { store } = await load(`n,name,big:long,_u,none:int\n${lines.join('\n')}`, null);
    const { tables, kinds, manifest } = await contents(store);
    assert.deepEqual(
      [...kinds],
      [
        ['N.n', 'string'],
        ['N.name', 'dictionary'],
        ['N.big', 'integer'],
        ['N.__u', 'dictionary'],
      ],
    );
    assert.deepEqual(manifest.catalog.keys, ['n', 'name', 'big', '_u']);
    assert.deepEqual(tables.get('N')![50], { ordinal: 50, n: '50', name: 'name 0', big: 2 ** 40, __u: 'x' });
  },
);

test('several files behind one header, packed ones among them; other characters for the dialect', async () => {
  const nodes = [
    file('header.csv', "'id:ID'\tv:int[]"),
    file('part-1.csv.gz', gzipSync("a\t1|2\n'b\tc'\t\n")),
    file('part-2.csv.zst', zstdCompressSync('d\t3\n')),
  ];
  const store = newStore();
  const summary = await importFiles({
    store,
    nodes: [{ labels: [], files: nodes }],
    relationships: [],
    delimiter: 'TAB',
    arrayDelimiter: '|',
    quote: "'",
  });
  assert.deepEqual((await contents(store)).tables.get(''), [
    { ordinal: 0, id: 'a', v: [1, 2] },
    { ordinal: 1, id: 'b\tc' },
    { ordinal: 2, id: 'd', v: [3] },
  ]);
  assert.equal(summary.nodes, 3);
});

test('a delimiter that stands within numbers or words is refused', async () => {
  for (const delimiter of ['-', '+', '.', '7', 'e'])
    await assert.rejects(importFiles({ store: newStore(), nodes: [{ labels: [], files: [] }], relationships: [], delimiter }), {
      code: 'ARGUMENT_ERROR',
      message: /^the delimiter must not be a letter, a digit, a point or a sign/,
    });
});

test('one key with two types in one table: two files', async () => {
  const store = newStore();
  await importFiles({
    store,
    nodes: [
      { labels: ['N'], files: [file('a.csv', ':ID,v:int\na,1\nb,2\n')] },
      { labels: ['N'], files: [file('b.csv', ':ID,v\nc,three\n')] },
    ],
    relationships: [{ type: 'R', files: [file('r.csv', ':START_ID,:END_ID\nc,a\na,c\n')] }],
  });
  const { tables, manifest } = await contents(store);
  assert.deepEqual(tables.get('N'), [
    { ordinal: 0, v: 1 },
    { ordinal: 1, v: 2 },
    { ordinal: 2, v: 'three' },
  ]);
  assert.deepEqual(manifest.tables[0]!.files.length, 2);
  assert.deepEqual(manifest.tables[0]!.liveRows, 3);
  assert.deepEqual(
    tables.get('R')!.map(({ _source, _target }) => [_source, _target]),
    [
      [0, 2],
      [2, 0],
    ],
  );
});

test('with little memory a table becomes several files, and everything is there', async () => {
  // Tables are written after each piece of a file, and a last line without an end is a piece of its own.
  const labels = ['A', 'B', 'C'];
  const nodes = Array.from({ length: 20_000 }, (_, i) => `n${i},${i},${labels[i % 3]}`);
  const relationships = Array.from({ length: 30_000 }, (_, i) => `n${(i * 7919) % 20_000},n${(i * 31) % 20_000},${i}`);
  const { store, summary } = await load(`:ID,v:int,:LABEL\n${nodes.join('\n')}`, `:START_ID,:END_ID,v:int\n${relationships.join('\n')}`, {
    bufferBytes: 1,
  });
  const { tables, manifest } = await contents(store);
  assert.ok(summary.files > 4);
  const vOf = new Map<number, number>();
  for (const label of labels)
    for (const { ordinal, v } of tables.get(['N', label].sort().join(':'))!) vOf.set(ordinal as number, v as number);
  assert.equal(vOf.size, 20_000);
  assert.ok([...vOf.keys()].every((ordinal) => ordinal < manifest.nextNodeOrdinal));
  const found = tables.get('R')!.map(({ _source, _target, v }) => [v as number, vOf.get(_source as number), vOf.get(_target as number)]);
  const expected = Array.from({ length: 30_000 }, (_, i) => [i, (i * 7919) % 20_000, (i * 31) % 20_000]);
  assert.deepEqual(
    found.sort(([a], [b]) => (a ?? 0) - (b ?? 0)),
    expected,
  );
});

const NODES = ':ID,v:int\na,1\nb,2\n';
const ENDS = ':START_ID,:END_ID,w:float\n';

for (const [name, nodes, relationships, message] of [
  ['an unparsable value', ':ID,v:int\na,1\n"b",\nc,"x\ny"\nd,z\n', null, /nodes\.csv:4: column v:int: "x\\ny" is not an Integer/],
  ['too few fields', ':ID,v:int\na\n', null, /nodes\.csv:2: 1 fields where the header has 2; nothing was imported/],
  ['a duplicate id', `${NODES}\na,3\n`, null, /nodes\.csv:5: the id "a" is taken/],
  ['no id', `${NODES},3\n`, null, /nodes\.csv:4: the row has no id/],
  ['text after a quote', `${NODES}"c"d,3\n`, null, /nodes\.csv:4: there is text after a closing quote/],
  ['an open quote', `${NODES}"c,3\n\n`, null, /nodes\.csv:4: a quote is opened and not closed/],
  ['no such node', NODES, `${ENDS}a,b,1\nb,c,2\n`, /relationships\.csv:3: column :END_ID: no node has the id "c"/],
  ['an empty end', NODES, `${ENDS},b,1\n`, /relationships\.csv:2: column :START_ID: the row has no id/],
  ['a bad relationship property', NODES, `${ENDS}a,b,1,5\n`, /relationships\.csv:2: 4 fields where the header has 3/],
  ['an unknown id space', NODES, ':START_ID(X),:END_ID\n', /relationships\.csv:1: no file of nodes has an :ID column in space "X"/],
  ['no header', '', null, /nodes\.csv:1: there is no header line/],
  ['an unknown type', ':ID,v:uuid\n', null, /nodes\.csv:1: column "v:uuid": unknown type/],
] as const) {
  test(`refused: ${name}; the store stays as it was`, async () => {
    const store = newStore();
    await assert.rejects(load(nodes, relationships, { store }), { code: 'ARGUMENT_ERROR', message });
    const objects = await openObjectStore(parseStorageUri(store));
    assert.deepEqual(await objects.list(''), []);
    await objects.close();
  });
}

test('refused: text that is not UTF-8', async () => {
  const nodes = file('latin1.csv', Buffer.from('name\nok\ncaf\xe9\n', 'latin1'));
  const options = { store: newStore(), nodes: [{ labels: [], files: [nodes] }], relationships: [] };
  await assert.rejects(importFiles(options), { message: /latin1\.csv:3: the row is not UTF-8 text/ });
});

test('refused: a relationship without a type, a missing file', async () => {
  const relationships = [{ files: [file('untyped.csv', ':START_ID,:END_ID,:TYPE\na,b,\n')] }];
  await assert.rejects(load(NODES, null, { relationships }), { message: /untyped\.csv:2: the row has no type/ });
  const missing = [{ type: 'R', files: [join(folder, 'missing.csv')] }];
  await assert.rejects(load(NODES, null, { relationships: missing }), {
    code: 'ARGUMENT_ERROR',
    message: /cannot read .*missing\.csv: no such file/,
  });
});

test('a failure after files were uploaded removes them', async () => {
  const store = newStore();
  await assert.rejects(load(NODES, `${ENDS}a,x,1\n`, { store, bufferBytes: 1 }), { message: /relationships\.csv:2/ });
  const objects = await openObjectStore(parseStorageUri(store));
  assert.deepEqual(await objects.list('data/'), []);
  assert.equal((await objects.list('manifest/')).length, 1, 'the namespace was opened for writing');
  await objects.close();
  await load(NODES, null, { store });
  assert.equal((await contents(store)).tables.get('N')!.length, 2);
});

test('bad rows can be left out: the rest is loaded, ids and ends included', async () => {
  const nodes = ':ID,v:int,:LABEL\na,1,X\nb,?,X\na,3,Y\nc,4,\ne,5\nd,,"X"\n';
  const relationships = ':START_ID,:END_ID\na,b\nd,a\nc,d\n"d"x,a\nc,\n';
  const { store, summary } = await load(nodes, relationships, { skipBadRows: true });
  const { tables } = await contents(store);
  assert.deepEqual(Object.fromEntries(tables), {
    N: [{ ordinal: 0, v: 4 }],
    'N:X': [{ ordinal: 1, v: 1 }, { ordinal: 2 }],
    R: [
      { ordinal: 0, _source: 0, _target: 2 },
      { ordinal: 1, _source: 2, _target: 1 },
    ],
  });
  assert.deepEqual(
    summary.badRowSamples.map(({ line, reason }) => [line, reason]),
    [
      [6, '2 fields where the header has 3'],
      [3, 'column v:int: "?" is not an Integer of 64 bits'],
      [4, 'the id "a" is taken by another node'],
      [5, 'there is text after a closing quote'],
      [2, 'column :END_ID: no node has the id "b" in space (the global one)'],
      [6, 'column :END_ID: the row has no id'],
    ],
  );
  assert.equal(summary.badRows, 6);
});

test('a column _id sets internal identifiers, unique over all spaces', async () => {
  const nodes = [
    { labels: ['A'], files: [file('a.csv', '_id:ID(A),v\nx,1\ny,2\n')] },
    { labels: ['B'], files: [file('b.csv', ':ID(B),_id\n1,z\n2,\n')] },
  ];
  const store = newStore();
  await importFiles({ store, nodes, relationships: [] });
  const { tables, manifest } = await contents(store);
  assert.deepEqual(tables.get('A')![1], { ordinal: 1, _id: 'y', v: '2' });
  assert.deepEqual(tables.get('B'), [{ ordinal: 2, _id: 'z' }, { ordinal: 3 }]);
  assert.deepEqual(manifest.catalog.keys, ['v']);
  const clash = [...nodes, { labels: [], files: [file('c.csv', '_id\nw\ny\n')] }];
  await assert.rejects(importFiles({ store: newStore(), nodes: clash, relationships: [] }), { message: /c\.csv:3: the _id "y" is taken/ });
  const computed = [...nodes, { labels: [], files: [file('d.csv', '_id\nn3\n')] }];
  await assert.rejects(importFiles({ store: newStore(), nodes: computed, relationships: [] }), { message: /the _id "n3" has the form/ });
  await importFiles({ store: newStore(), nodes: [computed[0]!, computed[2]!], relationships: [] });
});

test('a namespace that holds data is refused and not disturbed', async () => {
  const { store } = await load(NODES, null);
  const before = (await contents(store)).manifest;
  await assert.rejects(load(NODES, null, { store }), { code: 'UNSUPPORTED', message: /holds data already/ });
  assert.deepEqual((await contents(store)).manifest, before);
});

test('a namespace that was dropped is empty, and ids go on where they were', async () => {
  const place = `memory://import-dropped-${++stores}`;
  const store = `${place}?ns=n`;
  await load(NODES, `${ENDS}a,b,1\n`, { store });
  const before = await contents(store);
  const base = parseStorageBase(place);
  assert.ok(base !== null);
  await new NamespaceCatalogue(base).drop('n');
  await load(NODES, `${ENDS}a,b,1\n`, { store });
  const { tables, manifest } = await contents(store);
  const { nextNodeOrdinal: first } = before.manifest;
  assert.deepEqual(
    tables.get('N'),
    before.tables.get('N')!.map((row) => ({ ...row, ordinal: Number(row['ordinal']) + first })),
  );
  assert.equal(manifest.nextNodeOrdinal, 2 * first);
  assert.equal(tables.get('R')!.length, before.tables.get('R')!.length);
});

test('progress is told; an abort ends the import with nothing loaded', async () => {
  const phases: string[] = [];
  const { store } = await load(NODES, `${ENDS}a,b,1\n`, {
    onProgress: ({ phase, bytesRead, bytesTotal }) => phases.push(`${phase} ${bytesRead}/${bytesTotal}`),
  });
  assert.equal(phases.at(0)!.split(' ')[0], 'nodes');
  assert.equal(phases.at(-1), 'writing 50/50');
  assert.ok(store);
  const controller = new AbortController();
  const aborted = newStore();
  await assert.rejects(load(NODES, null, { store: aborted, signal: controller.signal, onProgress: () => controller.abort() }), {
    code: 'CANCELLED',
  });
  const objects = await openObjectStore(parseStorageUri(aborted));
  assert.deepEqual(await objects.list('data/'), []);
  await objects.close();
});
