/** SIGKILL in the middle of imports, and full disks under imports and exports: all of it is there, or nothing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importFiles } from '../../src/import/index.ts';
import { openObjectStore, parseStorageUri } from '../../src/object-store/index.ts';
import { openNamespace } from '../../src/storage/index.ts';
import { exportGraph, parseExportFormat } from '../../src/transfer/index.ts';
import { cleanEnvironment } from '../server/launched-server.ts';
import { CLI } from '../support/programs.ts';
import { seededRandom } from '../support/random.ts';
import { mountSmallDisk } from './full-disk.ts';

const NODES = 1000;
const ROWS = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), 'graphdb-bulk-'));
after(() => rmSync(folder, { recursive: true }));

/**
 * Nodes `first` and following, and relationships among them: enough that threads read them, and that tables are
 * uploaded before the end.
 */
function graph(first: number, rows: number): { readonly nodes: string; readonly relationships: string } {
  const nodes = join(folder, `nodes-${first}-${rows}.csv`);
  const relationships = join(folder, `relationships-${first}-${rows}.csv`);
  const ids = Array.from({ length: NODES }, (_, id) => first + id);
  writeFileSync(nodes, `id:ID(Person){id-type:long},name\n${ids.map((id) => `${id},person ${id}`).join('\n')}\n`);
  const lines = Array.from(
    { length: rows },
    (_, row) => `${first + ((row * 7919) % NODES)},${first + ((row * 31) % NODES)},${Math.imul(row, 2_654_435_761) >>> 0}`,
  );
  writeFileSync(relationships, `:START_ID(Person),:END_ID(Person),hash:long\n${lines.join('\n')}\n`);
  return { nodes, relationships };
}

/** Counts the live rows of each table; null: the namespace does not exist. */
async function liveRows(store: string): Promise<Record<string, number> | null> {
  const location = parseStorageUri(store);
  const objects = await openObjectStore(location);
  try {
    const namespace = await openNamespace(objects, { name: location.namespace, readOnly: true });
    const rows = namespace.manifest.tables.map(({ labels, type, liveRows: count }) => [type ?? labels?.join(':') ?? '', count] as const);
    await namespace.close();
    return Object.fromEntries(rows);
  } catch (error) {
    if ((error as { code?: string }).code === 'NOT_FOUND') return null;
    throw error;
  } finally {
    await objects.close();
  }
}

/** Ends it at a random moment from the first file it has written on, or at once. */
async function killedImport(args: readonly string[], data: string, delayMs: number): Promise<void> {
  const before = existsSync(data) ? readdirSync(data).length : 0;
  const child = spawn(CLI, ['import', ...args], { env: cleanEnvironment(), stdio: 'ignore' });
  const exit = once(child, 'exit');
  while (child.exitCode === null && !(existsSync(data) && readdirSync(data).length > before)) await sleep(5);
  await sleep(delayMs);
  child.kill('SIGKILL');
  await exit;
}

test('an import that is killed has loaded everything or nothing, and can be made again; merging too', async () => {
  const random = seededRandom(3);
  const { nodes, relationships } = graph(0, ROWS);
  const more = graph(NODES / 2, ROWS);
  for (let round = 0; round < 2; round++) {
    const root = join(folder, `killed-${round}`);
    mkdirSync(root);
    const store = `file://${root}?ns=killed`;
    const data = join(root, 'killed', 'data');
    const plain = ['--store', store, '--nodes', `Person=${nodes}`, '--relationships', `KNOWS=${relationships}`];
    await killedImport(plain, data, random.between(0, 300));
    const complete = { Person: NODES, KNOWS: ROWS };
    const found = await liveRows(store);
    if (Object.keys(found ?? {}).length > 0) assert.deepEqual(found, complete);
    else await importFiles(inputs(store, nodes, relationships));
    assert.deepEqual(await liveRows(store), complete);
    const merging = ['--store', store, '--merge-on', '_id', '--nodes', `Person=${more.nodes}`];
    // Ids of the second graph are matched by internal identifiers, which the first one has not: all of its nodes are new.
    await killedImport([...merging, '--relationships', `KNOWS=${more.relationships}`], data, random.between(0, 300));
    const merged = await liveRows(store);
    if (merged!['KNOWS'] !== ROWS) assert.deepEqual(merged, { Person: 2 * NODES, KNOWS: 2 * ROWS });
    else assert.deepEqual(merged, complete);
  }
});

function inputs(store: string, nodes: string, relationships: string) {
  return { store, nodes: [{ labels: ['Person'], files: [nodes] }], relationships: [{ type: 'KNOWS', files: [relationships] }] };
}

/** An empty folder with so much room; null: none can be made here, and the test is skipped. */
function smallDisk(t: TestContext, megabytes: number): string | null {
  const disk = mkdtempSync(join(tmpdir(), 'graphdb-bulk-disk-'));
  const mounted = mountSmallDisk(disk, megabytes);
  t.after(() => {
    if ('unmount' in mounted) mounted.unmount();
    rmSync(disk, { recursive: true });
  });
  if (!('reason' in mounted)) return disk;
  t.skip(mounted.reason);
  return null;
}

test('an import onto a full disk says so, and leaves nothing', async (t) => {
  const disk = smallDisk(t, 6);
  if (disk === null) return;
  const store = `file://${disk}?ns=full`;
  const { nodes, relationships } = graph(0, ROWS);
  await assert.rejects(importFiles(inputs(store, nodes, relationships)), { code: 'STORE_UNAVAILABLE', message: /the disk is full/ });
  assert.deepEqual((await liveRows(store)) ?? {}, {});
  const little = graph(0, 1000);
  await importFiles(inputs(store, little.nodes, little.relationships));
  assert.deepEqual(await liveRows(store), { Person: NODES, KNOWS: 1000 });
});

test('an export onto a full disk says so, and leaves nothing', async (t) => {
  const root = join(folder, 'exported');
  mkdirSync(root);
  const store = `file://${root}?ns=exported`;
  const { nodes, relationships } = graph(0, ROWS);
  await importFiles(inputs(store, nodes, relationships));
  for (const format of ['csv', 'csv.zst', 'ndjson.gz', 'parquet']) {
    await t.test(format, async (each) => {
      const disk = smallDisk(each, 1);
      if (disk === null) return;
      const to = join(disk, 'out');
      const target = { ...parseExportFormat(format)!, to, output: new PassThrough(), delimiter: ',', arrayDelimiter: ';' };
      await assert.rejects(exportGraph({ store }, target), { code: 'STORE_UNAVAILABLE', message: /cannot write .*: the disk is full/ });
      assert.deepEqual(readdirSync(disk), []);
    });
  }
});
