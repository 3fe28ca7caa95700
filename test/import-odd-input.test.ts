/**
 * Input that is not as usual: bad rows beside good ones, rows at the borders of batches, values of other types than their
 * header names; and a store that answers late.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { openEngine } from '../src/engine/index.ts';
import { type GuessedColumn, type ImportOptions, type ImportSummary, importFiles, readExportFolder } from '../src/import/index.ts';
import { type ObjectStore, openObjectStore, parseStorageUri, storeUnavailable } from '../src/object-store/index.ts';
import { exportGraph, parseExportFormat } from '../src/transfer/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-odd-input-'));
after(() => rmSync(folder, { recursive: true }));
let stores = 0;
const freshUri = (): string => `memory://odd-input-${++stores}`;

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function load(store: string, options: Partial<ImportOptions>): Promise<ImportSummary> {
  return importFiles({ nodes: [], relationships: [], ...options, store });
}

const nodesOf = (...files: string[]): ImportOptions['nodes'] => [{ labels: ['N'], files }];
const badLines = ({ badRowSamples }: ImportSummary): number[] => badRowSamples.map(({ line }) => line).sort((a, b) => a - b);

async function ask(store: string, ...queries: string[]): Promise<unknown[]> {
  const engine = await openEngine(store, { flushIntervalMs: 0 });
  try {
    let rows: readonly (readonly unknown[])[] = [];
    for (const query of queries) ({ rows } = await engine.execute(query, new Map()));
    return rows.map(([value]) => value);
  } finally {
    await engine.close();
  }
}

const MERGED = { mergeOn: [{ space: null, label: 'Keep', key: 'k' }], idType: 'integer' } as const;

/** Holds back puts of manifests from the second one on, the first being that of the new writer, and returns them. */
function holdManifestsBack(context: TestContext, store: ObjectStore): { late: (() => Promise<boolean>)[]; release: () => void } {
  const prototype = Object.getPrototypeOf(store) as ObjectStore;
  const put = prototype.putIfAbsent;
  const late: (() => Promise<boolean>)[] = [];
  let manifests = 0;
  const mocked = context.mock.method(prototype, 'putIfAbsent', async function (this: ObjectStore, key: string, bytes: Uint8Array) {
    if (!key.startsWith('manifest/') || ++manifests === 1) return put.call(this, key, bytes);
    late.push(() => put.call(this, key, bytes));
    throw storeUnavailable('no answer', { transient: true, cause: null });
  });
  return { late, release: () => mocked.mock.restore() };
}

test('a manifest that the store completes after the import has given up finds its files', async (context) => {
  const store = freshUri();
  await ask(store, 'CREATE INDEX FOR (n:Keep) ON (n.k)', 'CREATE (:Keep {k: 1})');
  const { late, release } = holdManifestsBack(context, await openObjectStore(parseStorageUri(store)));
  const nodes = [{ labels: [], files: [file('late.csv', 'k:ID(Keep)\n5\n')] }];
  await assert.rejects(load(store, { nodes, ...MERGED }), { code: 'STORE_UNAVAILABLE' });
  release();
  assert.equal(await late[0]!(), true);
  assert.deepEqual(await ask(store, 'MATCH (n:Keep) RETURN n.k ORDER BY n.k'), [1, 5]);
});

test('a row that is left out for its values takes no node from a good row that merges into it', async () => {
  const store = freshUri();
  await ask(store, 'CREATE INDEX FOR (n:Keep) ON (n.k)', 'CREATE (:Keep {k: 1})');
  const nodes = [{ labels: [], files: [file('merged.csv', 'k:ID(Keep),v:int\n1,x\n1,2\n1,3\n')] }];
  const summary = await load(store, { nodes, ...MERGED, skipBadRows: true });
  assert.deepEqual([summary.nodesUpdated, badLines(summary)], [1, [2, 4]]);
  assert.deepEqual(await ask(store, 'MATCH (n:Keep) RETURN n.v'), [2]);
});

test('the _id of a row that was left out counts for nothing', async () => {
  const store = freshUri();
  const clash = { nodes: nodesOf(file('clash.csv', 'id:ID,_id\na,n1\nb,\na,x\n')), skipBadRows: true };
  await assert.rejects(load(store, clash), { code: 'ARGUMENT_ERROR', message: /"n1" has the form of the identifiers/ });
  const files = [file('first.csv', 'id:ID,_id\na,p\na,n1\n'), file('second.csv', 'c,n1\nd,p\n')];
  const summary = await load(store, { nodes: nodesOf(...files), skipBadRows: true });
  assert.deepEqual(badLines(summary), [2, 3]);
  assert.deepEqual(await ask(store, 'MATCH (n) RETURN elementId(n) + n.id ORDER BY n.id'), ['pa', 'n1c']);
});

test('a dry run tells of all bad rows, with threads too, and of no others', async () => {
  const nodes = nodesOf(file('dry-nodes.csv', 'id:ID,a:int\n1,1\n2,x\n3,3\n1,4\n5,y\n'));
  const relationships = [{ type: 'T', files: [file('dry.csv', ':START_ID,:END_ID,w:int\n1,7,1\n1,8,1\n3,3,x\n3,1,1\n')] }];
  for (const threads of [0, 1]) {
    const dry = load(freshUri(), { nodes, relationships, threads, dryRun: true });
    const message = /^6 rows cannot.*nodes\.csv:3: .*nodes\.csv:5: .*nodes\.csv:6: .*dry\.csv:2: .*dry\.csv:3: .*dry\.csv:4: /s;
    await assert.rejects(dry, { code: 'ARGUMENT_ERROR', message }, `${threads} threads`);
  }
});

