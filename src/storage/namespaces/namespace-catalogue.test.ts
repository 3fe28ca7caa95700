/** Which namespaces there are, dropping them, and writers that were there before. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { namespaceIn, openObjectStore, parseStorageBase, type StorageBase } from '../../object-store/index.ts';
import type { Namespace } from '../api.ts';
import { copyNamespace } from '../maintenance/copy-namespace.ts';
import { openNamespace } from '../open-namespace.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { appendAll, commit } from '../testing/test-store.ts';
import { NamespaceCatalogue } from './namespace-catalogue.ts';

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'graphdb-catalogue-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function place(text: string): StorageBase {
  const base = parseStorageBase(text);
  assert.ok(base !== null);
  return base;
}

async function open(context: TestContext, base: StorageBase, name: string, readOnly = false): Promise<Namespace> {
  const store = await openObjectStore(namespaceIn(base, name));
  const namespace = await openNamespace(store, { name, readOnly });
  context.after(async () => {
    await namespace.close().catch(() => undefined);
    await store.close();
  });
  return namespace;
}

async function keysOf(base: StorageBase, name: string): Promise<string[]> {
  const store = await openObjectStore(namespaceIn(base, name));
  const keys = (await store.list('')).map(({ key }) => key);
  await store.close();
  return keys;
}

const places: readonly (readonly [string, (context: TestContext) => StorageBase])[] = [
  ['memory', ({ name }) => place(`memory://catalogue-${name.length}`)],
  ['file', (context) => place(`file://${folder(context)}`)],
];

for (const [scheme, placeFor] of places) {
  test(`${scheme}: namespaces are listed from their first manifest until they are dropped, and when made again`, async (context) => {
    const base = placeFor(context);
    const catalogue = new NamespaceCatalogue(base);
    assert.deepEqual(await catalogue.list(), []);
    assert.equal(await catalogue.has('b'), false);
    if (base.scheme === 'file') mkdirSync(join(base.directory, 'no-namespace'));
    const writer = await open(context, base, 'b');
    await open(context, base, 'a.1');
    assert.deepEqual(await catalogue.list(), ['a.1', 'b']);
    assert.deepEqual(await catalogue.listAmong(['b', 'absent', 'no name/at all', 'b', 'a.1']), ['a.1', 'b']);
    assert.deepEqual(await catalogue.listAmong(['absent']), []);
    await appendAll(writer, 1, 3);
    await writer.publish({ add: [sampleTable(5)], remove: [], sequence: 3 });
    await appendAll(writer, 4, 5);

    await catalogue.drop('b');
    assert.deepEqual([await catalogue.list(), await catalogue.has('b'), await catalogue.has('a.1')], [['a.1'], false, true]);
    await assert.rejects(catalogue.drop('b'), { code: 'NOT_FOUND' });
    assert.deepEqual(
      (await keysOf(base, 'b')).filter((key) => key.startsWith('data/')),
      [],
      'its data is gone at once',
    );
    await assert.rejects(writer.append(commit(6)), { code: 'WRITER_FENCED' }, 'whoever wrote to it is fenced');
    assert.equal(await catalogue.has('b'), false);

    const again = await open(context, base, 'b');
    assert.deepEqual([again.recovered.length, again.manifest.tables.length], [0, 0], 'the new one holds nothing of the old one');
    assert.deepEqual([await catalogue.list(), await catalogue.has('b')], [['a.1', 'b'], true]);
    await appendAll(again, again.durableSequence + 1, again.durableSequence + 2);
    await again.close();
    await catalogue.drop('b');
    assert.equal(await catalogue.has('b'), false);
  });
}

test('a drop waits for no lease', async (context) => {
  const base = place('memory://catalogue-leases');
  const writer = await open(context, base, 'n');
  await writer.publish({ add: [sampleTable(5)], remove: [] });
  const store = await openObjectStore(namespaceIn(base, 'n'));
  await store.put(`lease/${String(writer.manifest.version).padStart(20, '0')}-3600000-a1`, new Uint8Array(1));
  await new NamespaceCatalogue(base).drop('n');
  const left = (await keysOf(base, 'n')).map((key) => key.replace(/\/.*/, ''));
  assert.deepEqual([...new Set(left)], ['manifest', 'wal']);
  assert.equal(left.filter((folder) => folder === 'manifest').length, 1);
});

test('what was dropped is empty: a copy takes its place without being told to replace anything', async (context) => {
  const base = place('memory://catalogue-copy');
  for (const name of ['from', 'to']) {
    const writer = await open(context, base, name);
    await appendAll(writer, 1, 3);
    await writer.publish({ add: [sampleTable(5)], remove: [], sequence: 2, nextNodeOrdinal: 99 });
    await writer.close();
  }
  const [source, target] = [await openObjectStore(namespaceIn(base, 'from')), await openObjectStore(namespaceIn(base, 'to'))];
  const options = { source: { store: source, name: 'from' }, target: { store: target, name: 'to' } };
  await assert.rejects(copyNamespace(options), { code: 'ARGUMENT_ERROR' });
  const catalogue = new NamespaceCatalogue(base);
  await catalogue.drop('to');
  await copyNamespace(options);
  assert.deepEqual(await catalogue.list(), ['from', 'to']);
  const copy = await open(context, base, 'to', true);
  assert.deepEqual([copy.manifest.tables.length, copy.recovered.length], [1, 1]);
});

test('a writer that slept through a drop and a new beginning writes to neither', async (context) => {
  const base = place('memory://catalogue-sleeper');
  const sleeper = await open(context, base, 'n');
  await appendAll(sleeper, 1, 2);
  await new NamespaceCatalogue(base).drop('n');
  const successor = await open(context, base, 'n');
  const first = successor.durableSequence + 1;
  await appendAll(successor, first, first + 1);
  await assert.rejects(sleeper.append(commit(3)), { code: 'WRITER_FENCED' });
  const reader = await open(context, base, 'n', true);
  assert.equal(reader.durableSequence, first + 1);
});

test('a place that is not there holds no namespaces; one that cannot be read is no empty one', async (context) => {
  assert.deepEqual(await new NamespaceCatalogue(place(`file://${folder(context)}/none`)).list(), []);
  const closed = place('s3://bucket?region=auto&endpoint=http://127.0.0.1:1&allow_http=true');
  process.env['AWS_ACCESS_KEY_ID'] ??= 'x';
  process.env['AWS_SECRET_ACCESS_KEY'] ??= 'y';
  await assert.rejects(new NamespaceCatalogue(closed).list(), { code: 'STORE_UNAVAILABLE' });
});
