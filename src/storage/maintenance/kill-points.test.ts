/**
 * Copies, drops, merges and collections in a process that dies at any of its requests that change the store, before or
 * after that request has happened: the namespace opens, holds what it held before or what it holds afterwards, and the
 * same work can be done again; collection removes what was left behind.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intercept, type ObjectStore } from '../../object-store/index.ts';
import { openNamespace } from '../open-namespace.ts';
import { sampleTable } from '../testing/sample-table.ts';
import { appendAll, freshStore, TestClock, textOf } from '../testing/test-store.ts';
import { copyNamespace } from './copy-namespace.ts';
import { emptyNamespace } from './drop-namespace.ts';
import { inspectNamespace } from './inspect-namespace.ts';

const CHANGING: ReadonlySet<string> = new Set(['put', 'putIfAbsent', 'delete']);
const name = 'test';
const clock = new TestClock();

interface Work {
  readonly what: string;
  /** The namespace before. */
  readonly before: ObjectStore | null;
  readonly run: (store: ObjectStore) => Promise<unknown>;
  /** Content between the two states that the work may leave: a copy without the commits of its log. */
  readonly between?: string;
}

async function storeLike(objects: ObjectStore | null): Promise<ObjectStore> {
  const store = freshStore({ now: () => clock.now() });
  for (const { key } of (await objects?.list('')) ?? []) await store.put(key, (await objects!.get(key))!);
  return store;
}

/** Fills a namespace: files of two flushes and of nothing any more, a log behind them, a writer that did not close. */
async function filled(rows: number): Promise<ObjectStore> {
  const store = await storeLike(null);
  const writer = await openNamespace(store, { name, clock });
  await appendAll(writer, 1, 3);
  await writer.publish({ add: [sampleTable(rows)], remove: [], sequence: 1 });
  await writer.publish({ add: [{ ...sampleTable(2), labels: ['Gone'] }], remove: [] });
  const gone = writer.manifest.tables.find(({ labels }) => labels?.includes('Gone'))!;
  await writer.publish({ add: [sampleTable(rows)], remove: gone.files.map(({ key }) => key), sequence: 2 });
  return store;
}

/** The content: rows of each table after its merge, so that a merge changes nothing, and commits behind the files. */
async function contentOf(store: ObjectStore): Promise<string> {
  if ((await store.list('manifest/')).length === 0) return '';
  const copy = await storeLike(store);
  const namespace = await openNamespace(copy, { name, clock });
  const { manifest } = await namespace.compact({ everything: true });
  const tables = manifest.tables.map(({ labels, files }) => `${labels?.join()}: ${files.reduce((sum, file) => sum + file.rows, 0)}`);
  return [...tables, ...namespace.recovered.map(textOf)].join('\n');
}

/** Passes `count` changing requests on. The next one is the last one that may happen, and no request is answered from then on. */
function dyingStore(inner: ObjectStore, count: number, happens: boolean): { readonly store: ObjectStore; readonly died: Promise<'died'> } {
  const { promise: died, resolve: die } = Promise.withResolvers<'died'>();
  let left = count;
  const store = intercept(inner, async ({ operation }, proceed) => {
    if (left >= 0 && CHANGING.has(operation)) left--;
    if (left >= 0) return proceed();
    if (left === -1 && CHANGING.has(operation) && happens) await proceed();
    left = -2;
    die('died');
    return new Promise(() => {});
  });
  return { store, died };
}

async function assertSound(store: ObjectStore): Promise<void> {
  const namespace = await openNamespace(store, { name, clock });
  clock.advance(1);
  await namespace.collectGarbage({ graceMs: 0, retainVersions: 1 });
  await namespace.close();
  const { problems, orphans } = await inspectNamespace(store, { verify: true });
  assert.deepEqual([problems, orphans], [[], []]);
}

async function killAt(work: Work, count: number, happens: boolean): Promise<boolean> {
  const inner = await storeLike(work.before);
  const { store, died } = dyingStore(inner, count, happens);
  if ((await Promise.race([died, work.run(store)])) !== 'died') return false;
  const sound = await storeLike(work.before);
  await work.run(sound);
  const expected = [await contentOf(await storeLike(work.before)), work.between, await contentOf(sound)];
  assert.ok(expected.includes(await contentOf(inner)), `content after request ${count}`);
  await assertSound(await storeLike(inner));
  await work.run(inner);
  assert.equal(await contentOf(inner), expected[2]);
  await assertSound(inner);
  return true;
}

const [source, target] = [await filled(50), await filled(7)];
const copyTo = (store: ObjectStore): Promise<unknown> =>
  copyNamespace({ source: { store: source, name }, target: { store, name }, replace: true, clock });
const withWriter = async (store: ObjectStore, work: (writer: Awaited<ReturnType<typeof openNamespace>>) => Promise<unknown>) => {
  const writer = await openNamespace(store, { name, clock });
  clock.advance(1);
  await work(writer);
  await writer.close();
};
const between = (await contentOf(source)).split('\n')[0]!;
const works: readonly Work[] = [
  { what: 'a copy to a new namespace', before: null, run: copyTo, between },
  { what: 'a copy that replaces', before: target, run: copyTo, between },
  { what: 'a drop', before: source, run: (store) => emptyNamespace(store, { name, clock }) },
  { what: 'a merge', before: source, run: (store) => withWriter(store, (writer) => writer.compact({ everything: true })) },
  {
    what: 'a collection',
    before: source,
    run: (store) => withWriter(store, (writer) => writer.collectGarbage({ graceMs: 0, retainVersions: 1 })),
  },
];

for (const work of works) {
  test(`${work.what} survives the end of its process at any request`, async () => {
    for (const happens of [false, true]) {
      let count = 0;
      while (await killAt(work, count, happens)) count++;
      assert.ok(count > 5, 'requests were made');
    }
  });
}