test('NDJSON: whether a row lacks an id or a type does not hang on the batch that it stands in', async () => {
  const rows = (count: number, row: (i: number) => string): string => Array.from({ length: count }, (_, i) => `${row(i)}\n`).join('');
  const nodes = nodesOf(file('ids.ndjson', `${rows(4096, (i) => `{":ID":${i}}`)}{"x":1}\n`));
  const links = rows(4096, (i) => `{":START_ID":${i},":END_ID":0,":TYPE":"T"}`);
  const relationships = [{ files: [file('links.ndjson', `${links}{":START_ID":1,":TYPE":"T"}\n{":START_ID":1,":END_ID":1}\n`)] }];
  const summary = await load(freshUri(), { nodes, relationships, skipBadRows: true });
  assert.deepEqual([summary.nodes, summary.relationships, badLines(summary)], [4096, 4096, [4097, 4097, 4098]]);
});

test('values of another type than their key names are bad', async () => {
  const good = '{"i:int":1,"f:float":2,"d:date":"2024-02-29","t:string[]":["a"],"v:vector":[1,2.5,"3"],"l:int[]":["1",2]}\n';
  const bad = [
    '"i:int":1.5',
    '"d:date":20240229',
    '"s:string":5',
    '"t:string[]":"a;b"',
    '"i:int":[1]',
    '"b:boolean":1',
    '"l:int[]":[1,2.5]',
  ];
  const vectors = ['"v:vector":["x"]', '"v:vector":[true]', '"v:vector":5'];
  const store = freshUri();
  const nodes = nodesOf(file('typed.ndjson', good + [...bad, ...vectors].map((member) => `{${member}}\n`).join('')));
  const summary = await load(store, { nodes, skipBadRows: true });
  assert.deepEqual([summary.nodes, badLines(summary)], [1, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]);
  const texts = await ask(store, "MATCH (n) UNWIND ['i', 'f', 'd', 't', 'v', 'l'] AS k RETURN valueType(n[k])");
  assert.deepEqual(texts, [
    'INTEGER NOT NULL',
    'FLOAT NOT NULL',
    'DATE NOT NULL',
    'LIST<STRING NOT NULL> NOT NULL',
    'VECTOR<FLOAT32>(3) NOT NULL',
    'LIST<INTEGER NOT NULL> NOT NULL',
  ]);
});

test('types are guessed that have all the values, with all their digits', async () => {
  const header = 'day,at,id,wide,mixed\n';
  const first = '2024-02-30,2024-01-01T25:00,1234567890123456789,9223372036854775808,1.5\n';
  const second = '2024-02-28,2024-01-01T20:00,-9223372036854775808,1,9007199254740993\n';
  const guessed: GuessedColumn[] = [];
  const store = freshUri();
  await load(store, { nodes: nodesOf(file('guess.csv', header + first + second)), onGuess: (each) => guessed.push(each) });
  assert.deepEqual(
    guessed.map(({ column, type }) => `${column} ${type}`),
    ['id int'],
  );
  assert.deepEqual(await ask(store, 'MATCH (n {day: "2024-02-30"}) RETURN toString(n.id) + n.wide + n.mixed'), [
    '123456789012345678992233720368547758081.5',
  ]);
});

test('a column of Parquet that is named :IGNORE may hold anything', async () => {
  const schema = [
    { name: 'root', num_children: 2 },
    { name: 'a', type: 'INT32' as const, repetition_type: 'OPTIONAL' as const },
    { name: 's:IGNORE', repetition_type: 'OPTIONAL' as const, num_children: 1 },
    { name: 'x', type: 'INT32' as const, repetition_type: 'OPTIONAL' as const },
  ];
  const columnData = [
    { name: 'a', data: [1, 2] },
    { name: 's:IGNORE', data: [{ x: 1 }, { x: 2 }] },
  ];
  const store = freshUri();
  await load(store, { nodes: nodesOf(file('struct.parquet', new Uint8Array(parquetWriteBuffer({ columnData, schema })))) });
  assert.deepEqual(await ask(store, 'MATCH (n) RETURN [n.a, size(keys(n))] ORDER BY n.a'), [
    [1, 1],
    [2, 1],
  ]);
});

test('a label or a type without characters is refused before anything is written', async () => {
  const nodes = [{ labels: ['A', ''], files: [file('a.csv', ':ID\n1\n')] }];
  await assert.rejects(load(freshUri(), { nodes }), { code: 'ARGUMENT_ERROR' });
  const relationships = [{ type: '', files: [file('r.csv', ':START_ID,:END_ID\n1,1\n')] }];
  await assert.rejects(load(freshUri(), { nodes: nodesOf(file('a.csv', ':ID\n1\n')), relationships }), { code: 'ARGUMENT_ERROR' });
});

test('long labels of characters with several bytes have file names in an export', async () => {
  const [store, copy] = [freshUri(), freshUri()];
  const long = '漢'.repeat(59);
  await ask(store, `CREATE (:\`${long}1\`:\`${long}2\`:\`😀${long}\` {a: 1}), (:\`${long}1\`:\`${long}2\` {a: 2})`);
  const to = join(folder, 'exported');
  await exportGraph({ store }, { ...parseExportFormat('csv')!, to, output: process.stdout, delimiter: ',', arrayDelimiter: ';' });
  await importFiles({ store: copy, ...(await readExportFolder(to)) });
  assert.deepEqual(await ask(copy, 'MATCH (n) RETURN [size(labels(n)), n.a] ORDER BY n.a'), [
    [3, 1],
    [2, 2],
  ]);
});
